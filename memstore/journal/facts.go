package journal

import (
	"context"
	"database/sql"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Facts calls visit for every file and link that the journal takes to be there, in no order, until
// it returns false. It is one query over the live paths: about 3 µs each, whatever the number of
// revisions. Before the first comparison with the disk is complete, paths are missing. visit may not
// call the journal's writing methods.
func (a *archive) Facts(ctx context.Context, visit func(past.Fact) bool) error {
	db, err := a.reader()
	if err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, `SELECT p.name, e.kind, e.size, b.sum, e.mtime, e.born, e.changed, e.restored, e.moved,
		e.written, coalesce(e.writes, 0), a.last, coalesce(a.views, 0)
		FROM entry e JOIN path p ON p.id = e.path LEFT JOIN blob b ON b.id = e.blob LEFT JOIN access a ON a.path = e.path
		WHERE e.last IS NULL AND e.kind IN (?, ?)`, int(memstore.KindFile), int(memstore.KindLink))
	if err != nil {
		return failed("facts", err)
	}
	defer rows.Close()
	for rows.Next() {
		var f past.Fact
		var name, sum sql.RawBytes
		var mtime, born, changed, restored, moved, written, viewed sql.NullInt64
		var writes, views int
		if err := rows.Scan(&name, &f.Kind, &f.Size, &sum, &mtime, &born, &changed, &restored, &moved,
			&written, &writes, &viewed, &views); err != nil {
			return failed("facts", err)
		}
		copy(f.Digest[:], sum)
		f.Path = memstore.AgentPath(string(name))
		f.ModTime, f.FirstSeen, f.Changed = timeOf(mtime), timeOf(born), timeOf(changed)
		f.Restored, f.Moved = timeOf(restored), timeOf(moved)
		f.Used, f.Uses = laterOf(timeOf(written), timeOf(viewed)), writes+views
		if !visit(f) {
			return nil
		}
	}
	return failed("facts", rows.Err())
}

// Span returns the time that the journal covers.
func (a *archive) Span(ctx context.Context) (s past.Span, err error) {
	db, err := a.reader()
	if err != nil {
		return s, err
	}
	var began, changed, viewed sql.NullInt64
	err = db.QueryRowContext(ctx, `SELECT (SELECT value FROM meta WHERE key = 'baseline'),
		(SELECT max(time) FROM (SELECT time FROM revision ORDER BY rev DESC LIMIT 100)), (SELECT max(last) FROM access)`).
		Scan(&began, &changed, &viewed)
	s.Began, s.Newest = timeOf(began), laterOf(timeOf(changed), timeOf(viewed))
	return s, failed("facts", err)
}
