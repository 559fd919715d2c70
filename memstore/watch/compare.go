package watch

import (
	"path"
	"slices"

	"memcurator/memstore"
)

// item is a path on one side only: gone (told, but no longer there) or come
// (there, but not told yet).
type item struct {
	name  string
	node  *memstore.Node
	young bool // come: not due yet, only here so that a gone path can be recognised in it
}

// pairing is a path on both sides whose content may differ.
type pairing struct {
	name    string
	was, is *memstore.Node
	reading *reading
}

// move is a path that was recognised under another name.
type move struct {
	from, to string
	node     *memstore.Node // as it is now
	reading  *reading       // nil: the content is known to be the same
}

// batch compares a set of paths, as they were told, with the model, and keeps
// what follows from it until the contents are read. prepare and finish run on the owner's
// goroutine, read on another one.
//
// Moves are recognised by file identity. A path that exists on both sides is never part of
// one: when b is renamed over a known a, that is an edit of a and a deletion of b. So every change
// can be applied to the tree that the changes before it have made.
type batch struct {
	o      *owner
	names  []string
	due    map[string]bool
	from   map[string]string // what a name was called before, by events
	deep   map[string]bool
	reader *reader

	gone, came []item
	seen       map[string]bool // names that were compared
	roots      map[string]bool // names in gone or came as prepare found them: all below is in them
	replaced   map[string]bool // names that come in the place of another kind
	changed    []pairing
	infos      []item // directories whose own description is newer
	opened     []item // directories that could not be read before: what is in them is not new

	cameDirs    map[memstore.FileID]item
	claimedCame map[string]bool // names that belong to a move
	claimedGone map[string]bool
	dirMoves    []move
	fileMoves   []move
	newLeaves   []pairing // come, and no move: is and reading are set
	newDirs     []item
	oldLeaves   []item // gone, and no move
	oldDirs     []item // topmost directories that are gone
	reads       []*reading
}

func newBatch(o *owner, names []string) *batch {
	b := &batch{
		o: o, names: names, reader: o.reader(true),
		due: make(map[string]bool, len(names)), from: make(map[string]string), deep: make(map[string]bool),
		seen: make(map[string]bool), roots: make(map[string]bool), replaced: make(map[string]bool),
		claimedCame: make(map[string]bool), claimedGone: make(map[string]bool),
	}
	for _, name := range names {
		b.due[name] = true
	}
	return b
}

// prepare finds out what differs and what must be read to be sure.
func (b *batch) prepare() {
	for _, name := range b.names { // sorted: parents come first
		if !b.seen[name] && !b.within(name) {
			b.compare(name)
		}
	}
	if len(b.gone) > 0 {
		b.addYoung()
		b.matchDirs()
	}
	b.flatten()
	if len(b.oldLeaves) > 0 {
		b.matchFiles()
	}
	b.plan()
}

// within reports whether a folder above name is gone or come as a whole.
func (b *batch) within(name string) bool {
	for name != "." && len(b.roots) > 0 {
		name = path.Dir(name)
		if b.roots[name] {
			return true
		}
	}
	return false
}

func (b *batch) compare(name string) {
	was, is := b.o.told.Lookup(name), b.o.model.Lookup(name)
	isDir := func(n *memstore.Node) bool { return n != nil && n.Kind == memstore.KindDir }
	if isDir(was) && isDir(is) && !b.deep[name] {
		b.infos = append(b.infos, item{name: name, node: is})
		return
	}
	if isDir(was) {
		was = b.o.told.Subtree(name)
	}
	if isDir(is) {
		is = b.o.model.Subtree(name)
	}
	b.diff(name, was, is)
}

