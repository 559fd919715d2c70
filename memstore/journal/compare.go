package journal

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// racy is the coarsest resolution of file system clocks: a stamp that was younger than this when it was read proves nothing.
const racy = 2 * time.Second

// comparison compares the disk, or a part of it, with the last known state and records the differences. It runs on one goroutine.
type comparison struct {
	j        *Journal
	ctx      context.Context
	report   func(Progress)
	progress Progress
	root     memstore.FileID // of the store when it began
	unseen   bool            // the store was not being watched
	baseline bool            // the first comparison has not read all files yet
	listed   bool            // but it has listed them all
	kept     int64           // bytes kept by the first comparison
	since    int64           // the newest revision when it began
	purges   int64           // the number of purges at that time
	device   uint64          // of the root at the last full comparison; 0: unknown
	passed   bool            // something was skipped because one of our own edits was in progress there
	lent     bool            // the tree is the caller's, and may be outdated
	accepts  bool            // that the store is empty now
	missed   int             // how many paths were gone
	group    int64           // of its revisions if it accepts; 0: none yet

	known    map[string]*knownEntry // of the part that is compared
	gone     map[string]*knownEntry // known and not on the disk
	todo     []candidate
	replaced map[string]bool  // names with another kind of thing now: neither side is part of a move
	cleared  map[string]int64 // by name: the revision of this comparison that removed what was there
	folders  []candidate      // whose stamps are updated at the end
	there    map[string]bool  // names at which something existed when they were collected
	above    []string         // known non-folders above a name
	opened   []string         // folders that were unreadable before: their contents are not new
	closed   []string         // unreadable folders, and names that cannot be checked
	moves    []past.Move      // of folders, in backend names, in the order to record them
	again    map[string]bool
}

// knownEntry is the journal's entry of a path, with the stamp of the last comparison.
type knownEntry struct {
	id     int64
	first  int64
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
	shut bool        // a folder that cannot be read
}

