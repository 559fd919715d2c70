package journal

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/past"
)

// Sync records what other programs did to the store, by comparing all of it with what was there last; made is the number of revisions. It
// records in the store's turn, a few paths at a time. Several calls may run concurrently, also from several processes; each difference is
// recorded once. A note takes about half a millisecond, less in a batch. ctx may stop it at any moment; the next call continues. Until one
// has compared everything, what is not known counts as there from the beginning and makes no revisions. Files of git ([memstore.InGit])
// are passed over. A directory that is missing or unreadable never counts as a deletion.
func (j *Journal) Sync(ctx context.Context, h past.Hints) (made int, err error) {
	c, err := j.comparison(ctx, h.Report)
	if err == nil {
		err = c.run(h)
	}
	j.bell.ring() // what made the caller look may be in the record already, by another process
	return c.made, j.failed(err)
}

// comparison begins one.
func (j *Journal) comparison(ctx context.Context, report func(done, files int)) (*comparison, error) {
	if report == nil {
		report = func(int, int) {}
	}
	c := &comparison{j: j, ctx: ctx, report: report, others: others{maker: maker{process: j.options.Process}}}
	if j.options.Backend == nil || j.options.Look {
		return c, &past.Error{Err: past.ErrReadOnly}
	}
	root, err := j.options.Backend.Lstat(".")
	c.root = root.ID
	return c, err
}

func (c *comparison) run(h past.Hints) error {
	if h.Unseen {
		c.note = past.NoteUnseen // at an unknown time
	}
	_, adapted := c.j.options.Backend.(backend.Adapted) // its file is empty for a moment while another program writes it anew
	c.accepts = !h.Unseen && !adapted
	snap := h.Tree
	if snap != nil && snap.Root.ID != c.root {
		return memstore.ErrUnavailable
	}
	if snap != nil && (!snap.Complete || snap.Root.Problem != nil) {
		snap = nil
	}
	return c.whole(snap)
}

// racy is the coarsest resolution of file system clocks: a stamp that was younger than this when it was read proves nothing.
const racy = 2 * time.Second

// A comparison records in the store's turn, so that none of our own edits is under way where it looks. It gives the turn back after this
// many paths, so that no other writer waits long, and pauses for as long as one that waits may sleep.
const (
	turnPaths = 200
	turnPause = 10 * time.Millisecond
)

// comparison compares the disk with the last known state and records the differences. It first looks without a turn,
// which only finds the paths in question: each is looked at again in the turn that records it. It runs on one goroutine.
type comparison struct {
	others
	j       *Journal
	ctx     context.Context
	report  func(done, files int)
	root    memstore.FileID // of the store when it began
	accepts bool            // that the store is empty now

	disk       *memstore.Node   // what is on the disk
	known      map[string]*file // what was there last
	gone       map[string]*file // known and not on the disk
	todo       []candidate
	unreadable map[string]bool // folders
}

// candidate is a path on disk that may differ from what is known.
type candidate struct {
	name  string
	info  memstore.Info
	isNew bool
}

// move is a path that went to another name.
type move struct {
	from, to string
	kind     memstore.Kind
}

// whole compares everything with snap, the tree of the disk; nil means read it.
func (c *comparison) whole(snap *memstore.Snapshot) error {
	if snap == nil {
		var err error
		if snap, err = c.j.disk.scan(c.ctx, "."); err != nil {
			return err
		}
	}
	if err := c.notEmptied(); err != nil {
		return err
	}
	c.disk = snap.Root
	if err := c.differ(); err != nil {
		return err
	}
	return c.finish(snap)
}

// look compares the disk with what is known: files that are known and were not found are gone, but not below a folder that is unreadable.
func (c *comparison) look() error {
	list, err := filesOf(c.j.db.QueryContext(c.ctx, "SELECT "+fileColumns+" FROM file"))
	if err != nil {
		return err
	}
	c.known, c.gone = map[string]*file{}, map[string]*file{}
	for _, f := range list {
		c.known[f.name] = f
	}
	c.todo, c.unreadable = nil, map[string]bool{}
	c.walk(".", c.disk)
	hides := func(dir string) bool { return c.unreadable[dir] }
	for name, f := range c.known {
		if !f.met && !memstore.InGit(name) && !c.unreadable["."] && !slices.ContainsFunc(parents(name), hides) {
			c.gone[name] = f
		}
	}
	return nil
}

