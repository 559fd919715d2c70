package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// lineage visits the revisions before upTo of what is, or was last, at a path, newest first, under the names that it had then: renames are
// followed, also those of folders above. The last one is the revision that made it.
func lineage(ctx context.Context, db *sql.DB, name string, upTo int64, visit func(past.Revision) bool) error {
	for first := true; ; first = false {
		next, rev, err := segment(ctx, db, name, upTo, first, visit)
		if err != nil || next == "" {
			return err
		}
		name, upTo = next, rev
	}
}

// segment walks the revisions of one name backwards until a rename, of it or of a folder above,
// gave it this name: next is the one before. first: a removal at the beginning is included, and walked past.
func segment(ctx context.Context, db *sql.DB, name string, upTo int64, first bool,
	visit func(past.Revision) bool) (next string, rev int64, err error) {
	above := parents(name)
	args := []any{name}
	marks := ""
	for _, p := range above {
		args = append(args, p)
		marks += ", ?"
	}
	args = append(args, name, int(past.Renamed), upTo)
	list, err := revisionsOf(ctx, db, "r.path IN (?"+marks+") AND (r.path = ? OR r.shape = ?) AND r.rev < ? ORDER BY r.rev DESC", args...)
	if err != nil {
		return "", 0, err
	}
	for _, r := range list {
		at := memstore.BackendName(r.Path)
		if r.Shape == past.Removed && !first {
			break // what was there before is another file
		}
		first = false
		if at != name { // a folder above was renamed
			visit(r)
			return moved(name, at, memstore.BackendName(r.OldPath)), r.Rev, nil
		}
		if !visit(r) {
			break
		}
		if r.Shape == past.Made {
			return putBack(ctx, db, r)
		}
		if r.Shape == past.Renamed {
			return memstore.BackendName(r.OldPath), r.Rev, nil
		}
	}
	return "", 0, nil
}

// putBack is where the history of a file goes on that an undo of its removal made: there, up to the removal. "": it was new.
func putBack(ctx context.Context, db *sql.DB, r past.Revision) (name string, upTo int64, err error) {
	if r.Undoes == 0 {
		return "", 0, nil
	}
	list, err := revisionsOf(ctx, db, "r.rev = ? AND r.shape = ?", r.Undoes, int(past.Removed))
	if err != nil || len(list) == 0 || list[0].Before.Digest != r.After.Digest {
		return "", 0, err
	}
	return memstore.BackendName(list[0].Path), r.Undoes, nil
}

// forward follows the renames after rev, except the omitted ones and those that undo and redo them. removed: nothing is at
// name since rev. What is called like it, or like a folder above it, after that was removed is another
// one, unless it was restored: moves of that one do not count here.
func forward(ctx context.Context, db *sql.DB, name string, rev int64, removed bool, leaveOut map[int64]bool) (string, error) {
	if moves, err := everMoved(ctx, db, name, rev); err != nil || !moves {
		return name, err
	}
	rows, err := db.QueryContext(ctx, `SELECT r.rev, r.shape, coalesce(r.undoes, 0), r.path, coalesce(r.old_path, '') FROM revision r
		WHERE r.open IS NULL AND r.shape <> ? AND r.rev > ? ORDER BY r.rev`, int(past.Edited), rev)
	leaveOut = maps.Clone(leaveOut)
	ended := map[string]int64{} // name, and folders above it, by the revision that removed them
	if removed {
		ended[name] = rev
	}
	err = each(rows, err, func(row *sql.Rows) error {
		var at, undoes int64
		var shape past.Shape
		var to, from string
		if err := row.Scan(&at, &shape, &undoes, &to, &from); err != nil {
			return err
		}
		of := to == name || inside(name, to)
		switch {
		case leaveOut[at]:
		case shape == past.Renamed && leaveOut[undoes]:
			leaveOut[at] = true
		case shape == past.Removed && of && ended[to] == 0:
			ended[to] = at
		case shape == past.Made && of && ended[to] == undoes:
			delete(ended, to)
		case shape == past.Renamed && ended[from] == 0 && (name == from || inside(name, from)):
			now := map[string]int64{}
			for p, by := range ended {
				if inside(p, from) {
					p = moved(p, from, to)
				}
				now[p] = by
			}
			name, ended = moved(name, from, to), now
		}
		return nil
	})
	return name, err
}

// everMoved reports whether a rename after rev can have to do with name.
func everMoved(ctx context.Context, db *sql.DB, name string, rev int64) (moved bool, err error) {
	names, _ := json.Marshal(append(parents(name), name)) // texts are always marshalled
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM revision WHERE open IS NULL AND rev > ?
		AND old_path IN (SELECT value FROM json_each(?)))`, rev, string(names)).Scan(&moved)
	return moved, err
}
