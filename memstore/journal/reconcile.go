package journal

import (
	"context"
	"path"
	"runtime"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Progress says how far a comparison with the disk has come.
type Progress struct {
	Files, Done int   // to look at, looked at
	Bytes       int64 // kept so far of what was there when the journal began
	LeftOut     int   // files whose bytes are not kept, because they or all together are too big
	Revisions   int   // recorded
}

// racy is the coarsest step of the clocks of file systems: a stamp that was younger than that
// when it was looked at proves nothing.
const racy = 2 * time.Second

// Reconcile compares the disk with what was last known, and records what has happened while
// nobody watched as external revisions with [NoteUnseen]. The first time it reads
// everything once, so that the first edit of each file has its bytes before: that is no
// revision. What git keeps ([memstore.InGit]) is left out. It may run beside edits of our own and of others, and be ended by ctx at any moment; the next
// one goes on. report (nil: none) is called on the caller's goroutine. A directory that is not
// there, or cannot be read, is never taken for deletions.
func (j *Journal) Reconcile(ctx context.Context, report func(Progress)) (Progress, error) {
	return j.ReconcileTree(ctx, nil, report)
}

// ReconcileTree is Reconcile by a tree that somebody has read just before, so that it is not read
// twice; nil: none was. What differs in it is looked at again, since it may be older than
// what is recorded. What has come since it was read is not found: whoever has read it watches for that.
func (j *Journal) ReconcileTree(ctx context.Context, tree *memstore.Snapshot, report func(Progress)) (Progress, error) {
	if j.options.Backend == nil || j.options.Look {
		return Progress{}, &past.Error{Op: "compare", Err: past.ErrReadOnly}
	}
	j.Flush()
	if err := j.drainInTurn(ctx); err != nil {
		return Progress{}, failed("compare", err)
	}
	r := &reconciler{j: j, ctx: ctx, report: report, lent: j.isCurrent(tree)}
	if r.report == nil {
		r.report = func(Progress) {}
	}
	if !r.lent {
		tree = nil
	}
	err := r.run(tree)
	return r.progress, failed("compare", err)
}

// isCurrent reports whether a tree is whole and of the directory that is there now.
func (j *Journal) isCurrent(tree *memstore.Snapshot) bool {
	if tree == nil || !tree.Complete || tree.Root == nil || tree.Root.Problem != nil {
		return false
	}
	root, err := j.options.Backend.Lstat(".")
	return err == nil && root.ID == tree.Root.ID && root.ID != memstore.FileID{}
}

type reconciler struct {
	j        *Journal
	ctx      context.Context
	report   func(Progress)
	progress Progress
	baseline bool // the first comparison is not complete
	kept     int64
	since    int64 // the newest revision when it began
	passed   bool  // something was left out because an edit of ours was under way there
	lent     bool  // the tree is somebody else's, and may be old
	accepts  bool  // a store that is empty now
	group    int64 // of what it records, where it accepts; 0: none yet

	known map[string]*knownEntry
	gone  map[string]*knownEntry // known and not on the disk
	todo  []candidate
}

// knownEntry is what the journal has of a path, with the stamp of the last look.
type knownEntry struct {
	id     int64
	kind   memstore.Kind
	blob   int64
	size   int64
	mtime  int64
	inode  uint64
	device uint64
	seen   int64
	met    bool
}

// candidate is a path on disk that may differ from what is known.
type candidate struct {
	name string
	info memstore.Info
	was  *knownEntry // nil: nothing is known
	from string      // of a file that was found under another name
}

// run compares; snap is the tree of the disk, nil to read it.
func (r *reconciler) run(snap *memstore.Snapshot) (err error) {
	if err := r.load(); err != nil {
		return err
	}
	if snap == nil {
		look := memstore.New(r.j.options.Backend, memstore.Options{ReadOnly: true, Workers: runtime.NumCPU(), Origin: memstore.Origin{Actor: memstore.Curator}})
		if snap, err = look.Scan(r.ctx, nil); err != nil {
			return err
		}
	}
	if err := r.notEmptied(); err != nil {
		return err
	}
	r.compare(".", snap.Root)
	r.findGone(snap)
	r.findMoves()
	r.dropImplied()
	r.progress.Files = len(r.todo)
	r.report(r.progress)
	if err := r.recordAll(); err != nil {
		return err
	}
	return r.finish(snap)
}

// load reads what is known. It comes before the scan: what changes after is told by its
// entry, which is then another one.
func (r *reconciler) load() error {
	db, err := r.j.reader()
	if err != nil {
		return err
	}
	var done int
	if err := db.QueryRowContext(r.ctx, "SELECT count(*) FROM meta WHERE key = 'baseline'").Scan(&done); err != nil {
		return err
	}
	r.baseline = done == 0
	if err := db.QueryRowContext(r.ctx, "SELECT coalesce(max(rev), 0) FROM revision").Scan(&r.since); err != nil {
		return err
	}
	if r.baseline {
		if err := db.QueryRowContext(r.ctx, "SELECT coalesce(sum(b.size), 0) FROM entry e JOIN blob b ON b.id = e.blob WHERE e.first = 0 AND b.data IS NOT NULL").Scan(&r.kept); err != nil {
			return err
		}
	}
	r.known = map[string]*knownEntry{}
	rows, err := db.QueryContext(r.ctx, `SELECT p.name, e.id, e.kind, coalesce(e.blob, 0), e.size, coalesce(e.mtime, 0), coalesce(e.inode, 0),
		coalesce(e.device, 0), coalesce(e.seen, 0) FROM entry e JOIN path p ON p.id = e.path WHERE e.last IS NULL`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var e knownEntry
		var inode, device int64
		if err := rows.Scan(&name, &e.id, &e.kind, &e.blob, &e.size, &e.mtime, &inode, &device, &e.seen); err != nil {
			return err
		}
		e.inode, e.device = uint64(inode), uint64(device)
		r.known[name] = &e
	}
	return rows.Err()
}

// compare walks the tree of the disk. Folders are compared before what they hold.
func (r *reconciler) compare(name string, n *memstore.Node) {
	if memstore.InGit(name) {
		return
	}
	if name != "." {
		was := r.known[name]
		if was != nil {
			was.met = true
		}
		if was == nil || !was.fits(n.Info) {
			r.todo = append(r.todo, candidate{name: name, info: n.Info, was: was})
		}
	}
	for _, c := range n.Children {
		r.compare(path.Join(name, c.Name), c)
	}
}

// fits reports whether a path is sure to be what is known without reading it.
func (e *knownEntry) fits(i memstore.Info) bool {
	if e.kind != i.Kind {
		return false
	}
	switch i.Kind {
	case memstore.KindDir, memstore.KindOther:
		return true
	}
	return e.seen != 0 && e.blob != 0 && e.size == i.Size && e.mtime == i.ModTime.UnixNano() && e.inode == i.ID.Inode && e.device == i.ID.Device &&
		e.seen-e.mtime > int64(racy)
}

// findGone collects what is known and was not met, but for what lies below a folder that cannot be read.
func (r *reconciler) findGone(snap *memstore.Snapshot) {
	var closed []string
	snap.Walk(func(agentPath string, n *memstore.Node) bool {
		if n.Problem != nil {
			closed = append(closed, memstore.BackendName(agentPath))
		}
		return n.Kind == memstore.KindDir
	})
	r.gone = map[string]*knownEntry{}
	for name, e := range r.known {
		if !e.met && !memstore.InGit(name) && !slices.ContainsFunc(closed, func(dir string) bool { return inside(name, dir) }) {
			r.gone[name] = e
		}
	}
}

// findMoves finds gone files and links under new names, by what the file system numbers them with.
// A file whose bytes have changed too was moved first.
func (r *reconciler) findMoves() {
	type id struct{ inode, device uint64 }
	byID := map[id]string{}
	for name, e := range r.gone {
		if e.inode != 0 && e.kind != memstore.KindDir {
			byID[id{e.inode, e.device}] = name
		}
	}
	if len(byID) == 0 {
		return
	}
	for i := range r.todo {
		c := &r.todo[i]
		from, ok := byID[id{c.info.ID.Inode, c.info.ID.Device}]
		if ok && c.was == nil && c.info.Kind == r.gone[from].kind && (c.info.Size == r.gone[from].size || c.info.ModTime.UnixNano() == r.gone[from].mtime) {
			c.from, c.was = from, r.gone[from]
			delete(r.gone, from)
			delete(byID, id{c.info.ID.Inode, c.info.ID.Device})
		}
	}
}

// dropImplied leaves out new folders that something new inside them implies.
func (r *reconciler) dropImplied() {
	implied := map[string]bool{}
	for _, c := range r.todo {
		for dir := path.Dir(c.name); dir != "." && !implied[dir]; dir = path.Dir(dir) {
			implied[dir] = true
		}
	}
	r.todo = slices.DeleteFunc(r.todo, func(c candidate) bool {
		return c.info.Kind == memstore.KindDir && c.was == nil && implied[c.name]
	})
}