// walk compares a tree of the disk. Folders are compared after what they hold, which implies new ones: they get only their stamps then.
func (c *comparison) walk(name string, n *memstore.Node) {
	if memstore.InGit(name) {
		return
	}
	if n.Problem != nil {
		c.unreadable[name] = true
	}
	for _, kid := range n.Children {
		c.walk(path.Join(name, kid.Name), kid)
	}
	if name == "." {
		return
	}
	was := c.known[name]
	if was != nil {
		was.met = true
	}
	if was == nil || !was.fits(n.Info) {
		c.todo = append(c.todo, candidate{name: name, info: n.Info, isNew: was == nil})
	}
}

// differ works out the differences and records them: moves, then removals, then what appeared or changed, so that each revision applies
// to the result of those before it. What is in a renamed folder is compared under its new name.
func (c *comparison) differ() error {
	for {
		if err := c.look(); err != nil {
			return err
		}
		recorded, err := c.recordMoves(c.movedFolders())
		if err != nil {
			return err
		}
		if recorded == 0 {
			break
		}
	}
	if _, err := c.recordMoves(c.movedFiles()); err != nil {
		return err
	}
	if err := c.recordGone(); err != nil {
		return err
	}
	c.report(0, len(c.todo))
	return c.inTurns(len(c.todo), func(i int) {
		if i > 0 && i%turnPaths == 0 {
			c.report(i, len(c.todo))
		}
		c.compareOne(&c.todo[i])
	})
}

// movedFolders pairs vanished folders with new ones that have their file ID and that of something in them, so that a renamed folder is one
// revision: a file system gives an ID out again, so that of the folder alone proves nothing. What is in one of them is paired later, under
// its new name.
func (c *comparison) movedFolders() (list []move) {
	come := map[memstore.FileID]*candidate{}
	for i := range c.todo {
		if t := &c.todo[i]; t.isNew && t.info.Kind == memstore.KindDir && t.info.ID != (memstore.FileID{}) {
			come[t.info.ID] = t
		}
	}
	for _, old := range sortedNames(c.gone) { // the topmost first
		e := c.gone[old]
		t := come[e.id]
		if e.kind != memstore.KindDir || t == nil || !c.shareChild(old, t.name) {
			continue
		}
		if !slices.ContainsFunc(list, func(m move) bool { return inside(old, m.from) || inside(t.name, m.to) || t.name == m.to }) {
			list = append(list, move{old, t.name, memstore.KindDir})
		}
	}
	return list
}

// shareChild reports whether a vanished folder and a new one have a child in common.
func (c *comparison) shareChild(old, name string) bool {
	return slices.ContainsFunc(c.todo, func(t candidate) bool {
		if !inside(t.name, name) || t.info.ID == (memstore.FileID{}) {
			return false
		}
		e := c.gone[moved(t.name, name, old)]
		return e != nil && e.id == t.info.ID
	})
}

// movedFiles pairs vanished files with new ones that have their bytes, whatever way they went. A move counts as a removal and a creation
// where something was known at the new name or is at the old one again.
func (c *comparison) movedFiles() (list []move) {
	bySize := map[int64][]*file{}
	for _, name := range sortedNames(c.gone) {
		if e := c.gone[name]; e.kind == memstore.KindFile && e.size > 0 {
			bySize[e.size] = append(bySize[e.size], e)
		}
	}
	for i := range c.todo {
		t := &c.todo[i]
		same := bySize[t.info.Size]
		if !t.isNew || t.info.Kind != memstore.KindFile || len(same) == 0 || c.ctx.Err() != nil {
			continue
		}
		if at := c.withBytes(t, same); at >= 0 {
			list = append(list, move{same[at].name, t.name, memstore.KindFile})
			bySize[t.info.Size] = slices.Delete(same, at, at+1)
		}
	}
	return list
}

