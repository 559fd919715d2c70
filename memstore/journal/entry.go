package journal

import (
	"database/sql"
	"io/fs"
	"maps"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
)

// entry is what the journal takes to be at a path now.
type entry struct {
	name          string
	row, path     int64
	first         int64 // the revision since which it is there
	kind          memstore.Kind
	blob          int64 // 0: none, or never read
	size          int64
	mode          fs.FileMode
	hasMode       bool
	mtime         int64 // in nanoseconds since 1970; 0: unknown
	inode, device uint64
	seen          int64 // when it had this stamp; 0: it is unknown
	met           bool  // by a comparison
}

// currentEntries are the entries of what is there; scanEntry reads them.
const currentEntries = `SELECT p.name, e.id, e.path, e.first, e.kind, coalesce(e.blob, 0), e.size, e.mode, coalesce(e.mtime, 0),
	coalesce(e.inode, 0), coalesce(e.device, 0), coalesce(e.seen, 0) FROM path p JOIN entry e ON e.path = p.id AND e.last IS NULL WHERE true`

func scanEntry(scan func(into ...any) error) (*entry, error) {
	var e entry
	var mode sql.NullInt64
	var inode, device int64
	err := scan(&e.name, &e.row, &e.path, &e.first, &e.kind, &e.blob, &e.size, &mode, &e.mtime, &inode, &device, &e.seen)
	e.mode, e.hasMode = schema.ModeOf(mode)
	e.inode, e.device = uint64(inode), uint64(device)
	return &e, err
}

func (e *entry) id() memstore.FileID { return memstore.FileID{Device: e.device, Inode: e.inode} }

func (e *entry) modTime() time.Time { return schema.SomeTime(e.mtime) }

