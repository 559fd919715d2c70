package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// lineage lists the revisions before upTo of what is, or was last, at a path, newest first, under the names that it had then: renames are
// followed, also those of folders above, and removals that were undone. The last one is the revision that made it. None for a folder.
func lineage(ctx context.Context, db *sql.DB, name string, upTo int64) (revs []int64, err error) {
	rows, err := db.QueryContext(ctx, `SELECT rev, kind, shape, path, coalesce(old_path, ''), coalesce(before, 0), coalesce(after, 0),
		coalesce(undoes, 0) FROM revision WHERE open IS NULL AND rev < ? ORDER BY rev DESC`, upTo)
	over := false
	var put struct{ undoes, blob int64 } // by an undo of a removal: the history goes on before that
	err = each(rows, err, func(row *sql.Rows) error {
		var rev, before, after, undoes int64
		var kind memstore.Kind
		var shape past.Shape
		var at, old string
		if err := row.Scan(&rev, &kind, &shape, &at, &old, &before, &after, &undoes); err != nil || over {
			return err
		}
		if put.undoes > 0 {
			if rev <= put.undoes {
				name, over = at, rev < put.undoes || shape != past.Removed || before != put.blob
				put.undoes = 0
			}
			return nil
		}
		switch {
		case at != name && (shape != past.Renamed || !inside(name, at)):
			return nil
		case at == name && kind == memstore.KindDir:
			revs, over = nil, true
			return nil
		case shape == past.Removed && len(revs) > 0:
			over = true // what was there before is another file
			return nil
		}
		revs = append(revs, rev)
		switch shape {
		case past.Renamed:
			name = moved(name, at, old)
		case past.Made:
			put.undoes, put.blob = undoes, after
			over = undoes == 0
		}
		return nil
	})
	return revs, err
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
