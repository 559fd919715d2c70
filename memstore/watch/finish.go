package watch

import (
	"slices"
	"strings"

	"memcurator/memstore"
)

// finish tells what a batch has found, in an order in which the changes can be
// applied one by one: moves, deletions, new paths, edits.
func (o *owner) finish(b *batch) {
	b.withdraw()
	if len(b.oldLeaves)+len(b.oldDirs)+len(b.dirMoves) > 0 && !o.rootThere() {
		b.release() // nothing that is missing is told when everything is missing
		return
	}
	for _, i := range b.infos {
		if n := o.told.Lookup(i.name); n != nil && n.Kind == memstore.KindDir {
			o.told.Put(i.name, i.node.Info)
			o.told.SetProblem(i.name, i.node.Problem)
		}
	}
	for _, i := range b.opened {
		o.open(i.name, i.node)
	}
	b.matchContents()
	b.tellMoves()
	b.tellGone()
	b.tellCame()
	for _, c := range b.changed {
		o.tellEdit(c.name, c.is, c.reading)
	}
}

// open takes over what is in a directory that could never be read before,
// without a change: nobody has made it just now.
func (o *owner) open(name string, is *memstore.Node) {
	if n := o.told.Lookup(name); n == nil || n.Kind != memstore.KindDir {
		return
	}
	o.told.Attach(name, is)
	eachLeaf(name, is, func(at string, leaf *memstore.Node) {
		if leaf.Kind == memstore.KindFile {
			o.base.add(at)
		}
	})
}

// withdraw takes out what an edit of ours, begun meanwhile, is about: it is told first.
func (b *batch) withdraw() {
	if b.o.w.intents.idle() {
		return
	}
	b.newLeaves = slices.DeleteFunc(b.newLeaves, func(n pairing) bool { return b.covered(n.reading, n.name) })
	b.changed = slices.DeleteFunc(b.changed, func(c pairing) bool { return b.covered(c.reading, c.name) })
	b.fileMoves = slices.DeleteFunc(b.fileMoves, func(m move) bool { return b.covered(m.reading, m.from, m.to) })
	b.dirMoves = slices.DeleteFunc(b.dirMoves, func(m move) bool { return b.covered(nil, m.from, m.to) })
	b.newDirs = slices.DeleteFunc(b.newDirs, func(c item) bool {
		if b.o.w.intents.holds(c.name) {
			b.o.postpone(c.name, b.from[c.name])
			return true
		}
		return b.covered(nil, c.name)
	})
	b.oldLeaves = slices.DeleteFunc(b.oldLeaves, func(g item) bool {
		if !b.covered(nil, g.name) {
			return false
		}
		// A folder is not told as deleted before all of its files are.
		b.oldDirs = slices.DeleteFunc(b.oldDirs, func(d item) bool {
			if !inside(g.name, d.name) {
				return false
			}
			b.o.postpone(d.name, b.from[d.name])
			return true
		})
		return true
	})
	b.oldDirs = slices.DeleteFunc(b.oldDirs, func(g item) bool { return b.covered(nil, g.name) })
}

// covered reports whether one of names belongs to an edit of ours; then all are
// looked at again later, and what was read is given back.
func (b *batch) covered(r *reading, names ...string) bool {
	if !slices.ContainsFunc(names, b.o.w.intents.covers) {
		return false
	}
	for _, name := range names {
		b.o.postpone(name, b.from[name])
	}
	b.giveBack(r)
	return true
}

func (b *batch) giveBack(r *reading) {
	if r != nil {
		b.o.w.spill.unref(r.version)
		r.version = nil
	}
}

// release gives back all that was read; everything is compared again later.
func (b *batch) release() {
	for _, r := range b.reads {
		b.giveBack(r)
	}
	for _, name := range b.names {
		b.o.postpone(name, b.from[name])
	}
}

// matchContents finds gone files among new ones with the same bytes: a move by
// copying and deleting.
func (b *batch) matchContents() {
	if len(b.oldLeaves) == 0 || len(b.newLeaves) == 0 {
		return
	}
	byDigest := make(map[memstore.Digest]int)
	for i, n := range slices.Backward(b.newLeaves) {
		if v := n.reading.version; v != nil && v.known() && v.size > 0 && !b.belowReplaced(n.name) {
			byDigest[v.digest] = i
		}
	}
	b.oldLeaves = slices.DeleteFunc(b.oldLeaves, func(g item) bool {
		v := b.o.versions[b.beforeMoves(g.name)]
		if v == nil || !v.known() {
			return false
		}
		i, ok := byDigest[v.digest]
		if !ok || g.node.Kind != b.newLeaves[i].is.Kind {
			return false
		}
		delete(byDigest, v.digest)
		n := &b.newLeaves[i]
		b.fileMoves = append(b.fileMoves, move{from: g.name, to: n.name, node: n.is, reading: n.reading})
		b.claimedCame[n.name] = true
		return true
	})
	b.newLeaves = slices.DeleteFunc(b.newLeaves, func(n pairing) bool { return b.claimedCame[n.name] })
}