// fits reports whether the stamp proves that a path still has its known bytes.
func (e *entry) fits(i memstore.Info) bool {
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
func (e *entry) isStamped(i memstore.Info) bool {
	return (i.Kind == memstore.KindDir || e.size == i.Size) && e.mtime == i.ModTime.UnixNano() && e.id() == i.ID
}

// entries are the intervals of revisions during which something was at a path.
type entries struct{ w *tableWriter }

// current finds the entry at name; nil: nothing is there.
func (t *entries) current(name string) (e *entry, err error) {
	found, err := t.w.Scan(currentEntries+" AND p.name = ?", []any{name}, func(scan func(into ...any) error) (err error) {
		e, err = scanEntry(scan)
		return err
	})
	if !found {
		e = nil
	}
	return e, err
}

// stamp is what is known about a file without reading it. The zero value means nothing is known.
type stamp struct {
	mode    fs.FileMode
	modTime time.Time
	id      memstore.FileID
	seen    time.Time
}

func stampOf(i memstore.Info, seen time.Time) stamp {
	return stamp{mode: i.Mode.Perm(), modTime: i.ModTime, id: i.ID, seen: seen}
}

func (s stamp) known() bool { return !s.seen.IsZero() }

// columns are the values of mode, mtime, inode, device and seen.
func (s stamp) columns() []any {
	if !s.known() {
		return []any{nil, nil, nil, nil, nil}
	}
	return []any{int64(s.mode), schema.Nanos(s.modTime), int64(s.id.Inode), int64(s.id.Device), s.seen.UnixNano()}
}

// after are the mode and the time of what a revision has left.
func (s stamp) after() (mode, mtime any) {
	if !s.known() {
		return nil, nil
	}
	return int64(s.mode), schema.Nanos(s.modTime)
}

// state is what is at a path after a change.
type state struct {
	kind memstore.Kind
	blob int64
	size int64
	stamp
	life
}

// begin says that from revision first on there is s at name.
func (t *entries) begin(name string, first int64, s state) error {
	id, err := t.w.pathID(name)
	if err != nil {
		return err
	}
	args := append([]any{id, first, int64(s.kind), schema.Optional(s.blob), s.size}, s.stamp.columns()...)
	return t.w.Do(`INSERT INTO entry (path, first, kind, blob, size, mode, mtime, inode, device, seen, born, changed, moved,
		restored, written, writes)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, append(args, s.life.columns()...)...)
}

// end closes an entry at revision last.
func (t *entries) end(id, last int64) error {
	if err := t.w.Do("DELETE FROM entry WHERE id = ? AND first = ?", id, last); err != nil {
		return err // it began with the same revision, as a name that was given twice
	}
	return t.w.Do("UPDATE entry SET last = ? WHERE id = ? AND last IS NULL", last, id)
}

// ensureParents says that the folders above name are there from revision first on.
// What stood in their way as no folder is gone.
func (t *entries) ensureParents(name string, first int64) error {
	for _, dir := range pathname.Parents(name) {
		e, err := t.current(dir)
		if err != nil {
			return err
		}
		if e != nil && e.kind == memstore.KindDir {
			continue
		}
		if e != nil {
			if err := t.end(e.row, first); err != nil {
				return err
			}
		}
		if err := t.begin(dir, first, state{kind: memstore.KindDir}); err != nil {
			return err
		}
	}
	return nil
}

// endBelow says that nothing is below the folder name from revision last on.
func (t *entries) endBelow(name string, last int64) error {
	from, to := pathname.Below(name)
	return t.w.Do(`UPDATE entry SET last = ? WHERE last IS NULL AND path IN (SELECT id FROM path WHERE name >= ? AND name < ?)`, last,
		from, to)
}

// below lists what is below the folder name now, parents before what they hold.
func (t *entries) below(name string) (list []*entry, err error) {
	from, to := pathname.Below(name)
	rows, err := t.w.Query(currentEntries+" AND p.name >= ? AND p.name < ? ORDER BY p.name", from, to)
	err = database.Rows(rows, err).Each(func(row *sql.Rows) error {
		e, err := scanEntry(row.Scan)
		list = append(list, e)
		return err
	})
	return list, err
}

// sortedNames are the names of entries in order.
func sortedNames(of map[string]*entry) []string { return slices.Sorted(maps.Keys(of)) }

// move says that from revision rev on what was at the old name of c, with everything below it, is at the new one. The
// agent's views and the user's verification go with it.
func (t *entries) move(m *maker, c *change, rev int64) error {
	e, err := t.current(c.oldName)
	if err != nil || e == nil {
		return err
	}
	if err := t.clear(c.name, rev); err != nil {
		return err
	}
	from, to := pathname.Below(c.oldName)
	args := []any{c.oldName, from, to, c.name, len(c.oldName) + 1, rev}
	came, restored, undoes := m.time.UnixNano(), any(nil), int64(0)
	switch {
	case m.rewinds():
		undoes = c.undoes
	case m.putsBack():
		restored = came
	}
	// Whole folders move in these statements: one for each file would keep other writers waiting.
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`INSERT OR IGNORE INTO path (name) SELECT ` + newName + ` FROM ` + movedEntries, args[:5]},
		{`INSERT INTO entry (path, first, kind, blob, size, mode, mtime, inode, device, seen, born, changed, moved, restored, written, writes)
			SELECT q.id, ?6, e.kind, e.blob, e.size, e.mode, e.mtime, e.inode, e.device, e.seen, e.born, e.changed,
				CASE WHEN o.id IS NULL THEN ?7 ELSE o.moved END, CASE WHEN o.id IS NULL THEN coalesce(?8, e.restored) ELSE e.restored END,
				e.written, e.writes
			FROM path p JOIN entry e ON e.path = p.id AND e.last IS NULL JOIN path q ON q.name = ` + newName + `
				LEFT JOIN entry o ON o.id = (SELECT id FROM entry WHERE path = q.id AND last = ?9 LIMIT 1)
			WHERE ` + movedNames, append(args, came, restored, undoes)},
		{`UPDATE OR REPLACE access SET path = (SELECT q.id FROM path p JOIN path q ON q.name = ` + newName + ` WHERE p.id = access.path)
			WHERE path IN (SELECT p.id FROM ` + movedEntries + `)`, args[:5]},
		{`DELETE FROM entry WHERE last IS NULL AND first = ?6 AND path IN (SELECT p.id FROM path p WHERE ` + movedNames + `)`, args},
		{`UPDATE entry SET last = ?6 WHERE last IS NULL AND path IN (SELECT p.id FROM path p WHERE ` + movedNames + `)`, args},
	} {
		if err := t.w.Do(s.statement, s.args...); err != nil {
			return err
		}
	}
	return t.ensureParents(c.name, rev)
}

// The parts of the statements of [tableWriter.move]: ?1 is the old name, ?2 and ?3 bound the names below it, ?4 is the new name and ?5
// where the rest of a moved name begins, in bytes. An entry that an undone rename had ended at the new name
// brings back when it had come there.
const (
	movedNames   = `p.name >= ?1 AND p.name < ?3 AND (p.name = ?1 OR p.name >= ?2)`
	movedEntries = `path p JOIN entry e ON e.path = p.id AND e.last IS NULL WHERE ` + movedNames
	newName      = `?4 || CAST(substr(CAST(p.name AS BLOB), ?5) AS TEXT)`
)

// clear says that nothing is at name from revision rev on.
func (t *entries) clear(name string, rev int64) error {
	e, err := t.current(name)
	if err != nil || e == nil {
		return err
	}
	return t.clearEntry(name, e, rev)
}

// clearEntry is clear with the entry of name.
func (t *entries) clearEntry(name string, e *entry, rev int64) error {
	if e.kind == memstore.KindDir {
		if err := t.endBelow(name, rev); err != nil {
			return err
		}
	}
	return t.end(e.row, rev)
}

// restamp stores a new stamp if the entry still has these bytes.
func (t *entries) restamp(name string, blob int64, s stamp) error {
	return t.w.Do(`UPDATE entry SET mode = ?, mtime = ?, inode = ?, device = ?, seen = ?
		WHERE last IS NULL AND blob IS ? AND path = (SELECT id FROM path WHERE name = ?)`, append(s.columns(), schema.Optional(blob), name)...)
}
