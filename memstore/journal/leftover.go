package journal

import (
	"context"
	"database/sql"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
)

// An edit makes names that must not stay: a temporary file beside its target, folders for a target that does not
// come. Its intent has them before the disk does. What a
// killed process leaves of them is noted here when its intent is judged, and removed by the next start that can.

// The kinds of leftovers.
const (
	leftTemp  = 1 // a temporary file
	leftEmpty = 2 // a folder, if it is empty
)

// leave notes what an intent of a dead process may have left.
func (w *tableWriter) leave(in *intent) error {
	if in.temp != "" {
		if err := w.leaveName(in.temp, leftTemp); err != nil {
			return err
		}
	}
	c := &in.changes[0]
	if in.made <= 0 || c.note != notDone {
		return nil
	}
	dirs := pathname.Parents(c.name)
	for _, dir := range dirs[max(0, len(dirs)-in.made):] {
		if err := w.leaveName(dir, leftEmpty); err != nil {
			return err
		}
	}
	return nil
}

func (w *tableWriter) leaveName(name string, kind int) error {
	return w.Do("INSERT OR REPLACE INTO leftover (name, kind, time) VALUES (?, ?, ?)", name, kind, time.Now().UnixNano())
}

// clearLeftovers removes what dead processes have left. What cannot be removed stays noted.
func (s *settler) clearLeftovers() error {
	db, err := s.j.pool.ReaderNow()
	if err != nil {
		return err
	}
	list, err := readLeftovers(context.Background(), db)
	if err != nil || len(list) == 0 || s.j.options.Backend == nil {
		return err
	}
	// What is deeper goes first: a temporary file before its folder, and that before the one above.
	slices.SortFunc(list, func(a, b leftover) int { return strings.Count(b.name, "/") - strings.Count(a.name, "/") })
	var gone []string
	err = s.j.disk.locked(context.Background(), lockPatience, func() error {
		for _, l := range list {
			if !l.busy() && s.j.disk.clearOne(l) {
				gone = append(gone, l.name)
			}
		}
		return nil
	})
	return errors.Join(err, s.j.tx("clear", false, func(w *tableWriter) error {
		for _, name := range gone {
			if err := w.Do("DELETE FROM leftover WHERE name = ?", name); err != nil {
				return err
			}
		}
		return nil
	}))
}

// clearOne removes a file or an empty folder, in the store's turn, and reports whether it is done.
func (d *disk) clearOne(l leftover) bool {
	k, ok := d.backend.(memstore.TempKeeper)
	ours, _ := memstore.IsTemp(path.Base(l.name))
	switch {
	case l.kind == leftEmpty:
		if list, err := d.backend.ReadDir(l.name); ok && err == nil && len(list) == 0 {
			_ = k.RemoveEmpty(l.name) // another program may have put something there just now
		}
		return true
	case !ours:
		return true
	}
	return ok && k.RemoveTemp(l.name) == nil
}

// leftover is a row of the table.
type leftover struct {
	name  string
	kind  int
	noted time.Time
}

// removalAge is how long a removal may take. A process that seems to be at it for longer has failed, or another one has
// its number now.
const removalAge = time.Hour

// busy reports whether the process that is removing it may still be at it.
func (l leftover) busy() bool {
	_, alive := memstore.IsTemp(path.Base(l.name))
	return alive && time.Since(l.noted) < removalAge
}

// leftovers lists, as agent paths, what dead processes have left in the store and could not be removed.
func (d *disk) leftovers(ctx context.Context, db *sql.DB) ([]string, error) {
	if d.backend == nil {
		return nil, nil
	}
	list, err := readLeftovers(ctx, db)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, l := range list {
		if l.kind != leftTemp || l.busy() {
			continue
		}
		if _, err := d.backend.Lstat(l.name); !memstore.IsAbsent(err) {
			names = append(names, memstore.AgentPath(l.name))
		}
	}
	slices.Sort(names)
	return names, nil
}

func readLeftovers(ctx context.Context, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}) ([]leftover, error) {
	var list []leftover
	err := database.Rows(db.QueryContext(ctx, "SELECT name, kind, time FROM leftover")).Each(func(row *sql.Rows) error {
		var l leftover
		var noted int64
		err := row.Scan(&l.name, &l.kind, &noted)
		l.noted = schema.Time(noted)
		list = append(list, l)
		return err
	})
	return list, err
}

// isOurs reports whether a name is one that an open intent uses for a while, or that was left by one.
func (w *tableWriter) isOurs(name string) (bool, error) {
	if ours, _ := memstore.IsTemp(path.Base(name)); !ours {
		return false, nil
	}
	return w.Row("SELECT 1 FROM intent WHERE temp = ?1 UNION ALL SELECT 1 FROM leftover WHERE name = ?1 LIMIT 1", []any{name}, new(int))
}

// isLeftFolder reports whether a folder was made for an edit that a killed process did not carry out. The next start
// removes it if it is empty; what another program puts there is recorded with its files.
func (w *tableWriter) isLeftFolder(name string) (bool, error) {
	return w.Row("SELECT 1 FROM leftover WHERE name = ? AND kind = ?", []any{name, leftEmpty}, new(int))
}