// withBytes finds one of some files, as they are known, that has the bytes of a candidate, rather the one with its file ID; -1: none.
func (c *comparison) withBytes(t *candidate, files []*file) int {
	sum, err := c.j.disk.digest(t.name)
	var blob int64
	if err == nil {
		err = c.j.db.QueryRowContext(c.ctx, "SELECT id FROM blob WHERE sum = ?", sum[:]).Scan(&blob)
	}
	if err != nil {
		return -1 // it counts as another file
	}
	if at := slices.IndexFunc(files, func(e *file) bool { return e.blob == blob && e.id == t.info.ID }); at >= 0 {
		return at
	}
	return slices.IndexFunc(files, func(e *file) bool { return e.blob == blob })
}

// inTurns calls f for each of n things, in as many turns as they need.
func (c *comparison) inTurns(n int, f func(i int)) error {
	for at := 0; at < n; {
		if at > 0 {
			time.Sleep(turnPause)
		}
		err := c.j.turn(c.ctx, false, func(w *writer) {
			c.w, c.time, c.beginning = w, c.j.options.Now(), !c.j.hasBegun(w)
			w.fail(c.rootThere())
			for end := min(n, at+turnPaths); at < end && w.err == nil; at++ {
				f(at)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rootThere fails unless the store's directory is the one that was compared: in another directory nothing was removed.
func (c *comparison) rootThere() error {
	root, err := c.j.options.Backend.Lstat(".")
	if err == nil && root.ID != c.root {
		err = memstore.ErrUnavailable
	}
	return err
}

// isThere reports whether something is at a name, or may be.
func (c *comparison) isThere(name string) bool {
	_, err := c.j.options.Backend.Lstat(name)
	return !memstore.IsAbsent(err)
}

// recordMoves records those moves that still look like one, and returns how many.
func (c *comparison) recordMoves(list []move) (recorded int, err error) {
	err = c.inTurns(len(list), func(i int) {
		m := list[i]
		e := c.w.file(m.from)
		info, lost := c.j.options.Backend.Lstat(m.to)
		if e == nil || e.kind != m.kind || c.isThere(m.from) || c.w.file(m.to) != nil || lost != nil || info.Kind != m.kind {
			return
		}
		c.openWay(m.to)
		recorded++
		s := stampOf(info, time.Now())
		if m.kind != memstore.KindDir {
			s.seen = info.ModTime // its bytes may have changed too: they are compared next
		}
		c.record(change{
			shape: past.Renamed, kind: m.kind, name: m.to, oldName: m.from, before: e.blob, after: e.blob, size: e.size, stamp: s,
		})
	})
	return recorded, err
}

// recordGone records removals, the contents of a folder before the folder.
func (c *comparison) recordGone() error {
	names := sortedNames(c.gone)
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(a+"/\xff", b+"/\xff") })
	return c.inTurns(len(names), func(i int) {
		if e := c.w.file(names[i]); e != nil && !c.isThere(names[i]) {
			c.lose(e)
		}
	})
}

// compareOne records how a path differs from what is known of it now. What is gone again, or can't be read, stays as it is known.
func (c *comparison) compareOne(t *candidate) {
	e := c.w.file(t.name)
	if info, err := c.j.disk.backend.Lstat(t.name); err != nil || info.Kind == memstore.KindFile && e != nil && e.fits(info) {
		return
	}
	if got, info, err := c.j.disk.contentAt(t.name); err == nil {
		c.meet(t.name, info, got, stampOf(info, time.Now()))
	}
}

// hasBegun reports whether everything was compared once: from then on what is not known is new.
func (j *Journal) hasBegun(w *writer) bool {
	if !j.began.Load() {
		j.began.Store(w.row("SELECT 1 FROM meta WHERE key = ?", []any{metaBegan}, new(int)))
	}
	return j.began.Load()
}

// finish notes that everything was compared, and on which device the store is.
func (c *comparison) finish(snap *memstore.Snapshot) error {
	known, err := c.j.device(c.ctx)
	device := snap.Root.ID.Device
	if err != nil || device == known && c.j.began.Load() {
		return err
	}
	return c.j.tx(c.ctx, false, func(w *writer) {
		w.set(metaDevice, int64(device))
		w.do("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)", metaBegan, c.j.options.Now().UnixNano())
	})
}

// sortedNames are the names of files in order.
func sortedNames(of map[string]*file) []string { return slices.Sorted(maps.Keys(of)) }
