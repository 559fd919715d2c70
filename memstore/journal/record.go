package journal

import (
	"bytes"
	"io/fs"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
)

// change is one difference on its way into the database.
type change struct {
	rev           int64 // of one that is open
	kind          memstore.Kind
	shape         past.Shape
	name, oldName string      // oldName: of a rename only
	before, after int64       // blobs, 0 for none
	size          int64       // of after
	beforeMode    fs.FileMode // 0: unknown
	beforeTime    time.Time   // modification time of before; zero: unknown
	undoes        int64       // the revision that this one undoes
	added         int
	removed       int
	note          past.Note
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
	group   int64 // 0: none yet
}

// countLimit is the largest text, in bytes, whose lines are compared for the counts of a revision.
const countLimit = 1 << 20

// count compares two texts; nil sides have no lines. Both are 0 if they are large or no text.
func count(before, after []byte) (added, removed int) {
	if len(before) > countLimit || len(after) > countLimit || bytes.IndexByte(before, 0) >= 0 || bytes.IndexByte(after, 0) >= 0 {
		return 0, 0
	}
	added, removed, _ = diff.Counts(before, after)
	return added, removed
}

// record makes one revision and brings the files up to it.
func (w *writer) record(m *maker, c *change) (rev int64) {
	c.rev = w.insert(m, c, false)
	w.apply(m, c)
	return c.rev
}

// finish closes an open revision.
func (w *writer) finish(m *maker, c *change) {
	mode, mtime := c.stamp.after()
	w.do("UPDATE revision SET open = NULL, after_mode = ?, after_mtime = ?, note = coalesce(?, note) WHERE rev = ?", mode, mtime,
		null(string(c.note)), c.rev)
	w.apply(m, c)
}

// apply brings everything else up to a revision that is not open, or no more.
func (w *writer) apply(m *maker, c *change) {
	w.markUndone(c.undoes, c.rev)
	if c.shape == past.Removed {
		w.removeFiles(c.name)
		return
	}
	if c.shape != past.Edited {
		w.makeFolders(c.name)
	}
	if c.shape == past.Renamed {
		if w.moveFiles(m, c); c.stamp.known() {
			w.restamp(c.name, c.after, c.stamp)
		}
		return
	}
	before := w.file(c.name)
	if before != nil && before.kind == memstore.KindDir && c.kind == memstore.KindDir {
		return
	}
	now := &file{name: c.name, kind: c.kind, blob: c.after, size: c.size, stamp: c.stamp}
	if before != nil && before.kind == c.kind {
		now.life = before.life
		if !c.stamp.known() { // an edit keeps the mode; its result was checked too late
			now.mode = before.mode
		}
	}
	if c.kind != memstore.KindDir {
		if now.life.born.IsZero() {
			now.life.born = m.time
			w.do("DELETE FROM access WHERE path = ?", c.name)
		}
		now.life.change(m, c)
	}
	w.putFile(now)
}

// insert inserts a revision.
func (w *writer) insert(m *maker, c *change, open bool) (rev int64) {
	made := 0
	if c.shape == past.Made || c.shape == past.Renamed {
		made = len(w.missingFolders(c.name))
	}
	mode, mtime := c.stamp.after()
	unread := m.actor != memstore.Curator && m.actor != memstore.Replay // the user asks for what a replay writes
	return w.insertRow(`INSERT INTO revision (open, time, actor, command, kind, shape, path, old_path, made, before, after, before_mode,
		after_mode, before_mtime, after_mtime, added, removed, session, model, tool, process, grp, unread, note, undoes)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		null(open), m.time.UnixNano(), string(m.actor), m.command, int64(c.kind), int(c.shape), c.name, null(c.oldName), made,
		null(c.before), null(c.after), null(int64(c.beforeMode)), mode, nanos(c.beforeTime), mtime, c.added, c.removed, null(m.session), null(m.model),
		null(m.tool), null(m.process), null(m.group), unread, null(string(c.note)), null(c.undoes))
}

// markUndone records that another revision undid target. What target had undone is in force again, what that had undone is undone
// again, and so on: a chain of undos changes sides as a whole.
func (w *writer) markUndone(target, by int64) {
	if target == 0 {
		return
	}
	w.flag()
	w.do("UPDATE revision SET undone_by = ? WHERE rev = ?", by, target)
	for n := 0; ; n++ {
		var next int64 // target undoes it, so it is an earlier one
		if w.row("SELECT undoes FROM revision WHERE rev = ? AND undoes < rev", []any{target}, &next); next == 0 {
			return
		}
		switch {
		case n == 0:
			w.do("UPDATE revision SET undone_by = NULL WHERE rev = ?", next)
		case n%2 == 0: // another one may have undone it meanwhile
			w.do("UPDATE revision SET undone_by = NULL WHERE rev = ? AND undone_by = ?", next, target)
		default: // target is in force again
			w.do("UPDATE revision SET undone_by = coalesce(undone_by, ?) WHERE rev = ?", target, next)
		}
		target = next
	}
}
