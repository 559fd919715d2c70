package watch

import (
	"errors"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
)

// takeIntents tells the edits of our handlers that have ended.
func (o *owner) takeIntents() {
	for _, in := range o.w.intents.take() {
		if in.failed {
			for i := range in.parts {
				o.discard(&in.parts[i])
			}
		} else {
			o.tellOwn(in)
		}
		o.w.intents.forget(in)
		if o.gone != nil {
			continue
		}
		for i := range in.parts {
			// The old name first: its watches must end before the new one gets any.
			if p := &in.parts[i]; p.oldName != "" {
				o.touch(event{name: p.oldName})
			}
		}
		for _, name := range in.names {
			o.touch(event{name: name})
		}
	}
	o.settleAt = time.Now()
}

func (o *owner) discard(p *part) {
	o.w.spill.unref(p.before)
	if p.after != p.before {
		o.w.spill.unref(p.after)
	}
}

// tellOwn tells one edit, its files before its directories.
func (o *owner) tellOwn(in *intent) {
	slices.SortStableFunc(in.parts, func(x, y part) int {
		xDir, yDir := x.kind == memstore.KindDir, y.kind == memstore.KindDir
		switch {
		case !xDir && !yDir:
			return 0
		case !xDir:
			return -1
		case !yDir:
			return 1
		}
		return strings.Compare(y.name, x.name) // what is inside comes first
	})
	for i := range in.parts {
		p := &in.parts[i]
		switch {
		case p.oldName != "":
			o.ownRename(in, p)
		case p.after == nil && (p.before != nil || in.command == memstore.CmdDelete):
			o.ownDelete(in, p)
		default:
			o.ownWrite(in, p)
		}
	}
	if n := o.told.Lookup(in.target); in.target != "" && n != nil && n.Kind == memstore.KindDir {
		if _, err := o.backend.Lstat(in.target); errors.Is(err, memstore.ErrNotExist) {
			o.ownDelete(in, &part{kind: memstore.KindDir, name: in.target})
		}
	}
}

func (in *intent) change(p *part) Change {
	actor := in.origin.Actor
	if actor == "" {
		actor = memstore.Agent
	}
	return Change{Time: in.time, Actor: actor, Command: in.command, Kind: p.kind, Path: memstore.AgentPath(p.name)}
}

// catchUp makes what is told of name agree with what our handler found there:
// a difference is an edit by another program that was not told yet. Edits from the time before
// the first tree was complete prove nothing: that tree has them already.
func (o *owner) catchUp(in *intent, name string, p *part) {
	if in.early {
		if n := o.told.Lookup(name); n != nil && p.before != nil {
			o.setVersion(name, p.before)
		}
		return
	}
	o.clearWay(name, p.kind)
	n := o.told.Lookup(name)
	c := Change{Command: CmdCreate, Kind: p.kind, Path: memstore.AgentPath(name), After: p.before}
	switch {
	case p.before != nil && n != nil:
		c.Command, c.Before = CmdEdit, o.versionOf(name, n)
		differ := c.Before.size != p.before.size
		if c.Before.known() && p.before.known() {
			differ = c.Before.digest != p.before.digest
		}
		if !differ {
			break
		}
		fallthrough
	case n == nil:
		c.describe(differVersions(c.Before, c.After))
		o.tell(c)
	}
	if n == nil {
		info := memstore.Info{Kind: p.kind}
		if p.before != nil {
			info.Size = p.before.size
		}
		o.putTold(name, info)
	}
	if p.before != nil {
		o.setVersion(name, p.before)
	}
}

// clearWay tells that other programs took away what is told but cannot be there
// any more, when name is a path of this kind: a file in the place of a folder above it, or
// another kind in its own.
func (o *owner) clearWay(name string, kind memstore.Kind) {
	for i, c := range name {
		if c != '/' {
			continue
		}
		if n := o.told.Lookup(name[:i]); n == nil {
			return
		} else if n.Kind != memstore.KindDir {
			o.tellLost(name[:i])
			return
		}
	}
	if n := o.told.Lookup(name); n != nil && n.Kind != kind {
		o.tellLost(name)
	}
}

// tellLost tells that everything at name was deleted by another program.
func (o *owner) tellLost(name string) {
	n := o.told.Subtree(name)
	if n == nil {
		return
	}
	eachLeaf(name, n, o.tellDeleted)
	if n.Kind == memstore.KindDir {
		o.tellDeleted(name, n)
	}
}

// tellDeleted tells the deletion of one path: a file, a link, or a folder with
// nothing in it that is worth a change of its own.
func (o *owner) tellDeleted(name string, n *memstore.Node) {
	v := o.versionOf(name, n)
	c := Change{Command: CmdDelete, Kind: n.Kind, Path: memstore.AgentPath(name), Before: v}
	c.describe(differVersions(v, nil))
	o.tell(c)
	o.forget(name)
}

// ownWrite tells a create or an edit.
func (o *owner) ownWrite(in *intent, p *part) {
	if p.before != nil {
		o.catchUp(in, p.name, p)
	} else if !in.early {
		o.clearWay(p.name, p.kind)
		if p.kind != memstore.KindDir {
			o.tellLost(p.name)
		}
	}
	c := in.change(p)
	if p.kind == memstore.KindDir {
		c.Command = CmdCreate // a folder left behind by a command that failed
	}
	c.Before, c.After = p.before, p.after
	c.describe(differVersions(p.before, p.after))
	if p.before == nil || !same(p.before, p.after) {
		o.tell(c)
	}
	info, err := o.backend.Lstat(p.name)
	if err != nil || info.Kind != p.kind || p.after != nil && info.Size != p.after.size {
		// Changed once more since: without a stamp it will be compared.
		info = memstore.Info{Kind: p.kind}
		if p.after != nil {
			info.Size = p.after.size
		}
	}
	o.putTold(p.name, info)
	o.setVersion(p.name, p.after)
}

func (o *owner) ownDelete(in *intent, p *part) {
	o.catchUp(in, p.name, p)
	c := in.change(p)
	if c.Before = p.before; c.Before == nil {
		if n := o.told.Lookup(p.name); n != nil {
			c.Before = o.versionOf(p.name, n)
		}
	}
	c.describe(differVersions(c.Before, nil))
	o.tell(c)
	o.forget(p.name)
}

func (o *owner) ownRename(in *intent, p *part) {
	if p.after != p.before {
		o.w.spill.unref(p.after) // a rename has the same bytes on both sides
	}
	o.catchUp(in, p.oldName, p)
	c := in.change(p)
	c.OldPath = memstore.AgentPath(p.oldName)
	n := o.told.Lookup(p.oldName)
	if !in.early {
		o.clearWay(p.name, p.kind)
		o.tellLost(p.name)
	} else if n == nil {
		n = o.told.Lookup(p.name)
	}
	if c.Before = p.before; c.Before == nil && n != nil {
		c.Before = o.versionOf(p.oldName, n)
	}
	c.After = c.Before
	o.tell(c)
	o.moveTold(p.oldName, p.name)
}