// diff compares two sides of a path; nil is a side that does not exist.
func (b *batch) diff(name string, was, is *memstore.Node) {
	b.seen[name] = true
	switch {
	case was == nil && is == nil:
	case was == nil:
		b.came = append(b.came, item{name: name, node: is})
		b.roots[name] = true
	case is == nil:
		b.gone = append(b.gone, item{name: name, node: was})
		b.roots[name] = true
	case was.Kind != is.Kind:
		b.gone = append(b.gone, item{name: name, node: was})
		b.came = append(b.came, item{name: name, node: is})
		b.roots[name], b.replaced[name] = true, true
	case was.Kind == memstore.KindDir && was.Problem != nil && len(was.Children) == 0:
		b.opened = append(b.opened, item{name: name, node: is})
	case was.Kind == memstore.KindDir:
		if was != is {
			b.infos = append(b.infos, item{name: name, node: is})
			b.diffChildren(name, was.Children, is.Children)
		}
	case b.due[name] || b.differs(name, was, is):
		b.changed = append(b.changed, pairing{name: name, was: was, is: is})
	}
}

func (b *batch) diffChildren(dir string, was, is []*memstore.Node) {
	for len(was) > 0 || len(is) > 0 {
		switch {
		case len(is) == 0 || len(was) > 0 && was[0].Name < is[0].Name:
			b.diff(join(dir, was[0].Name), was[0], nil)
			was = was[1:]
		case len(was) == 0 || is[0].Name < was[0].Name:
			b.diff(join(dir, is[0].Name), nil, is[0])
			is = is[1:]
		default:
			b.diff(join(dir, is[0].Name), was[0], is[0])
			was, is = was[1:], is[1:]
		}
	}
}

// differs reports whether the stamps leave any doubt that the content is the same.
func (b *batch) differs(name string, was, is *memstore.Node) bool {
	return was != is && !sameStat(&was.Info, &is.Info) || b.o.versions[b.beforeMoves(name)].racy(is.ModTime)
}

