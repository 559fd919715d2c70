package journal

import (
	"bytes"
	"io/fs"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
	"memcurator/render/diff"
)

// roleOf is the role of an edit: a redo restores what an undo removed.
func roleOf(o memstore.Origin) schema.Role {
	switch {
	case o.Redoable:
		return schema.RoleUndo
	case o.As == "redo":
		return schema.RoleRedo
	}
	return schema.RoleDo
}

// change is one difference on its way into the database.
type change struct {
	rev           int64 // of one that is open
	kind          memstore.Kind
	shape         past.Shape
	name, oldName string // oldName: of a rename only
	before, after int64  // blobs, 0 for none
	size          int64  // of after
	beforeMode    fs.FileMode
	hasMode       bool      // beforeMode is known
	beforeTime    time.Time // modification time of before; zero: unknown
	undoes        int64     // the revision that this one undoes
	added         int
	removed       int
	note          past.Note
	grown         bool   // a file of which no text is kept has become longer: a log, with nothing to review
	stamp         stamp  // of after
	text          []byte // after, where it is in memory; nil: it is read from the database
}

// maker is the author of changes, and their time.
type maker struct {
	time    time.Time
	actor   memstore.Actor
	command string
	session string
	model   string
	tool    string
	process string
	role    schema.Role
	group   int64 // 0: none yet
}

// countLimit is the largest text, in bytes, whose lines are compared for the counts of a revision.
const countLimit = 1 << 20

// count compares two texts; nil sides have no lines. Of large texts only what was appended is counted.
func count(before, after []byte) (added, removed int) {
	if max(len(before), len(after)) > countLimit && bytes.HasPrefix(after, before) && bytes.HasSuffix(before, []byte{'\n'}) {
		tail := after[len(before):]
		added = bytes.Count(tail, []byte{'\n'})
		if len(tail) > 0 && tail[len(tail)-1] != '\n' {
			added++
		}
		return added, 0
	}
	if len(before) > countLimit || len(after) > countLimit || bytes.IndexByte(before, 0) >= 0 || bytes.IndexByte(after, 0) >= 0 {
		return 0, 0
	}
	added, removed, _ = diff.Counts(before, after)
	return added, removed
}

// record makes one revision and brings the entries up to it.
func (w *tableWriter) record(m *maker, c *change) (rev int64, err error) {
	rev, err = w.insert(m, c, "")
	if err == nil {
		err = w.closed(m, c, rev)
	}
	return rev, err
}

// finish closes an open revision.
func (w *tableWriter) finish(m *maker, c *change) error {
	mode, mtime := c.stamp.after()
	if err := w.Do("UPDATE revision SET open = NULL, after_mode = ?, after_mtime = ?, note = coalesce(?, note) WHERE rev = ?", mode, mtime,
		schema.Text(string(c.note)), c.rev); err != nil {
		return err
	}
	return w.closed(m, c, c.rev)
}

// closed brings everything else up to a revision that is not open, or no more.
func (w *tableWriter) closed(m *maker, c *change, rev int64) error {
	w.rings = true
	if err := w.markUndone(c.undoes, rev); err != nil {
		return err
	}
	return w.follow(m, c, rev)
}

// insert inserts a revision, which is open unless open is "".
func (w *tableWriter) insert(m *maker, c *change, open string) (rev int64, err error) {
	path, err := w.pathID(c.name)
	if err != nil {
		return 0, err
	}
	var old, oldMode any
	if c.oldName != "" {
		id, err := w.pathID(c.oldName)
		if err != nil {
			return 0, err
		}
		old = id
	}
	if c.hasMode {
		oldMode = int64(c.beforeMode)
	}
	mode, mtime := c.stamp.after()
	unread := m.actor != memstore.Curator && m.actor != memstore.Replay && !c.grown // the user asks for what a replay writes
	return w.Insert(`INSERT INTO revision (open, time, actor, command, kind, shape, path, old_path, before, after, before_mode, after_mode,
		before_mtime, after_mtime, added, removed, session, model, tool, process, grp, unread, note, role, undoes)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		schema.Text(open), m.time.UnixNano(), string(m.actor), m.command, int64(c.kind), int(c.shape), path, old,
		schema.Optional(c.before), schema.Optional(c.after), oldMode, mode,
		schema.Nanos(c.beforeTime), mtime,
		c.added, c.removed, schema.Text(m.session), schema.Text(m.model), schema.Text(m.tool), schema.Text(m.process),
		schema.Optional(m.group), unread,
		schema.Text(string(c.note)), int(m.role), schema.Optional(c.undoes))
}

// follow brings the entries up to a revision.
func (w *tableWriter) follow(m *maker, c *change, rev int64) error {
	switch {
	case c.shape == past.Renamed:
		if err := w.entries.move(m, c, rev); err != nil {
			return err
		}
		if c.stamp.known() {
			return w.entries.restamp(c.name, c.after, c.stamp)
		}
		return nil
	case c.shape == past.Removed:
		return w.entries.clear(c.name, rev)
	}
	if err := w.entries.ensureParents(c.name, rev); err != nil {
		return err
	}
	e, err := w.entries.current(c.name)
	if err != nil {
		return err
	}
	if e != nil && e.kind == memstore.KindDir && c.kind == memstore.KindDir {
		return nil
	}
	s := state{kind: c.kind, blob: c.after, size: c.size, stamp: c.stamp}
	if s.life, err = w.entries.lifeAfter(m, c, e); err != nil {
		return err
	}
	if e != nil {
		if err := w.entries.clearEntry(c.name, e, rev); err != nil {
			return err
		}
	}
	if err := w.entries.begin(c.name, rev, s); err != nil || c.stamp.known() || e == nil || !e.hasMode {
		return err
	}
	// An edit keeps the mode; its result was checked too late.
	return w.Do("UPDATE entry SET mode = ? WHERE path = ? AND last IS NULL", int64(e.mode), e.path)
}

// markUndone records that another revision undid target. What target had undone is in force again, what that had undone is undone
// again, and so on: a chain of undos changes sides as a whole.
func (w *tableWriter) markUndone(target, by int64) error {
	if target == 0 {
		return nil
	}
	w.flag()
	if err := w.Do("UPDATE revision SET undone_by = ? WHERE rev = ?", by, target); err != nil {
		return err
	}
	for n := 0; ; n++ {
		next, err := w.undoes(target)
		if err != nil || next == 0 {
			return err
		}
		switch {
		case n == 0:
			err = w.Do("UPDATE revision SET undone_by = NULL WHERE rev = ?", next)
		case n%2 == 0: // another one may have undone it meanwhile
			err = w.Do("UPDATE revision SET undone_by = NULL WHERE rev = ? AND undone_by = ?", next, target)
		default: // target is in force again
			err = w.Do("UPDATE revision SET undone_by = coalesce(undone_by, ?) WHERE rev = ?", target, next)
		}
		if err != nil {
			return err
		}
		target = next
	}
}

// undoes is the revision that another one undoes; 0: none. It is always an earlier one.
func (w *tableWriter) undoes(rev int64) (undoes int64, err error) {
	_, err = w.Row("SELECT undoes FROM revision WHERE rev = ? AND undoes < rev", []any{rev}, &undoes)
	return undoes, err
}
