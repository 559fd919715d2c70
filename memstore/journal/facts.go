package journal

import (
	"context"
	"database/sql"
	"time"

	"memcurator/memstore"
)

// Fact is what the journal knows of one file or link that is there. It is a value. Zero times
// are not known. The life of a file goes on under another name, and where a removal was taken back; what
// comes by a name that something else had is another file.
type Fact struct {
	Path string // agent path
	Kind memstore.Kind
	Size int64 // bytes
	// Digest is of its bytes, as they were last recorded; zero: they were never read.
	Digest memstore.Digest
	// ModTime is the modification time that the disk had when it was last recorded.
	ModTime time.Time
	// FirstSeen is when it came. What is not after [Span].Began was there when the journal began, and
	// may be older.
	FirstSeen time.Time
	// Changed is when its bytes became what they are, whoever did that: of what was there when the journal
	// began and has not changed since, the modification time it had then. Bytes that were put back have the time
	// from before.
	Changed time.Time
	// Restored is when a revert or a restore gave it these bytes or this path. An undo is neither: what it gives back goes
	// on from where it was.
	Restored time.Time
	// Moved is when it came to its path by a rename.
	Moved time.Time
	// Used is when the agent last viewed or wrote it; views of a folder that shows it are none.
	// Uses is how often it did.
	Used time.Time
	Uses int
}

// Facts calls visit for every file and link that the journal takes to be there, in no order, until
// it returns false. It is one query over the live paths: about 3 µs each, whatever the number of
// revisions. Before the first comparison with the disk is complete, paths are missing. visit may not
// call the journal's writing methods.
func (j *Journal) Facts(ctx context.Context, visit func(Fact) bool) error {
	db, err := j.reader()
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
		var f Fact
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

// Span is the time that a journal knows of.
type Span struct {
	Began  time.Time // when its first comparison with the disk was complete; zero: not yet
	Newest time.Time // its last revision or view; zero: there is none
}

// Span tells from when to when the journal knows something.
func (j *Journal) Span(ctx context.Context) (s Span, err error) {
	db, err := j.reader()
	if err != nil {
		return s, err
	}
	var began, changed, viewed sql.NullInt64
	err = db.QueryRowContext(ctx, `SELECT (SELECT value FROM meta WHERE key = 'baseline'),
		(SELECT max(time) FROM (SELECT time FROM revision ORDER BY rev DESC LIMIT 100)), (SELECT max(last) FROM access)`).Scan(&began, &changed, &viewed)
	s.Began, s.Newest = timeOf(began), laterOf(timeOf(changed), timeOf(viewed))
	return s, failed("facts", err)
}
