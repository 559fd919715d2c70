package journal

import (
	"context"
	"database/sql"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// racy is the coarsest resolution of file system clocks: a stamp that was younger than this when it was read proves nothing.
const racy = 2 * time.Second

// A comparison records in the store's turn, so that none of our own edits is under way where it looks. It gives the turn back after this
// many paths or bytes, so that no other writer waits long, and pauses for as long as one that waits may sleep.
const (
	turnPaths = 200
	turnBytes = 16 << 20
	turnPause = 10 * time.Millisecond
)

// comparison compares the disk, or a part of it, with the last known state and records the differences. It first looks without a turn,
// which only finds the paths in question: each is looked at again in the turn that records it. It runs on one goroutine.
type comparison struct {
	others
	j        *Journal
	ctx      context.Context
	report   func(Progress)
	progress Progress
	root     memstore.FileID // of the store when it began
	baseline bool            // the first comparison has not read all files yet
	listed   bool            // but it has listed them all
	kept     int64           // bytes kept by the first comparison
	device   uint64          // of the root at the last full comparison; 0: unknown
	accepts  bool            // that the store is empty now

	names  []string          // that are compared, with everything below them; nil: all
	trees  []branch          // what of them is on the disk
	known  map[string]*entry // of the part that is compared, and the folders above it
	gone   map[string]*entry // known and not on the disk
	todo   []candidate
	opened []string // folders that were unreadable before: their contents are not new
	closed []string // unreadable folders, and names that cannot be checked
}

// branch is a part of the disk that was read.
type branch struct {
	name string
	node *memstore.Node
}

// candidate is a path on disk that may differ from what is known.
type candidate struct {
	name  string
	info  memstore.Info
	isNew bool
	shut  bool // a folder that cannot be read
}

// move is a path that went to another name.
type move struct {
	from, to string
	kind     memstore.Kind
}

// whole compares everything with snap, the tree of the disk; nil means read it.
func (c *comparison) whole(snap *memstore.Snapshot) error {
	if err := c.load(); err != nil {
		return err
	}
	if snap == nil {
		var err error
		if snap, err = c.scan("."); err != nil {
			return err
		}
	}
	if err := c.notEmptied(); err != nil {
		return err
	}
	if err := c.listBeginning(snap); err != nil {
		return err
	}
	c.trees = []branch{{".", snap.Root}}
	if err := c.differ(); err != nil {
		return err
	}
	return c.finish(snap)
}

// some compares some paths.
func (c *comparison) some(agentPaths []string) error {
	if err := c.load(); err != nil {
		return err
	}
	if !c.listed { // without that, changes would look like what was there when the journal began
		snap, err := c.scan(".")
		if err == nil {
			err = c.listBeginning(snap)
		}
		if err != nil {
			return err
		}
	}
	c.names = []string{}
	var list []string
	for _, path := range agentPaths {
		if name := memstore.BackendName(path); name != "." && !memstore.InGit(name) {
			list = append(list, c.vanished(name))
		}
	}
	slices.Sort(list)
	for _, name := range slices.Compact(list) { // parents come first, and stand for what is below them
		if slices.ContainsFunc(pathname.Parents(name), func(dir string) bool { return slices.Contains(c.names, dir) }) {
			continue
		}
		c.names = append(c.names, name)
		if err := c.lookAt(name); err != nil {
			return err
		}
	}
	return c.differ()
}

// vanished is the topmost folder above name that is not there, else name: what was in it has vanished with it.
func (c *comparison) vanished(name string) string {
	for _, dir := range pathname.Parents(name) {
		if _, err := c.j.options.Backend.Lstat(dir); memstore.IsAbsent(err) {
			return dir
		}
	}
	return name
}

// lookAt reads what is at one name.
func (c *comparison) lookAt(name string) error {
	info, err := c.j.options.Backend.Lstat(name)
	if err == nil && info.Kind == memstore.KindDir {
		var snap *memstore.Snapshot
		if snap, err = c.scan(name); err == nil {
			c.trees = append(c.trees, branch{name, snap.Root})
			return nil
		}
	}
	switch {
	case err == nil:
		c.trees = append(c.trees, branch{name, &memstore.Node{Info: info}})
	case memstore.IsAbsent(err):
	case c.rootThere() != nil:
		return err
	default:
		c.trees = append(c.trees, branch{name, nil})
	}
	return nil
}

func (c *comparison) scan(name string) (*memstore.Snapshot, error) {
	look := memstore.New(c.j.options.Backend, memstore.Options{
		ReadOnly: true, Workers: runtime.NumCPU(), Origin: memstore.Origin{Actor: memstore.Curator},
	})
	return look.ScanFrom(c.ctx, memstore.ScanOptions{Name: name})
}

// load reads the entries of the names, of everything below them and of the folders above.
func (c *comparison) load() error {
	db, err := c.j.pool.ReaderNow()
	if err != nil {
		return err
	}
	var complete, listed int
	var device int64
	if err := db.QueryRowContext(c.ctx, `SELECT
		(SELECT count(*) FROM meta WHERE key = 'baseline'), (SELECT count(*) FROM meta WHERE key = ?),
		coalesce((SELECT value FROM meta WHERE key = 'device'), 0)`, schema.MetaListed).Scan(&complete, &listed, &device); err != nil {
		return err
	}
	c.baseline, c.listed, c.device = complete == 0, complete+listed > 0, uint64(device)
	if c.baseline {
		if err := db.QueryRowContext(c.ctx, `SELECT coalesce(sum(b.size), 0) FROM entry e JOIN blob b ON b.id = e.blob
			WHERE e.first = 0 AND b.data IS NOT NULL`).Scan(&c.kept); err != nil {
			return err
		}
	}
	c.known = map[string]*entry{}
	if c.names == nil {
		return c.addKnown(db.QueryContext(c.ctx, currentEntries))
	}
	for _, name := range c.names {
		_, end := pathname.Below(name)
		if err := c.addKnown(db.QueryContext(c.ctx, currentEntries+" AND p.name >= ?1 AND p.name < ?3 AND (p.name = ?1 OR p.name >= ?2)",
			name, name+"/", end)); err != nil {
			return err
		}
	}
	for _, name := range c.names {
		for _, dir := range pathname.Parents(name) {
			if c.known[dir] != nil {
				continue
			}
			if err := c.addKnown(db.QueryContext(c.ctx, currentEntries+" AND p.name = ?", dir)); err != nil {
				return err
			}
			if e := c.known[dir]; e != nil {
				e.met = true
			}
		}
	}
	return nil
}

// addKnown reads and closes rows.
func (c *comparison) addKnown(rows *sql.Rows, err error) error {
	return database.Rows(rows, err).Each(func(row *sql.Rows) error {
		e, err := scanEntry(row.Scan)
		if err == nil {
			c.known[e.name] = e
		}
		return err
	})
}

// look compares the trees with what is known.
func (c *comparison) look() error {
	if err := c.load(); err != nil {
		return err
	}
	c.todo, c.opened, c.closed = nil, nil, nil
	for _, b := range c.trees {
		if b.node == nil {
			c.closed = append(c.closed, b.name)
			continue
		}
		c.walk(b.name, b.node)
	}
	c.findGone()
	return nil
}

// walk compares a tree of the disk. Folders are compared before what they hold.
func (c *comparison) walk(name string, n *memstore.Node) {
	if memstore.InGit(name) {
		return
	}
	if n.Problem != nil {
		c.closed = append(c.closed, name)
	}
	if name != "." {
		was := c.known[name]
		if was != nil {
			was.met = true
		}
		switch {
		case was == nil || !was.fits(n.Info):
			c.todo = append(c.todo, candidate{name: name, info: n.Info, isNew: was == nil, shut: n.Problem != nil})
		case n.Problem != nil || n.Kind != memstore.KindDir:
		case was.first == 0 && was.seen == 0 && len(n.Children) > 0:
			c.opened = append(c.opened, name)
			c.todo = append(c.todo, candidate{name: name, info: n.Info})
		case !was.isStamped(n.Info):
			c.todo = append(c.todo, candidate{name: name, info: n.Info})
		}
	}
	for _, kid := range n.Children {
		c.walk(path.Join(name, kid.Name), kid)
	}
}

// findGone collects the entries that were not found, except below a folder that is unreadable, or on a file system that is not
// mounted.
func (c *comparison) findGone() {
	closed := map[string]bool{}
	for _, dir := range c.closed {
		closed[dir] = true
	}
	away := map[string]bool{} // by folder
	isAway := func(dir string) bool {
		is, known := away[dir]
		if !known {
			is = closed[dir] || c.isLostMount(dir)
			away[dir] = is
		}
		return is
	}
	c.gone = map[string]*entry{}
	for name, e := range c.known {
		if !e.met && !memstore.InGit(name) && !closed["."] && !closed[name] && !slices.ContainsFunc(pathname.Parents(name), isAway) {
			c.gone[name] = e
		}
	}
}

// isLostMount reports whether a folder used to be on another file system than the store and no longer is: an unmounted disk leaves
// an empty folder behind, and its files were not deleted.
func (c *comparison) isLostMount(dir string) bool {
	e := c.known[dir]
	if e == nil || e.device == 0 || c.device == 0 || e.device == c.device {
		return false
	}
	info, err := c.j.options.Backend.Lstat(dir)
	return err == nil && info.ID.Device == c.root.Device
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
	c.impliedLast()
	c.progress.Files = len(c.todo)
	c.report(c.progress)
	return c.inTurns(len(c.todo), func(i int) (int64, error) {
		size, err := c.compareOne(&c.todo[i])
		c.progress.Done++
		return size, err
	})
}

// movedFolders pairs vanished folders with new ones that have their file ID, so that a renamed folder is one revision. What is in one
// of them is paired later, under its new name.
func (c *comparison) movedFolders() (list []move) {
	come := map[memstore.FileID]string{}
	todo := map[string]*candidate{}
	for i := range c.todo {
		t := &c.todo[i]
		todo[t.name] = t
		if t.isNew && t.info.Kind == memstore.KindDir && t.info.ID != (memstore.FileID{}) {
			come[t.info.ID] = t.name
		}
	}
	if len(come) == 0 {
		return nil
	}
	inside := func(m move, from, to string) bool {
		return pathname.Inside(from, m.from) || pathname.Inside(to, m.to) || to == m.to
	}
	for _, old := range sortedNames(c.gone) { // the topmost first
		e := c.gone[old]
		name := come[e.id()]
		if e.kind != memstore.KindDir || name == "" || slices.ContainsFunc(list, func(m move) bool { return inside(m, old, name) }) {
			continue
		}
		if todo[name].info.ModTime.UnixNano() == e.mtime || c.shareChild(old, name, todo) {
			list = append(list, move{old, name, memstore.KindDir})
		}
	}
	return list
}

// shareChild reports whether a vanished folder and a new one have a child in common: the file ID alone proves nothing, since the
// file system may have reused it.
func (c *comparison) shareChild(old, name string, todo map[string]*candidate) bool {
	for at, e := range c.gone {
		if pathname.Inside(at, old) && e.inode != 0 {
			if t := todo[pathname.Moved(at, old, name)]; t != nil && t.info.ID == e.id() {
				return true
			}
		}
	}
	return false
}

// movedFiles pairs vanished files and links with new ones: those that have their file ID, and their size or time; then those that have
// their bytes, as after a move by copying and deleting, or from another file system.
func (c *comparison) movedFiles() (list []move) {
	byID, bySize, byBlob := map[memstore.FileID]*entry{}, map[int64]bool{}, map[int64]*entry{}
	for _, e := range c.gone {
		if e.kind == memstore.KindDir {
			continue
		}
		byID[e.id()] = e
		if e.kind == memstore.KindFile && e.size > 0 && e.blob != 0 {
			bySize[e.size], byBlob[e.blob] = true, e
		}
	}
	taken := map[*entry]bool{}
	for i := range c.todo {
		t := &c.todo[i]
		if !t.isNew || t.info.Kind == memstore.KindDir || len(byID) == 0 || c.ctx.Err() != nil {
			continue
		}
		e := byID[t.info.ID]
		if t.info.ID == (memstore.FileID{}) || e != nil && e.size != t.info.Size && e.mtime != t.info.ModTime.UnixNano() {
			e = nil
		}
		if e == nil && t.info.Kind == memstore.KindFile && bySize[t.info.Size] {
			if sum, _, err := c.j.disk.digest(t.name); err == nil {
				blob, _ := c.blobWith(sum) // after an error it counts as another file
				e = byBlob[blob]
			}
		}
		if e != nil && e.kind == t.info.Kind && !taken[e] {
			taken[e] = true
			list = append(list, move{e.name, t.name, e.kind})
		}
	}
	return list
}

// blobWith returns the number of the content with this digest, 0 for none.
func (c *comparison) blobWith(sum memstore.Digest) (id int64, err error) {
	db, err := c.j.pool.ReaderNow()
	if err == nil {
		err = db.QueryRowContext(c.ctx, "SELECT id FROM blob WHERE sum = ?", sum[:]).Scan(&id)
	}
	return id, err
}

// impliedLast puts folders behind what is new inside them, which implies them: they get only their stamps then.
func (c *comparison) impliedLast() {
	implied := map[string]bool{}
	for _, t := range c.todo {
		for dir := path.Dir(t.name); dir != "." && !implied[dir]; dir = path.Dir(dir) {
			implied[dir] = true
		}
	}
	var last []candidate
	c.todo = slices.DeleteFunc(c.todo, func(t candidate) bool {
		later := t.info.Kind == memstore.KindDir && implied[t.name]
		if later {
			last = append(last, t)
		}
		return later
	})
	slices.SortStableFunc(c.todo, func(a, b candidate) int { return strings.Compare(a.name, b.name) })
	c.todo = append(c.todo, last...)
}

// inTurns calls f for each of n things, in as many turns as they need. f returns the number of bytes that it had to read.
func (c *comparison) inTurns(n int, f func(i int) (size int64, err error)) error {
	for at := 0; at < n; {
		if at > 0 {
			time.Sleep(turnPause)
		}
		err := c.j.turn(c.ctx, "compare", false, func(w *tableWriter) error {
			c.w, c.time = w, c.j.options.Now()
			if err := c.rootThere(); err != nil {
				return err
			}
			for end, size := at+turnPaths, int64(0); at < min(n, end) && size < turnBytes; at++ {
				read, err := f(at)
				if err != nil {
					return err
				}
				size += read
			}
			return nil
		})
		if err != nil {
			return err
		}
		c.report(c.progress)
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
	err = c.inTurns(len(list), func(i int) (int64, error) {
		m := list[i]
		e, err := c.w.entries.current(m.from)
		if err != nil || e == nil || e.kind != m.kind || c.isThere(m.from) {
			return 0, err
		}
		there, err := c.w.entries.current(m.to)
		info, lost := c.j.options.Backend.Lstat(m.to)
		if err != nil || there != nil || lost != nil || info.Kind != m.kind {
			return 0, err
		}
		if err := c.openWay(m.to); err != nil {
			return 0, err
		}
		recorded++
		s := stampOf(info, time.Now())
		if m.kind != memstore.KindDir {
			s.seen = info.ModTime // its bytes may have changed too: they are compared next
		}
		return 0, c.record(change{
			shape: past.Renamed, kind: m.kind, name: m.to, oldName: m.from, before: e.blob, after: e.blob, size: e.size, stamp: s,
		})
	})
	return recorded, err
}

// recordGone records removals, the contents of a folder before the folder.
func (c *comparison) recordGone() error {
	names := sortedNames(c.gone)
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(a+"/\xff", b+"/\xff") })
	return c.inTurns(len(names), func(i int) (int64, error) {
		e, err := c.w.entries.current(names[i])
		if err != nil || e == nil || c.isThere(names[i]) {
			return 0, err
		}
		return 0, c.lose(e)
	})
}

