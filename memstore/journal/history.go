package journal

import (
	"context"
	"database/sql"
	"math"

	"memcurator/memstore"
)

// History calls visit for the revisions of what is, or was last, at agentPath, newest
// first, under the names that it had then: renames are followed. It ends with the revision that made it.
func (j *Journal) History(ctx context.Context, agentPath string, visit func(Revision) bool) error {
	db, err := j.reader()
	if err != nil {
		return err
	}
	return failed("history", lineage(ctx, db, nameOf(agentPath), math.MaxInt64, visit))
}

// lineage is History from the revision before upTo on.
func lineage(ctx context.Context, db *sql.DB, name string, upTo int64, visit func(Revision) bool) error {
	for first := true; ; first = false {
		next, rev, err := segment(ctx, db, name, upTo, first, visit)
		if err != nil || next == "" {
			return err
		}
		name, upTo = next, rev
	}
}

// segment walks the revisions of one name backwards until a rename, of it or of a folder above,
// gave it this name: next is the one before. first: a removal that comes first is told, and walked past.
func segment(ctx context.Context, db *sql.DB, name string, upTo int64, first bool, visit func(Revision) bool) (next string, rev int64, err error) {
	above := parents(name)
	args := []any{name}
	marks := ""
	for _, p := range above {
		args = append(args, p)
		marks += ", ?"
	}
	args = append(args, name, upTo)
	rows, err := db.QueryContext(ctx, "SELECT "+revisionColumns+revisionFrom+
		" WHERE p.name IN (?"+marks+") AND (p.name = ? OR r.shape = 4) AND r.rev < ? ORDER BY r.rev DESC", args...)
	if err != nil {
		return "", 0, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanRevision(rows)
		if err != nil {
			return "", 0, err
		}
		at := nameOf(r.Path)
		if r.Shape == Removed && !first {
			break // what was there before is another file
		}
		first = false
		if at != name { // a folder above was renamed
			return moved(name, at, nameOf(r.OldPath)), r.Rev, rows.Close()
		}
		if !visit(r) || r.Shape == Made {
			break
		}
		if r.Shape == Renamed {
			return nameOf(r.OldPath), r.Rev, rows.Close()
		}
	}
	return "", 0, rows.Err()
}

// Now is the name under which what was at agentPath after revision rev lies today, whether or
// not it is still there.
func (j *Journal) Now(ctx context.Context, agentPath string, rev int64) (string, error) {
	db, err := j.reader()
	if err != nil {
		return "", err
	}
	name, err := forward(ctx, db, nameOf(agentPath), rev, nil)
	return memstore.AgentPath(name), failed("history", err)
}

// forward follows the renames after rev, but for those that are left out.
func forward(ctx context.Context, db *sql.DB, name string, rev int64, leaveOut map[int64]bool) (string, error) {
	rows, err := db.QueryContext(ctx, `SELECT r.rev, p.name, o.name FROM revision r JOIN path p ON p.id = r.path JOIN path o ON o.id = r.old_path
		WHERE r.old_path IS NOT NULL AND r.rev > ? ORDER BY r.rev`, rev)
	if err != nil {
		return name, err
	}
	defer rows.Close()
	for rows.Next() {
		var at int64
		var to, from string
		if err := rows.Scan(&at, &to, &from); err != nil {
			return name, err
		}
		if !leaveOut[at] && (name == from || inside(name, from)) {
			name = moved(name, from, to)
		}
	}
	return name, rows.Err()
}
