package journal

import (
	"fmt"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/past"
)

// others records what other programs did, in the transaction of a writer.
type others struct {
	w *tableWriter
	maker
	note past.Note
	// name and title are those of a group that all of it belongs to; "" for none.
	name, title string
	made        int // revisions
}

// record makes the revision of a change.
func (o *others) record(c change) error {
	m := o.maker
	m.actor, m.command, c.note = memstore.External, commandOf(c.shape), o.note
	if err := o.w.countStored(&c); err != nil {
		return err
	}
	rev, err := o.w.record(&m, &c)
	if err != nil {
		return err
	}
	if o.made++; o.name == "" || o.group != 0 {
		return nil
	}
	o.group = rev
	if err := o.w.Do("INSERT INTO grp (name, id, title) VALUES (?, ?, ?)", fmt.Sprint(o.name, " ", rev), rev, o.title); err != nil {
		return err
	}
	return o.w.Do("UPDATE revision SET grp = ? WHERE rev = ?", rev, rev)
}

// openWay records that anything above name that is not a folder is gone: folders were found there.
func (o *others) openWay(name string) error {
	for _, dir := range pathname.Parents(name) {
		e, err := o.w.entries.current(dir)
		if err != nil {
			return err
		}
		if e != nil && e.kind != memstore.KindDir {
			return o.lose(e)
		}
	}
	return nil
}

// clearWay records that nothing is at the new name of a rename.
func (o *others) clearWay(name string) error {
	if err := o.openWay(name); err != nil {
		return err
	}
	e, err := o.w.entries.current(name)
	if err != nil || e == nil {
		return err
	}
	return o.lose(e)
}

// lose records the removal of what is known at a name, with everything below.
func (o *others) lose(e *entry) error {
	if e.kind == memstore.KindDir {
		if err := o.loseBelow(e.name, nil); err != nil {
			return err
		}
	}
	return o.loseOne(e)
}

// loseBelow records the removal of what is known below a folder, but for the names to keep.
func (o *others) loseBelow(name string, keep map[string]bool) error {
	list, err := o.w.entries.below(name)
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(list) { // what a folder holds before the folder
		if keep[e.name] {
			continue
		}
		if err := o.loseOne(e); err != nil {
			return err
		}
	}
	return nil
}

func (o *others) loseOne(e *entry) error {
	return o.record(change{kind: e.kind, shape: past.Removed, name: e.name, before: e.blob, beforeMode: e.mode, hasMode: e.hasMode,
		beforeTime: e.modTime()})
}

// catchUp makes the journal agree with what one of our own edits found on disk: a
// difference is an edit by another program that was not noticed. own are the names that earlier changes of the same edit are about.
func (w *tableWriter) catchUp(m *maker, c *change, own map[string]bool) error {
	if c.kind == memstore.KindOther {
		return nil
	}
	o := &others{w: w, maker: maker{time: m.time, process: m.process}, note: past.NoteUnseen}
	name := c.name
	if c.shape == past.Renamed {
		name = c.oldName
	}
	if c.shape == past.Renamed && !own[c.name] {
		if err := o.clearWay(c.name); err != nil {
			return err
		}
	}
	if own[name] {
		return nil
	}
	if err := o.openWay(name); err != nil {
		return err
	}
	e, err := w.entries.current(name)
	if err != nil {
		return err
	}
	if e != nil && e.kind == memstore.KindDir && c.kind != memstore.KindDir {
		if err := o.lose(e); err != nil {
			return err
		}
		e = nil
	}
	if c.shape == past.Removed && c.kind == memstore.KindDir && e != nil {
		if err := o.loseBelow(name, own); err != nil {
			return err
		}
	}
	found := change{name: name, kind: c.kind, after: c.before}
	switch {
	case c.shape == past.Made:
		if e == nil || e.kind != c.kind || e.blob == 0 {
			return nil // anything but a file is replaced by the revision itself
		}
		found.shape, found.before, found.after = past.Removed, e.blob, 0
	case e == nil:
		early, err := w.beforeBaseline(name)
		if err != nil {
			return err
		}
		size, err := w.blobs.SizeOf(c.before)
		if err != nil {
			return err
		}
		if early {
			if err := w.entries.ensureParents(name, 0); err != nil {
				return err
			}
			return w.entries.begin(name, 0, state{kind: c.kind, blob: c.before, size: size, life: life{born: m.time, changed: c.beforeTime}})
		}
		found.shape, found.size = past.Made, size
	case e.blob == c.before || c.before == 0 || c.kind == memstore.KindDir:
		return nil
	case e.blob == 0 && e.kind == c.kind:
		return w.Do("UPDATE entry SET blob = ? WHERE id = ?", c.before, e.row)
	default:
		found.shape, found.before = past.Edited, e.blob
		if found.size, err = w.blobs.SizeOf(c.before); err != nil {
			return err
		}
	}
	if e != nil {
		found.beforeMode, found.hasMode, found.beforeTime = e.mode, e.hasMode, e.modTime()
	}
	return o.record(found)
}

// cmdEdit is the command of a file that another program changed: no command of the memory tool says as little.
const cmdEdit = "edit"

func commandOf(s past.Shape) string {
	switch s {
	case past.Made:
		return memstore.CmdCreate
	case past.Removed:
		return memstore.CmdDelete
	case past.Renamed:
		return memstore.CmdRename
	}
	return cmdEdit
}
