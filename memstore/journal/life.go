package journal

import (
	"database/sql"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/schema"
)

// life is what an entry says about a file or link besides its content. It continues through edits and
// renames, and through a removal that is undone. Zero times are unknown.
type life struct {
	born     time.Time // when it came, or when the journal began with it there
	changed  time.Time // when its bytes became what they are
	moved    time.Time // when it came to its name by a rename
	restored time.Time // when these bytes, or their path, were last restored
	written  time.Time // when the agent last wrote it
	writes   int64     // how often the agent did
}

// columns are the values of born to writes.
func (l life) columns() []any {
	return []any{schema.Nanos(l.born), schema.Nanos(l.changed), schema.Nanos(l.moved), schema.Nanos(l.restored), schema.Nanos(l.written),
		schema.Optional(l.writes)}
}

// lifeColumns are what scanLife reads.
const lifeColumns = "born, changed, moved, restored, written, coalesce(writes, 0)"

func (t *entries) scanLife(where string, args ...any) (l life, found bool, err error) {
	var times [5]sql.NullInt64
	found, err = t.w.Row("SELECT "+lifeColumns+" FROM entry WHERE "+where, args,
		&times[0], &times[1], &times[2], &times[3], &times[4], &l.writes)
	l.born, l.changed, l.moved = schema.TimeOf(times[0]), schema.TimeOf(times[1]), schema.TimeOf(times[2])
	l.restored, l.written = schema.TimeOf(times[3]), schema.TimeOf(times[4])
	return l, found, err
}

// putsBack reports whether m restores what was there before.
func (m *maker) putsBack() bool {
	return m.rewinds() || m.command == "revert" || m.command == "restore"
}

// rewinds reports whether m undoes what the user did, as if it had not happened: a restored file resumes from where it
// was. A revert or a restore is a new decision instead, and starts a new life.
func (m *maker) rewinds() bool { return m.command == "undo" || m.command == "redo" }

// lifeAfter is the life of a changed entry; before is the old entry, nil for none. A new entry at the path of a removed one is
// another file, never used, unless the change restores the old one.
func (t *entries) lifeAfter(m *maker, c *change, before *entry) (l life, err error) {
	if c.kind == memstore.KindDir {
		return life{}, nil
	}
	if m.putsBack() {
		earlier, found, err := t.scanLife(`path = (SELECT id FROM path WHERE name = ?) AND last IS NOT NULL AND blob IS ?
			ORDER BY id DESC LIMIT 1`, c.name, schema.Optional(c.after))
		if err != nil || found {
			if !m.rewinds() {
				earlier.restored = m.time
			}
			return earlier, err
		}
	}
	if before != nil && before.kind == c.kind {
		if l, _, err = t.scanLife("id = ?", before.row); err != nil {
			return l, err
		}
	} else {
		l.born = m.time
		if err := t.w.Do("DELETE FROM access WHERE path = (SELECT id FROM path WHERE name = ?)", c.name); err != nil {
			return l, err
		}
	}
	l.changed = m.time
	if m.actor == memstore.Agent {
		l.written, l.writes = m.time, l.writes+1
	}
	return l, nil
}