func (b *batch) tellMoves() {
	for _, m := range orderMoves(b.dirMoves) {
		b.tellMove(m)
	}
	for _, m := range b.fileMoves {
		if b.tellMove(m) && m.reading != nil {
			b.o.tellEdit(m.to, m.node, m.reading)
		}
	}
}

func (b *batch) tellMove(m move) bool {
	o := b.o
	n := o.told.Lookup(m.from)
	if n == nil || o.told.Lookup(m.to) != nil {
		o.postpone(m.from, "")
		o.postpone(m.to, m.from)
		b.giveBack(m.reading)
		return false
	}
	v := o.versionOf(m.from, n)
	o.clearWay(m.to, m.node.Kind)
	o.tell(Change{
		Command: CmdRename, Kind: m.node.Kind, Path: memstore.AgentPath(m.to), OldPath: memstore.AgentPath(m.from), Before: v, After: v,
	})
	o.moveTold(m.from, m.to)
	o.told.Put(m.to, m.node.Info)
	return true
}

// orderMoves puts the move of a folder before the moves into it and out of it.
func orderMoves(moves []move) []move {
	ordered := make([]move, 0, len(moves))
	done := make([]bool, len(moves))
	var visit func(i int)
	visit = func(i int) {
		if done[i] {
			return
		}
		done[i] = true
		for k := range moves {
			if k != i && (inside(moves[i].to, moves[k].to) || inside(moves[i].from, moves[k].to)) {
				visit(k)
			}
		}
		ordered = append(ordered, moves[i])
	}
	for i := range moves {
		visit(i)
	}
	return ordered
}

func (b *batch) tellGone() {
	o := b.o
	for _, g := range b.oldLeaves {
		if n := o.told.Lookup(g.name); n != nil {
			o.tellDeleted(g.name, n)
		}
	}
	for _, d := range b.oldDirs {
		if n := o.told.Lookup(d.name); n != nil {
			o.tellDeleted(d.name, n)
		}
	}
}

// tellCame tells new files, and new directories only where no file implies them.
func (b *batch) tellCame() {
	o := b.o
	for _, n := range b.newLeaves {
		r := n.reading
		if r.version == nil && n.is.Kind != memstore.KindOther {
			o.touch(event{name: n.name}) // gone or replaced while it was read
			continue
		}
		o.clearWay(n.name, n.is.Kind)
		c := Change{Command: CmdCreate, Kind: n.is.Kind, Path: memstore.AgentPath(n.name), After: r.version}
		c.describe(r.difference)
		o.tell(c)
		info := n.is.Info
		if r.version != nil {
			info = r.version.stat
		}
		o.putTold(n.name, info)
		o.setVersion(n.name, r.version)
	}
	slices.SortFunc(b.newDirs, func(x, y item) int { return strings.Compare(y.name, x.name) })
	for _, d := range b.newDirs {
		if n := o.model.Lookup(d.name); n == nil || n.Kind != memstore.KindDir || o.told.Lookup(d.name) != nil {
			continue
		}
		o.clearWay(d.name, memstore.KindDir)
		o.tell(Change{Command: CmdCreate, Kind: memstore.KindDir, Path: memstore.AgentPath(d.name)})
		o.putTold(d.name, d.node.Info)
		o.told.SetProblem(d.name, d.node.Problem)
	}
}

// tellEdit tells that a path has other bytes than were told, if it has.
func (o *owner) tellEdit(name string, is *memstore.Node, r *reading) {
	was := o.told.Lookup(name)
	switch {
	case was == nil || was.Kind != is.Kind:
		o.w.spill.unref(r.version)
		o.postpone(name, "")
		return
	case is.Kind == memstore.KindOther:
		o.told.Put(name, is.Info)
		return
	case r.version == nil:
		o.touch(event{name: name}) // gone or replaced while it was read
		return
	}
	known, v := o.versionOf(name, was), r.version
	equal := same(known, v)
	if !known.known() || !v.known() {
		equal = was.Size == v.size && was.ModTime.Equal(v.stat.ModTime)
	}
	if !equal {
		c := Change{Command: CmdEdit, Kind: is.Kind, Path: memstore.AgentPath(name), Before: known, After: v}
		c.describe(r.difference)
		o.tell(c)
	}
	o.told.Put(name, v.stat)
	o.setVersion(name, v)
}