// whole compares everything with snap, the tree of the disk; nil means read it.
func (c *comparison) whole(snap *memstore.Snapshot) error {
	if err := c.load(nil); err != nil {
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
	if c.baseline && !c.listed {
		if err := c.listBeginning(snap); err != nil {
			return err
		}
		if err := c.load(nil); err != nil {
			return err
		}
	}
	c.walk(".", snap.Root)
	if err := c.differ(nil); err != nil {
		return err
	}
	return c.finish(snap)
}

// names compares some paths.
func (c *comparison) names(h past.Hints) error {
	c.there = make(map[string]bool, len(h.There))
	for _, name := range h.There {
		c.there[memstore.BackendName(name)] = true
	}
	names := make([]string, 0, len(h.Names)+2*len(h.Moves))
	for _, name := range h.Names {
		names = append(names, memstore.BackendName(name))
	}
	from := map[string]string{} // by the new name
	for _, m := range h.Moves {
		old, name := memstore.BackendName(m.From), memstore.BackendName(m.To)
		names = append(names, old, name)
		from[name] = old
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if err := c.load(names); err != nil {
		return err
	}
	if c.baseline && !c.listed && c.j.awaitsListing() {
		names = slices.DeleteFunc(names, func(name string) bool {
			e := c.known[name]
			isNew := e == nil || e.kind == memstore.KindDir
			if isNew {
				c.putOff(name)
			}
			return isNew
		})
	}
	for _, name := range c.above {
		c.known[name].met = false
	}
	names = append(names, c.above...)
	slices.Sort(names)
	done := map[string]bool{}
	for _, name := range names { // parents come first
		if name == "." || memstore.InGit(name) || slices.ContainsFunc(pathname.Parents(name), func(dir string) bool { return done[dir] }) {
			continue
		}
		deep, err := c.lookAt(name)
		if err != nil {
			return err
		}
		if deep {
			done[name] = true
		}
	}
	return c.differ(from)
}

// lookAt compares one name; deep means that everything below it was compared too.
func (c *comparison) lookAt(name string) (deep bool, err error) {
	info, err := c.j.options.Backend.Lstat(name)
	switch {
	case errors.Is(err, memstore.ErrUnavailable):
		return false, err
	case memstore.IsAbsent(err) && c.there[name]:
		c.closed = append(c.closed, name)
		c.putOff(name)
		return false, nil
	case memstore.IsAbsent(err):
		return false, nil // it was removed or renamed
	case err != nil:
		c.closed = append(c.closed, name)
		return false, nil
	case info.Kind != memstore.KindDir:
		c.walk(name, &memstore.Node{Info: info})
		return false, nil
	}
	snap, err := c.scan(name)
	switch {
	case memstore.IsAbsent(err):
		return false, nil // it has just vanished, which will be reported too
	case err != nil:
		return false, err
	}
	c.walk(name, snap.Root)
	return true, nil
}

func (c *comparison) scan(name string) (*memstore.Snapshot, error) {
	look := memstore.New(c.j.options.Backend, memstore.Options{
		ReadOnly: true, Workers: runtime.NumCPU(), Origin: memstore.Origin{Actor: memstore.Curator},
	})
	return look.ScanFrom(c.ctx, memstore.ScanOptions{Name: name})
}

// load reads the entries of names, of everything below them and of the folders above; nil means all entries. It runs before the
// disk is read: if anything is recorded after that, the entry will be a different one.
func (c *comparison) load(names []string) error {
	db, err := c.j.pool.ReaderNow()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(c.ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	var complete, listed int
	var device int64
	if err := tx.QueryRowContext(c.ctx, `SELECT
		(SELECT count(*) FROM meta WHERE key = 'baseline'), (SELECT count(*) FROM meta WHERE key = ?),
		(SELECT coalesce(max(rev), 0) FROM revision),
		coalesce((SELECT value FROM meta WHERE key = ?), 0), coalesce((SELECT value FROM meta WHERE key = 'device'), 0)`,
		schema.MetaListed, schema.MetaPurges).Scan(&complete, &listed, &c.since, &c.purges, &device); err != nil {
		return err
	}
	c.baseline, c.listed, c.device = complete == 0, complete+listed > 0, uint64(device)
	if c.baseline {
		if err := tx.QueryRowContext(c.ctx, `SELECT coalesce(sum(b.size), 0) FROM entry e JOIN blob b ON b.id = e.blob
			WHERE e.first = 0 AND b.data IS NOT NULL`).Scan(&c.kept); err != nil {
			return err
		}
	}
	c.known = map[string]*knownEntry{}
	if names == nil {
		return c.addKnown(tx.QueryContext(c.ctx, knownQuery))
	}
	wanted := map[string]bool{}
	for _, name := range names {
		for _, dir := range pathname.Parents(name) {
			wanted[dir] = false
		}
	}
	for _, name := range names {
		wanted[name] = true
	}
	one, err := tx.PrepareContext(c.ctx, knownQuery+" AND p.name = ?")
	if err != nil {
		return err
	}
	defer one.Close()
	for name, itself := range wanted {
		if err := c.addKnown(one.QueryContext(c.ctx, name)); err != nil {
			return err
		}
		compared := itself || slices.ContainsFunc(pathname.Parents(name), func(dir string) bool { return wanted[dir] })
		if e := c.known[name]; !compared && e != nil {
			if e.met = true; e.kind != memstore.KindDir {
				c.above = append(c.above, name)
			}
		}
	}
	for _, name := range names {
		if e := c.known[name]; e == nil || e.kind != memstore.KindDir {
			continue
		}
		low, high := pathname.Below(name)
		if err := c.addKnown(tx.QueryContext(c.ctx, knownQuery+" AND p.name >= ? AND p.name < ?", low, high)); err != nil {
			return err
		}
	}
	return nil
}

const knownQuery = `SELECT p.name, e.id, e.first, e.kind, coalesce(e.blob, 0), e.size, coalesce(e.mtime, 0), coalesce(e.inode, 0),
	coalesce(e.device, 0), coalesce(e.seen, 0) FROM path p JOIN entry e ON e.path = p.id AND e.last IS NULL WHERE true`

// addKnown reads and closes rows.
func (c *comparison) addKnown(rows *sql.Rows, err error) error {
	return database.Rows(rows, err).Each(func(row *sql.Rows) error {
		var name string
		var e knownEntry
		var inode, device int64
		if err := row.Scan(&name, &e.id, &e.first, &e.kind, &e.blob, &e.size, &e.mtime, &inode, &device, &e.seen); err != nil {
			return err
		}
		e.inode, e.device = uint64(inode), uint64(device)
		if c.known[name] == nil {
			c.known[name] = &e
		}
		return nil
	})
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
			c.todo = append(c.todo, candidate{name: name, info: n.Info, was: was, shut: n.Problem != nil})
		case n.Problem != nil:
		case n.Kind == memstore.KindDir && was.first == 0 && was.seen == 0 && len(n.Children) > 0:
			c.opened = append(c.opened, name)
			c.folders = append(c.folders, candidate{name: name, info: n.Info, was: was})
		case n.Kind == memstore.KindDir && !was.isStamped(n.Info):
			c.folders = append(c.folders, candidate{name: name, info: n.Info, was: was})
		}
	}
	for _, kid := range n.Children {
		c.walk(path.Join(name, kid.Name), kid)
	}
}

// fits reports whether the stamp proves that a path still has its known bytes.
func (e *knownEntry) fits(i memstore.Info) bool {
	if e.kind != i.Kind {
		return false
	}
	switch i.Kind {
	case memstore.KindDir, memstore.KindOther:
		return true
	}
	return e.seen != 0 && e.blob != 0 && e.isStamped(i) && e.seen-e.mtime > int64(racy)
}

// isStamped reports whether a path has the stamp of the last comparison.
func (e *knownEntry) isStamped(i memstore.Info) bool {
	return (i.Kind == memstore.KindDir || e.size == i.Size) && e.mtime == i.ModTime.UnixNano() &&
		e.inode == i.ID.Inode && e.device == i.ID.Device
}

// differ works out the differences and records them. from maps new names to old ones where the system reported a rename.
func (c *comparison) differ(from map[string]string) error {
	c.findGone()
	c.findReplaced()
	if err := c.recordGone(c.isReplacedFile); err != nil { // what follows may be below it
		return err
	}
	if err := c.moveFolders(from); err != nil {
		return err
	}
	c.findMoves(from)
	c.dropImplied()
	c.progress.Files = len(c.todo)
	c.report(c.progress)
	if err := c.recordAll(); err != nil {
		return err
	}
	if err := c.recordGone(nil); err != nil { // the folders out of which something was moved
		return err
	}
	return c.restampFolders()
}

// findGone collects the entries that were not found, except below a folder that is unreadable, or on a file system that is not
// mounted.
func (c *comparison) findGone() {
	closed := map[string]bool{}
	for _, dir := range c.closed {
		closed[dir] = true
	}
	isClosed := func(dir string) bool { return closed[dir] }
	c.gone = map[string]*knownEntry{}
	for name, e := range c.known {
		if !e.met && !memstore.InGit(name) && !closed["."] && !closed[name] && !slices.ContainsFunc(pathname.Parents(name), isClosed) {
			c.gone[name] = e
		}
	}
	c.missed = len(c.gone)
	away := map[string]bool{} // by folder
	isAway := func(dir string) bool {
		is, known := away[dir]
		if !known {
			is = c.isLostMount(dir) || c.isUnnamed(dir)
			away[dir] = is
		}
		return is
	}
	for name := range c.gone {
		if slices.ContainsFunc(pathname.Parents(name), isAway) {
			delete(c.gone, name)
		}
	}
}

// isUnnamed reports whether a folder that is not being compared has vanished: it was just renamed or removed, and will be
// compared later with all its contents.
func (c *comparison) isUnnamed(dir string) bool {
	if e := c.known[dir]; e == nil || !e.met || c.isThere(dir) {
		return false
	}
	c.putOff(dir)
	return true
}

// findReplaced treats a path that changed its kind as a removal and a new path.
func (c *comparison) findReplaced() {
	c.replaced, c.cleared = map[string]bool{}, map[string]int64{}
	for i := range c.todo {
		if t := &c.todo[i]; t.was != nil && t.was.kind != t.info.Kind {
			c.gone[t.name], c.replaced[t.name] = t.was, true
			t.was = nil
		}
	}
}

func (c *comparison) isReplacedFile(name string) bool {
	return c.replaced[name] && c.gone[name].kind != memstore.KindDir
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

// moveFolders pairs vanished folders with new ones and records the renames, so that a renamed folder is one revision. Its contents
// are compared under the new name.
func (c *comparison) moveFolders(from map[string]string) error {
	come := map[memstore.FileID]string{}
	todo := map[string]*candidate{}
	for i := range c.todo {
		t := &c.todo[i]
		todo[t.name] = t
		if t.was == nil && t.info.Kind == memstore.KindDir && t.info.ID != (memstore.FileID{}) && !c.replaced[t.name] {
			come[t.info.ID] = t.name
		}
	}
	to := map[string]string{}
	for name, old := range from {
		to[old] = name
	}
	for len(come) > 0 || len(to) > 0 {
		m, ok := c.movedFolder(todo, come, to)
		if !ok {
			break
		}
		delete(come, todo[m.To].info.ID)
		delete(to, m.From)
		c.rename(m, todo)
		c.moves = append(c.moves, m)
	}
	if len(c.moves) == 0 {
		return nil
	}
	c.todo = slices.DeleteFunc(c.todo, func(t candidate) bool { return todo[t.name] == nil })
	return c.recordMoves()
}

// movedFolder finds one renamed folder, the topmost first.
func (c *comparison) movedFolder(todo map[string]*candidate, come map[memstore.FileID]string, to map[string]string) (m past.Move, ok bool) {
	for _, old := range slices.Sorted(maps.Keys(c.gone)) {
		e := c.gone[old]
		if e.kind != memstore.KindDir || c.replaced[old] {
			continue
		}
		if t := todo[to[old]]; t != nil && t.was == nil && !c.replaced[t.name] && t.info.Kind == memstore.KindDir {
			return past.Move{From: old, To: t.name}, true
		}
		name, found := come[memstore.FileID{Device: e.device, Inode: e.inode}]
		if found && (todo[name].info.ModTime.UnixNano() == e.mtime || c.shareChild(old, name, todo)) {
			return past.Move{From: old, To: name}, true
		}
	}
	return m, false
}

// shareChild reports whether a vanished folder and a new one have a child in common: the file ID alone proves nothing, since the
// file system may have reused it.
func (c *comparison) shareChild(old, name string, todo map[string]*candidate) bool {
	for at, e := range c.gone {
		if pathname.Inside(at, old) && e.inode != 0 {
			if t := todo[pathname.Moved(at, old, name)]; t != nil && t.info.ID == (memstore.FileID{Device: e.device, Inode: e.inode}) {
				return true
			}
		}
	}
	return false
}

// rename moves the entries of a folder to its new name.
func (c *comparison) rename(m past.Move, todo map[string]*candidate) {
	for _, old := range slices.Collect(maps.Keys(c.gone)) {
		if old != m.From && !pathname.Inside(old, m.From) {
			continue
		}
		e, name := c.gone[old], pathname.Moved(old, m.From, m.To)
		delete(c.gone, old)
		delete(c.known, old)
		c.known[name] = e
		switch t := todo[name]; {
		case t == nil:
			c.gone[name] = e
		case t.was != nil:
		case name == m.To:
			c.folders = append(c.folders, *t)
			delete(todo, name)
		case e.fits(t.info):
			delete(todo, name)
		default:
			t.was = e
		}
	}
}

// findMoves finds vanished files and links under new names: renames that the system reported, and equal file IDs. A file whose bytes
// changed too was moved first.
func (c *comparison) findMoves(from map[string]string) {
	byID := map[memstore.FileID]string{}
	for name, e := range c.gone {
		if e.inode != 0 && e.kind != memstore.KindDir && !c.replaced[name] {
			byID[memstore.FileID{Device: e.device, Inode: e.inode}] = name
		}
	}
	for i := range c.todo {
		t := &c.todo[i]
		if t.was != nil || t.info.Kind == memstore.KindDir || c.replaced[t.name] {
			continue
		}
		old := from[t.name]
		e := c.gone[old]
		for range len(from) { // renamed several times
			if e != nil || old == "" {
				break
			}
			old = from[old]
			e = c.gone[old]
		}
		if e == nil {
			old = byID[t.info.ID]
			if e = c.gone[old]; e != nil && e.size != t.info.Size && e.mtime != t.info.ModTime.UnixNano() {
				continue
			}
		}
		if e != nil && e.kind == t.info.Kind && !c.replaced[old] {
			t.from, t.was = old, e
			delete(c.gone, old)
		}
	}
}

// dropImplied drops new folders that are implied by something new inside them.
func (c *comparison) dropImplied() {
	implied := map[string]bool{}
	for _, t := range c.todo {
		for dir := path.Dir(t.name); dir != "." && !implied[dir]; dir = path.Dir(dir) {
			implied[dir] = true
		}
	}
	c.todo = slices.DeleteFunc(c.todo, func(t candidate) bool {
		drop := t.info.Kind == memstore.KindDir && t.was == nil && implied[t.name]
		if drop {
			c.folders = append(c.folders, t)
		}
		return drop
	})
	slices.SortStableFunc(c.todo, func(a, b candidate) int { return strings.Compare(a.name, b.name) })
}
