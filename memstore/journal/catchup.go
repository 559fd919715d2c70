package journal

import (
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// catchUp makes the journal agree with what one of our own edits found on disk: a
// difference is an edit by another program that was not noticed.
func (w *tableWriter) catchUp(m *maker, c *change) error {
	if c.kind == memstore.KindOther {
		return nil
	}
	name := c.name
	if c.shape == past.Renamed {
		name = c.oldName
	}
	if err := w.openWay(m, name); err != nil {
		return err
	}
	if c.shape == past.Renamed {
		if err := w.clearWay(m, c.name); err != nil {
			return err
		}
	}
	e, err := w.entries.current(name)
	if err != nil {
		return err
	}
	if e != nil && e.kind == memstore.KindDir && c.kind != memstore.KindDir {
		if err := w.lose(m, name, e); err != nil {
			return err
		}
		e = nil
	}
	if c.shape == past.Removed && c.kind == memstore.KindDir && e != nil {
		if _, err := w.loseBelow(m, name); err != nil {
			return err
		}
	}
	found := change{name: name, kind: c.kind, after: c.before, note: past.NoteUnseen}
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
		return w.Do("UPDATE entry SET blob = ? WHERE id = ?", c.before, e.id)
	default:
		found.shape, found.before = past.Edited, e.blob
		if found.size, err = w.blobs.SizeOf(c.before); err != nil {
			return err
		}
	}
	if e != nil {
		found.beforeMode, found.hasMode, found.beforeTime = e.mode, e.hasMode, e.modTime
	}
	if err := w.countStored(&found); err != nil {
		return err
	}
	_, err = w.record(&maker{time: m.time, actor: memstore.External, command: commandOf(found.shape),
		process: m.process}, &found)
	return err
}

// openWay records that anything above name that is not a folder is gone: one of our own edits found folders there.
func (w *tableWriter) openWay(m *maker, name string) error {
	for _, dir := range pathname.Parents(name) {
		e, err := w.entries.current(dir)
		if err != nil {
			return err
		}
		if e != nil && e.kind != memstore.KindDir {
			return w.lose(m, dir, e)
		}
	}
	return nil
}

// clearWay records that nothing is at the new name of a rename.
func (w *tableWriter) clearWay(m *maker, name string) error {
	if err := w.openWay(m, name); err != nil {
		return err
	}
	e, err := w.entries.current(name)
	if err != nil || e == nil {
		return err
	}
	return w.lose(m, name, e)
}

// lose records that another program has removed what is known at name, with everything below.
func (w *tableWriter) lose(m *maker, name string, e *entry) error {
	if e.kind == memstore.KindDir {
		if _, err := w.loseBelow(m, name); err != nil {
			return err
		}
	}
	return w.loseOne(m, named{name, *e})
}

// loseBelow records that what is known below a folder was removed by another program.
func (w *tableWriter) loseBelow(m *maker, name string) (lost int, err error) {
	list, err := w.entries.below(name)
	if err != nil {
		return 0, err
	}
	for _, n := range slices.Backward(list) { // what a folder holds before the folder
		if err := w.loseOne(m, n); err != nil {
			return lost, err
		}
		lost++
	}
	return lost, nil
}

func (w *tableWriter) loseOne(m *maker, n named) error {
	c := change{kind: n.kind, shape: past.Removed, name: n.name, before: n.blob, beforeMode: n.mode, hasMode: n.hasMode,
		beforeTime: n.modTime, note: past.NoteUnseen}
	if err := w.countStored(&c); err != nil {
		return err
	}
	_, err := w.record(&maker{time: m.time, actor: memstore.External, command: commandOf(past.Removed), process: m.process}, &c)
	return err
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

// beforeBaseline reports whether what is at name may have been there when the journal began:
// its beginning is not listed yet, and nothing was ever at name.
func (w *tableWriter) beforeBaseline(name string) (bool, error) {
	if done, err := w.Row("SELECT 1 FROM meta WHERE key IN ('baseline', ?)", []any{schema.MetaListed}, new(int)); err != nil || done {
		return false, err
	}
	ever, err := w.Row("SELECT 1 FROM entry e JOIN path p ON p.id = e.path WHERE p.name = ? LIMIT 1", []any{name}, new(int))
	return !ever, err
}
