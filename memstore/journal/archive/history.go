package archive

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"memcurator/memstore"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/past"
)

// History calls visit for the revisions of what is, or was last, at agentPath, newest
// first, under the names that it had then: renames are followed. The last one is the revision that made it.
func (a *Archive) History(ctx context.Context, agentPath string, visit func(past.Revision) bool) error {
	db, err := a.pool.Reader()
	if err != nil {
		return err
	}
	return a.failed("history", lineage(ctx, db, memstore.BackendName(agentPath), math.MaxInt64, false, visit))
}

// lineage is History from the revision before upTo on. jump: what took a revision back, and gave exactly what was before
// that, is omitted with it and everything between.
func lineage(ctx context.Context, db *sql.DB, name string, upTo int64, jump bool, visit func(past.Revision) bool) error {
	for first := true; ; first = false {
		next, rev, err := segment(ctx, db, name, upTo, first, jump, visit)
		if err != nil || next == "" {
			return err
		}
		name, upTo = next, rev
	}
}

// segment walks the revisions of one name backwards until a rename, of it or of a folder above,
// gave it this name: next is the one before. first: a removal at the beginning is included, and walked past.
func segment(ctx context.Context, db *sql.DB, name string, upTo int64, first, jump bool,
	visit func(past.Revision) bool) (next string, rev int64, err error) {
	above := pathname.Parents(name)
	args := []any{name}
	marks := ""
	for _, p := range above {
		args = append(args, p)
		marks += ", ?"
	}
	args = append(args, name, upTo)
	rows, err := db.QueryContext(ctx, "SELECT "+revisionColumns+revisionFrom+
		" WHERE r.open IS NULL AND p.name IN (?"+marks+") AND (p.name = ? OR r.shape = 4) AND r.rev < ? ORDER BY r.rev DESC", args...)
	if err != nil {
		return "", 0, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanRevision(rows)
		if err != nil {
			return "", 0, err
		}
		at := memstore.BackendName(r.Path)
		if r.Shape == past.Removed && !first {
			break // what was there before is another file
		}
		first = false
		if at != name { // a folder above was renamed
			return pathname.Moved(name, at, memstore.BackendName(r.OldPath)), r.Rev, rows.Close()
		}
		if jump && r.Undoes != 0 && (r.Shape == past.Made || r.Shape == past.Edited) {
			if was, err := exactlyBefore(ctx, db, r); was != "" || err != nil {
				return was, r.Undoes, errors.Join(err, rows.Close())
			}
		}
		if !visit(r) || r.Shape == past.Made {
			break
		}
		if r.Shape == past.Renamed {
			return memstore.BackendName(r.OldPath), r.Rev, rows.Close()
		}
	}
	return "", 0, rows.Err()
}

// exactlyBefore is the name of the file before the revision that r undid, if r restored exactly the bytes that
// it had then; else "".
func exactlyBefore(ctx context.Context, db *sql.DB, r past.Revision) (name string, err error) {
	err = db.QueryRowContext(ctx, `SELECT p.name FROM revision r JOIN path p ON p.id = r.path JOIN blob b ON b.id = r.before
		WHERE r.rev = ? AND b.sum = ? AND r.shape IN (?, ?)`,
		r.Undoes, r.After.Digest[:], int(past.Edited), int(past.Removed)).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return name, err
}

// forward follows the renames after rev, except the omitted ones. removed: nothing is at
// name since rev. What is called like it, or like a folder above it, after that was removed is another
// one, unless it was restored: moves of that one do not count here.
func forward(ctx context.Context, db *sql.DB, name string, rev int64, removed bool, leaveOut map[int64]bool) (string, error) {
	if moves, err := everMoved(ctx, db, name, rev); err != nil || !moves {
		return name, err
	}
	rows, err := db.QueryContext(ctx, `SELECT r.rev, r.shape, coalesce(r.undoes, 0), p.name, coalesce(o.name, '') FROM revision r
		JOIN path p ON p.id = r.path LEFT JOIN path o ON o.id = r.old_path WHERE r.open IS NULL AND r.shape <> ? AND r.rev > ?
			ORDER BY r.rev`, int(past.Edited), rev)
	ended := map[string]int64{} // name, and folders above it, by the revision that removed them
	if removed {
		ended[name] = rev
	}
	err = database.Rows(rows, err).Each(func(row *sql.Rows) error {
		var at, undoes int64
		var shape past.Shape
		var to, from string
		if err := row.Scan(&at, &shape, &undoes, &to, &from); err != nil {
			return err
		}
		of := to == name || pathname.Inside(name, to)
		switch {
		case leaveOut[at]:
		case shape == past.Removed && of && ended[to] == 0:
			ended[to] = at
		case shape == past.Made && of && ended[to] == undoes:
			delete(ended, to)
		case shape == past.Renamed && ended[from] == 0 && (name == from || pathname.Inside(name, from)):
			now := map[string]int64{}
			for p, by := range ended {
				if pathname.Inside(p, from) {
					p = pathname.Moved(p, from, to)
				}
				now[p] = by
			}
			name, ended = pathname.Moved(name, from, to), now
		}
		return nil
	})
	return name, err
}

// everMoved reports whether a rename after rev can have to do with name.
func everMoved(ctx context.Context, db *sql.DB, name string, rev int64) (bool, error) {
	rows, err := db.QueryContext(ctx, `SELECT o.name FROM revision r JOIN path o ON o.id = r.old_path
		WHERE r.open IS NULL AND r.old_path IS NOT NULL AND r.rev > ?`, rev)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var from string
		if err := rows.Scan(&from); err != nil {
			return false, err
		}
		if name == from || pathname.Inside(name, from) {
			return true, nil
		}
	}
	return false, rows.Err()
}