// compareOne records how a path differs from what is known of it now.
func (c *comparison) compareOne(t *candidate) (read int64, err error) {
	info, err := c.j.options.Backend.Lstat(t.name)
	if err != nil {
		return 0, nil // it is gone again, or can't be looked at: what is known stays
	}
	t.info = info
	e, err := c.w.entries.current(t.name)
	if err != nil {
		return 0, err
	}
	if e != nil && e.kind != info.Kind {
		if err := c.lose(e); err != nil {
			return 0, err
		}
		e = nil
	}
	var got *content.Content
	switch info.Kind {
	case memstore.KindFile:
		if e != nil && e.fits(info) {
			return 0, nil
		}
		got, t.info, err = c.j.disk.readWhole(t.name)
	case memstore.KindLink:
		got, err = c.j.disk.linkContent(t.name)
	}
	if err != nil {
		return 0, nil
	}
	if got != nil {
		read = got.Size
	}
	s := stampOf(t.info, time.Now())
	switch {
	case e == nil:
		return read, c.appeared(t, got, s)
	case got == nil && (t.shut || e.isStamped(t.info)):
		return read, nil
	case got == nil, !got.Hashed && e.isStamped(t.info): // huge files are identified by size and time
		return read, c.w.entries.restamp(t.name, e.blob, s)
	case e.blob == 0 && e.isStamped(t.info):
		return read, c.fill(t, e, got, s)
	}
	blob, err := c.w.blobs.Put(got, e.blob)
	if err != nil {
		return read, err
	}
	if e.blob == blob {
		return read, c.w.entries.restamp(t.name, e.blob, s)
	}
	return read, c.record(change{
		shape: past.Edited, kind: e.kind, name: t.name, before: e.blob, after: blob, size: got.Size, text: got.Data,
		beforeMode: e.mode, hasMode: e.hasMode, beforeTime: e.modTime(), stamp: s,
	})
}

// appeared records a path of which nothing is known.
func (c *comparison) appeared(t *candidate, got *content.Content, s stamp) error {
	early := slices.ContainsFunc(c.opened, func(dir string) bool { return pathname.Inside(t.name, dir) })
	if !early && !c.listed {
		var err error
		if early, err = c.w.beforeBaseline(t.name); err != nil {
			return err
		}
	}
	if early {
		return c.keep(t, got)
	}
	if err := c.openWay(t.name); err != nil {
		return err
	}
	blob, err := c.w.blobs.Put(got, 0)
	if err != nil {
		return err
	}
	ch := change{shape: past.Made, kind: t.info.Kind, name: t.name, after: blob, size: t.info.Size, stamp: s}
	if got != nil {
		ch.size, ch.text = got.Size, got.Data
	}
	return c.record(ch)
}

// finish records that the first comparison is complete, and on which device the store is.
func (c *comparison) finish(snap *memstore.Snapshot) error {
	return c.j.txUntil(c.ctx, "compare", func(w *tableWriter) error {
		if c.baseline {
			if err := w.set("baseline", c.j.options.Now().UnixNano()); err != nil {
				return err
			}
		}
		return w.set("device", int64(snap.Root.ID.Device))
	})
}