// addYoung lets a path that is gone be recognised in one that has come but has
// not settled.
func (b *batch) addYoung() {
	var names []string
	for name := range b.o.dirty {
		if b.o.told.Lookup(name) == nil && b.o.model.Lookup(name) != nil && !b.o.w.intents.covers(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if !b.roots[name] && !b.within(name) {
			b.came = append(b.came, item{name: name, node: b.o.model.Subtree(name), young: true})
			b.roots[name] = true
		}
	}
}

// matchDirs finds gone directories among those that have come. What is inside a moved
// directory is compared under its new name, which may add to gone and came.
func (b *batch) matchDirs() {
	b.cameDirs = make(map[memstore.FileID]item)
	for _, c := range b.came {
		b.collectDirs(c)
	}
	for i := 0; i < len(b.gone); i++ {
		if b.gone[i].node.Kind == memstore.KindDir {
			b.matchDir(b.gone[i])
		}
	}
}

func (b *batch) collectDirs(c item) {
	if c.node.Kind != memstore.KindDir || b.replaced[c.name] {
		return
	}
	if c.node.ID != (memstore.FileID{}) {
		b.cameDirs[c.node.ID] = c
	}
	for _, kid := range c.node.Children {
		b.collectDirs(item{join(c.name, kid.Name), kid, c.young})
	}
}

func (b *batch) matchDir(g item) {
	c, ok := b.cameDirs[g.node.ID]
	if ok && !b.claimedCame[c.name] && (b.renamed(g.name, c.name) || alike(g.node, c.node)) {
		b.claimedCame[c.name], b.claimedGone[g.name] = true, true
		b.dirMoves = append(b.dirMoves, move{from: g.name, to: c.name, node: c.node})
		b.diffChildren(c.name, g.node.Children, c.node.Children)
		return
	}
	for _, kid := range g.node.Children {
		if kid.Kind == memstore.KindDir {
			b.matchDir(item{name: join(g.name, kid.Name), node: kid})
		}
	}
}

// renamed reports whether events have shown that to was called from before, by one
// rename or several.
func (b *batch) renamed(from, to string) bool {
	for range 16 {
		name := b.from[to]
		if u := b.o.dirty[to]; u != nil && u.from != "" {
			name = u.from
		}
		if name == "" || name == from {
			return name != ""
		}
		to = name
	}
	return false
}

// alike guards against a number that was given to a new directory after the old
// one was deleted: an untouched stamp or a common entry shows that it is the same.
func alike(was, is *memstore.Node) bool {
	if was.ModTime.Equal(is.ModTime) {
		return true
	}
	for _, kid := range was.Children {
		if same := is.Child(kid.Name); same != nil && same.ID == kid.ID {
			return true
		}
	}
	return false
}

// flatten lists what is left of gone and came, leaf by leaf.
func (b *batch) flatten() {
	for _, g := range b.gone {
		if b.claimedGone[g.name] {
			continue
		}
		if g.node.Kind == memstore.KindDir {
			b.oldDirs = append(b.oldDirs, g)
		}
		b.flattenGone(g)
	}
	for _, c := range b.came {
		b.flattenCame(c)
	}
}

func (b *batch) flattenGone(g item) {
	if b.claimedGone[g.name] {
		return
	}
	if g.node.Kind != memstore.KindDir {
		b.oldLeaves = append(b.oldLeaves, g)
		return
	}
	for _, kid := range g.node.Children {
		b.flattenGone(item{name: join(g.name, kid.Name), node: kid})
	}
}

func (b *batch) flattenCame(c item) {
	if b.claimedCame[c.name] {
		return
	}
	if c.node.Kind == memstore.KindDir {
		if !c.young {
			b.newDirs = append(b.newDirs, c)
		}
		for _, kid := range c.node.Children {
			b.flattenCame(item{join(c.name, kid.Name), kid, c.young})
		}
		return
	}
	if c.young || b.o.dirty[c.name] != nil {
		c.young = true // still being written: its own time comes
	}
	b.newLeaves = append(b.newLeaves, pairing{name: c.name, is: c.node, reading: &reading{name: c.name, kind: c.node.Kind}})
	if c.young {
		b.newLeaves[len(b.newLeaves)-1].reading = nil
	}
}

// matchFiles finds gone files among those that have come.
func (b *batch) matchFiles() {
	byID := make(map[memstore.FileID]int)
	for i, n := range b.newLeaves {
		if n.is.ID != (memstore.FileID{}) && !b.belowReplaced(n.name) {
			byID[n.is.ID] = i
		}
	}
	b.oldLeaves = slices.DeleteFunc(b.oldLeaves, func(g item) bool {
		i, ok := byID[g.node.ID]
		if !ok || b.claimedCame[b.newLeaves[i].name] {
			return false
		}
		n := &b.newLeaves[i]
		stamped := sameStat(&g.node.Info, &n.is.Info)
		if g.node.Kind != n.is.Kind || !stamped && !b.renamed(g.name, n.name) {
			return false
		}
		m := move{from: g.name, to: n.name, node: n.is}
		known := b.beforeMoves(g.name)
		if n.reading != nil && (!stamped || b.o.versions[known].racy(n.is.ModTime)) {
			n.reading.before = b.o.versionOf(known, g.node)
			m.reading = n.reading
		}
		b.claimedCame[n.name] = true
		b.fileMoves = append(b.fileMoves, m)
		return true
	})
}

func (b *batch) belowReplaced(name string) bool {
	for len(b.replaced) > 0 {
		if b.replaced[name] {
			return true
		}
		if name == "." {
			break
		}
		name = path.Dir(name)
	}
	return false
}

// plan lists what must be read.
func (b *batch) plan() {
	b.newLeaves = slices.DeleteFunc(b.newLeaves, func(n pairing) bool {
		return n.reading == nil || b.claimedCame[n.name]
	})
	for _, n := range b.newLeaves {
		b.addRead(n.reading)
	}
	for _, m := range b.fileMoves {
		if m.reading != nil {
			b.addRead(m.reading)
		}
	}
	for i := range b.changed {
		c := &b.changed[i]
		c.reading = &reading{name: c.name, kind: c.is.Kind, before: b.o.versionOf(b.beforeMoves(c.name), c.was)}
		b.addRead(c.reading)
	}
}

func (b *batch) addRead(r *reading) {
	if r.kind == memstore.KindFile || r.kind == memstore.KindLink {
		b.reads = append(b.reads, r)
	}
}

// beforeMoves is the name under which the content of name is known until the
// moves of directories are told.
func (b *batch) beforeMoves(name string) string {
	for _, m := range slices.Backward(b.dirMoves) {
		if name == m.to || inside(name, m.to) {
			name = moved(name, m.to, m.from)
		}
	}
	return name
}
