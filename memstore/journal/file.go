package journal

import (
	"database/sql"
	"io/fs"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// file is what the journal takes to be at a path now: a file, a folder or a link.
type file struct {
	name string
	kind memstore.Kind
	blob int64 // 0: none, or never read
	size int64
	stamp
	life life
	met  bool // by a comparison
}

// stamp is what is known about a file without reading it. The zero value means nothing is known.
type stamp struct {
	mode    fs.FileMode
	modTime time.Time
	id      memstore.FileID
	seen    time.Time // when it had this stamp
}

func stampOf(i memstore.Info, seen time.Time) stamp {
	return stamp{mode: i.Mode.Perm(), modTime: i.ModTime, id: i.ID, seen: seen}
}

func (s stamp) known() bool { return !s.seen.IsZero() }

// after are the mode and the time of what a revision has left.
func (s stamp) after() (mode, mtime any) {
	if !s.known() {
		return nil, nil
	}
	return int64(s.mode), nanos(s.modTime)
}

// fits reports whether the stamp proves that a path still has its known bytes.
func (f *file) fits(i memstore.Info) bool {
	if f.kind != i.Kind {
		return false
	}
	switch i.Kind {
	case memstore.KindDir:
		return f.id == i.ID
	case memstore.KindOther:
		return true
	}
	return f.known() && f.blob != 0 && f.isStamped(i) && f.seen.Sub(f.modTime) > racy
}

// isStamped reports whether a path has the stamp of the last comparison.
func (f *file) isStamped(i memstore.Info) bool {
	return f.size == i.Size && f.modTime.Equal(i.ModTime) && f.id == i.ID
}

// life is what is known of a file or link besides its content, as [past.Fact] has it. It goes on through edits and renames. Zero times are
// unknown.
type life struct {
	born     time.Time // when it came, or when the journal began with it there
	changed  time.Time // when its bytes became what they are
	moved    time.Time // when it came to its name by a rename
	restored time.Time // when an undo, a revert or a restore gave it these bytes or this name
	written  time.Time // when the agent last wrote it
	writes   int64     // how often the agent did
}

// change notes that a change has given a file other bytes. Restored bytes have the age that their modification time tells.
func (l *life) change(m *maker, c *change) {
	l.changed = m.time
	if past.PutsBack(m.command) {
		l.restored = m.time
		if c.stamp.known() && c.stamp.modTime.Before(m.time) {
			l.changed = c.stamp.modTime
		}
	}
	if m.actor == memstore.Agent {
		l.written, l.writes = m.time, l.writes+1
	}
}

// fileColumns are what scanFile reads.
const fileColumns = `path, kind, coalesce(blob, 0), size, mode, mtime, coalesce(inode, 0), coalesce(device, 0), seen,
	born, changed, moved, restored, written, coalesce(writes, 0)`

func scanFile(row interface{ Scan(into ...any) error }) (*file, error) {
	var f file
	var mode, mtime, seen, born, changed, moved, restored, written sql.NullInt64
	var inode, device int64
	err := row.Scan(&f.name, &f.kind, &f.blob, &f.size, &mode, &mtime, &inode, &device, &seen,
		&born, &changed, &moved, &restored, &written, &f.life.writes)
	f.mode = fs.FileMode(mode.Int64)
	f.modTime, f.seen, f.id = timeOf(mtime), timeOf(seen), memstore.FileID{Inode: uint64(inode), Device: uint64(device)}
	l := &f.life
	l.born, l.changed, l.moved, l.restored, l.written = timeOf(born), timeOf(changed), timeOf(moved), timeOf(restored), timeOf(written)
	return &f, err
}

// file returns what is at a name; nil: nothing.
func (w *writer) file(name string) *file {
	list := w.files("path = ?", name)
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func (w *writer) files(where string, args ...any) []*file {
	list, err := filesOf(w.query("SELECT "+fileColumns+" FROM file WHERE "+where, args...))
	w.fail(err)
	return list
}

func filesOf(rows *sql.Rows, err error) (list []*file, _ error) {
	err = each(rows, err, func(row *sql.Rows) error {
		f, err := scanFile(row)
		list = append(list, f)
		return err
	})
	return list, err
}

// filesBelow lists what is below a folder, folders before what they hold.
func (w *writer) filesBelow(dir string) []*file {
	from, to := below(dir)
	return w.files("path >= ? AND path < ? ORDER BY path", from, to)
}

// putFile says what is at a name now.
func (w *writer) putFile(f *file) {
	l := &f.life
	w.do(`INSERT OR REPLACE INTO file (path, kind, blob, size, mode, mtime, inode, device, seen, born, changed, moved,
		restored, written, writes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		f.name, int64(f.kind), null(f.blob), f.size, null(int64(f.mode)), nanos(f.modTime), null(int64(f.id.Inode)), null(int64(f.id.Device)),
		nanos(f.seen), nanos(l.born), nanos(l.changed), nanos(l.moved), nanos(l.restored), nanos(l.written), null(l.writes))
}

// restamp stores a new stamp if a file still has these bytes.
func (w *writer) restamp(name string, blob int64, s stamp) {
	w.do("UPDATE file SET mode = ?, mtime = ?, inode = ?, device = ?, seen = ? WHERE path = ? AND blob IS ?",
		int64(s.mode), nanos(s.modTime), null(int64(s.id.Inode)), null(int64(s.id.Device)), nanos(s.seen), name, null(blob))
}

// missingFolders are the folders above a name that are not known to be there.
func (w *writer) missingFolders(name string) (list []string) {
	for _, dir := range slices.Backward(parents(name)) {
		if w.row("SELECT 1 FROM file WHERE path = ? AND kind = ?", []any{dir, int64(memstore.KindDir)}, new(int)) {
			break // and so are those above it
		}
		list = append(list, dir)
	}
	slices.Reverse(list)
	return list
}

// makeFolders says that the folders above a name are there.
func (w *writer) makeFolders(name string) {
	for _, dir := range w.missingFolders(name) {
		w.putFile(&file{name: dir, kind: memstore.KindDir})
	}
}

// removeFiles says that nothing is at a name, or below it.
func (w *writer) removeFiles(name string) {
	from, to := below(name)
	w.do("DELETE FROM file WHERE path >= ? AND path < ?", from, to)
	w.do("DELETE FROM file WHERE path = ?", name)
}

// moveFiles says that what was at the old name of c, with everything below it, is at the new one. The agent's views go with it.
func (w *writer) moveFiles(m *maker, c *change) {
	if w.file(c.oldName) == nil {
		return
	}
	w.removeFiles(c.name)
	var restored any
	if past.PutsBack(m.command) {
		restored = m.time.UnixNano()
	}
	from, to := below(c.oldName)
	// Whole folders move in one statement: one for each file would keep other writers waiting.
	const newName = "?4 || CAST(substr(CAST(path AS BLOB), ?5) AS TEXT)"
	const which = " WHERE path = ?1 OR path >= ?2 AND path < ?3"
	args := []any{c.oldName, from, to, c.name, len(c.oldName) + 1}
	w.do("UPDATE OR REPLACE access SET path = "+newName+which, args...)
	w.do("UPDATE file SET path = "+newName+", moved = ?6, restored = coalesce(?7, restored)"+which,
		append(args, m.time.UnixNano(), restored)...)
}
