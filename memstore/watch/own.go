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
				o.touch(p.oldName, 0)
			}
		}
		for _, name := range in.names {
			o.touch(name, 0)
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
	return Change{Time: in.time, Actor: actor, Command: in.command, Kind: p.kind, Path: agentPath(p.name)}
}

// catchUp makes what is told of name agree with what our handler found there:
// a difference is an edit by another program that was not told yet.
func (o *owner) catchUp(in *intent, name string, p *part) {
	n := o.told.Lookup(name)
	if p.before == nil {
		if n != nil && !in.early && p.kind == memstore.KindFile {
			v := o.versionOf(name, n)
			o.tell(Change{Command: CmdDelete, Kind: n.Kind, Path: agentPath(name), Before: v})
			o.forget(name)
		}
		return
	}
	info := memstore.Info{Kind: memstore.KindFile, Size: p.before.size}
	switch {
	case in.early:
	case n == nil || n.Kind != memstore.KindFile:
		c := Change{Command: CmdCreate, Kind: memstore.KindFile, Path: agentPath(name), After: p.before}
		c.Added, _ = count(nil, p.before)
		o.tell(c)
	default:
		known := o.versionOf(name, n)
		differ := known.size != p.before.size
		if known.known() && p.before.known() {
			differ = known.digest != p.before.digest
		}
		if differ {
			c := Change{Command: CmdEdit, Kind: memstore.KindFile, Path: agentPath(name), Before: known, After: p.before}
			c.Added, c.Removed = count(known, p.before)
			o.tell(c)
		}
	}
	if n == nil || n.Kind != memstore.KindFile {
		o.putTold(name, info)
	}
	o.setVersion(name, p.before)
}

// ownWrite tells a create or an edit.
func (o *owner) ownWrite(in *intent, p *part) {
	o.catchUp(in, p.name, p)
	c := in.change(p)
	c.Before, c.After = p.before, p.after
	c.Added, c.Removed = count(p.before, p.after)
	if p.before == nil || !same(p.before, p.after) {
		o.tell(c)
	}
	info, err := o.backend.Stat(p.name) // through a link: the bytes are its target's
	if own, err := o.backend.Lstat(p.name); err == nil && own.Kind != p.kind {
		info = own
	}
	if err != nil || info.Kind != p.kind || p.after != nil && info.Size != p.after.size {
		info = memstore.Info{Kind: p.kind}
		if p.after != nil {
			info.Size = p.after.size
		}
	}
	o.putTold(p.name, info)
	o.setVersion(p.name, p.after)
}

func (o *owner) ownDelete(in *intent, p *part) {
	if p.before != nil {
		o.catchUp(in, p.name, p)
	}
	c := in.change(p)
	if c.Before = p.before; c.Before == nil {
		if n := o.told.Lookup(p.name); n != nil {
			c.Before = o.versionOf(p.name, n)
		}
	}
	_, c.Removed = count(c.Before, nil)
	o.tell(c)
	o.forget(p.name)
}

func (o *owner) ownRename(in *intent, p *part) {
	if p.after != p.before {
		o.w.spill.unref(p.after) // a rename has the same bytes on both sides
	}
	if p.before != nil {
		o.catchUp(in, p.oldName, p)
	}
	if n := o.told.Lookup(p.name); n != nil && !in.early {
		o.tell(Change{Command: CmdDelete, Kind: n.Kind, Path: agentPath(p.name), Before: o.versionOf(p.name, n)})
		o.forget(p.name)
	}
	c := in.change(p)
	c.OldPath = agentPath(p.oldName)
	if n := o.told.Lookup(p.oldName); n != nil {
		c.Before = o.versionOf(p.oldName, n)
	} else if c.Before = p.before; c.Before == nil && in.early {
		if n := o.told.Lookup(p.name); n != nil {
			c.Before = o.versionOf(p.name, n)
		}
	}
	c.After = c.Before
	o.tell(c)
	o.moveTold(p.oldName, p.name)
}
