package journal

import (
	"database/sql"
	"errors"
	"io/fs"
	"path"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/past"
)

// recover settles the revisions that a process which died has left open: the disk says which of them were carried out. The caller has
// the journal's lock, so nobody is at work on them, and they are of one edit.
func (j *Journal) recover(w *writer) {
	list, makers := w.openRevisions()
	j.disk.sweep(list)
	for i := range list {
		c := &list[i]
		carriedOut, sure := j.disk.looksDone(w, c)
		switch {
		case !sure:
			c.note = past.NoteUncertain
		case !carriedOut:
			w.withdraw(c.rev)
			continue
		}
		if c.stamp = j.disk.stampAt(c); c.note != "" { // what is there now is something else: it is compared next
			c.stamp = stamp{}
		} else if c.shape == past.Renamed {
			c.stamp.seen = c.stamp.modTime // its bytes were not looked at
		}
		w.finish(&makers[i], c)
	}
}

// openRevisions reads what is open.
func (w *writer) openRevisions() (list []change, makers []maker) {
	rows, err := w.query(`SELECT r.rev, r.time, r.actor, r.command, r.kind, r.shape, r.path, coalesce(r.old_path, ''),
		coalesce(r.before, 0), coalesce(r.after, 0), coalesce(a.size, 0), coalesce(r.undoes, 0)
		FROM revision r LEFT JOIN blob a ON a.id = r.after WHERE r.open IS NOT NULL ORDER BY r.rev`)
	w.fail(each(rows, err, func(row *sql.Rows) error {
		var c change
		var m maker
		var at int64
		err := row.Scan(&c.rev, &at, &m.actor, &m.command, &c.kind, &c.shape, &c.name, &c.oldName, &c.before, &c.after,
			&c.size, &c.undoes)
		m.time = time.Unix(0, at)
		list, makers = append(list, c), append(makers, m)
		return err
	}))
	return list, makers
}

// sweep removes the temporary file that a killed edit may have left beside what it wrote.
func (d *disk) sweep(list []change) {
	s, ok := d.backend.(memstore.TempSweeper)
	swept := map[string]bool{}
	for i := range list {
		folder := path.Dir(list[i].name)
		if ok && !swept[folder] {
			swept[folder] = true
			_ = s.SweepTemps(folder) // what stays is seen as a file of another program
		}
	}
}

// stampAt returns the stamp of what a change has left.
func (d *disk) stampAt(c *change) stamp {
	if d.backend == nil || c.shape == past.Removed {
		return stamp{}
	}
	info, err := d.backend.Lstat(c.name)
	if err != nil || info.Kind != c.kind || (c.kind == memstore.KindFile && c.shape != past.Renamed && info.Size != c.size) {
		return stamp{}
	}
	if _, ok := d.backend.(backend.Adapted); ok {
		// The time is the program's own, and may be years old. It may already be that of what the program has written over the change.
		return stampOf(info, info.ModTime)
	}
	return stampOf(info, time.Now())
}

// looksDone compares the disk with both sides of a change. sure is false where it is neither.
func (d *disk) looksDone(w *writer, c *change) (done, sure bool) {
	if d.backend == nil {
		return true, false
	}
	switch c.shape {
	case past.Renamed:
		_, gone := d.backend.Lstat(c.oldName)
		_, come := d.backend.Lstat(c.name)
		return errors.Is(gone, fs.ErrNotExist), (gone == nil) != (come == nil)
	case past.Removed:
		info, err := d.backend.Lstat(c.name)
		if memstore.IsAbsent(err) {
			return true, true
		}
		if err != nil || info.Kind != c.kind {
			return true, false
		}
		return false, c.kind != memstore.KindFile || d.holds(w, c.name, c.before)
	}
	if d.holds(w, c.name, c.after) {
		return true, true
	}
	if c.shape == past.Made {
		_, err := d.backend.Lstat(c.name)
		return false, memstore.IsAbsent(err)
	}
	return false, d.holds(w, c.name, c.before)
}

// holds reports whether the file at name has the bytes of a blob.
func (d *disk) holds(w *writer, name string, blob int64) bool {
	var sum []byte
	if w.row("SELECT sum FROM blob WHERE id = ?", []any{blob}, &sum); len(sum) == 0 {
		info, err := d.backend.Lstat(name)
		return blob == 0 && err == nil && info.Kind == memstore.KindDir
	}
	got, err := d.digest(name)
	return err == nil && string(got[:]) == string(sum)
}

// countStored counts the changed lines of a change whose bytes are only in the database.
func (w *writer) countStored(c *change) {
	if c.shape == past.Renamed {
		return
	}
	var text [2][]byte
	for i, id := range []int64{c.before, c.after} {
		switch {
		case id == 0:
		case i == 1 && c.text != nil:
			text[i] = c.text
		default:
			var err error
			if text[i], err = w.bytes(id); !errors.Is(err, past.ErrNotKept) {
				w.fail(err)
			}
		}
	}
	c.added, c.removed = count(text[0], text[1])
}
