package journal

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Maker is who made a change, as another process of ours has recorded it.
type Maker struct {
	Actor     memstore.Actor // "": nobody of ours
	Command   string
	Session   string
	ToolUseID string
	Rev       int64 // 0: not settled yet
}

// attributeWithin is how long ago a change can have been recorded that is seen only now.
const attributeWithin = time.Minute

// Attribute tells for each observation which process of ours made it, as far as one did: by
// the open intents and the newest revisions. It only reads, and costs nothing to speak of while no
// other process of ours is at work.
func (j *Journal) Attribute(ctx context.Context, list []Observation) ([]Maker, error) {
	makers := make([]Maker, len(list))
	ended := ctx
	ctx = context.WithoutCancel(ctx) // to watch for its end costs more than one of the short queries
	db, err := j.readerNow()
	if err != nil {
		return makers, err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return makers, failed("attribute", err)
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	since := j.options.Now().Add(-attributeWithin).UnixNano()
	var any bool
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM intent) OR EXISTS (SELECT 1 FROM revision
		WHERE rev > (SELECT max(rev) FROM revision) - 1000 AND time > ? AND actor <> 'external')`, since).Scan(&any)
	if err != nil || !any {
		return makers, failed("attribute", err)
	}
	open, err := announcers(ctx, tx)
	if err != nil {
		return makers, failed("attribute", err)
	}
	for i := range list {
		if err := ended.Err(); err != nil {
			return makers, err
		}
		if announcedBy(open[memstore.BackendName(list[i].Path)], &list[i], &makers[i]) {
			continue
		}
		if err := attribute(ctx, tx, &list[i], since, &makers[i]); err != nil {
			return makers, failed("attribute", err)
		}
	}
	return makers, nil
}

// announcer is who is about to make a change of an open intent.
type announcer struct {
	Maker
	shape past.Shape
	kind  memstore.Kind
	sum   []byte // of the bytes after it, nil where they are not known
}

// announcers are those of the open intents by path, the newest first.
func announcers(ctx context.Context, tx *sql.Tx) (map[string][]announcer, error) {
	rows, err := tx.QueryContext(ctx, `SELECT c.path, c.shape, c.kind, b.sum, i.actor, i.command, coalesce(i.session, ''), coalesce(i.tool, '')
		FROM intent_change c JOIN intent i ON i.id = c.intent LEFT JOIN blob b ON b.id = c.after ORDER BY i.id DESC`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	open := map[string][]announcer{}
	for rows.Next() {
		var a announcer
		var path string
		if err := rows.Scan(&path, &a.shape, &a.kind, &a.sum, &a.Actor, &a.Command, &a.Session, &a.ToolUseID); err != nil {
			return nil, err
		}
		open[path] = append(open[path], a)
	}
	return open, rows.Err()
}

// announcedBy finds the announcer of an observation.
func announcedBy(open []announcer, o *Observation, m *Maker) bool {
	shape := o.shape()
	like := likeness(shape)
	for _, a := range open {
		known := a.kind != memstore.KindFile || o.After == nil && a.sum == nil || o.After != nil && bytes.Equal(a.sum, o.After.Digest[:])
		if known && (a.shape == shape || a.shape == like) {
			*m = a.Maker
			return true
		}
	}
	return false
}

// likeness is what a shape may be taken for: an edit that makes a file may be seen as one of what was
// there, and the other way round.
func likeness(s past.Shape) past.Shape {
	switch s {
	case past.Made:
		return past.Edited
	case past.Edited:
		return past.Made
	}
	return s
}

// attributeLag is how long after a change a watcher tells it at most. What the path has gone on to before that,
// the change that is told comes after.
const attributeLag = 2 * time.Second

// attribute finds the newest revision that an observation can be: not one that was taken back or followed by
// another one before the observation, as a file that was deleted, put back, and deleted again by somebody else.
func attribute(ctx context.Context, tx *sql.Tx, o *Observation, since int64, m *Maker) error {
	var after any
	if o.After != nil {
		after = o.After.Digest[:]
	}
	seen := o.Time.UnixNano()
	if o.Time.IsZero() {
		seen = since + attributeWithin.Nanoseconds()
	}
	var session, tool sql.NullString
	row := tx.QueryRowContext(ctx, `SELECT r.actor, r.command, r.session, r.tool, r.rev FROM revision r JOIN path p ON p.id = r.path
		LEFT JOIN blob b ON b.id = r.after WHERE p.name = ?1 AND r.shape IN (?2, ?3) AND (b.sum IS ?4 OR r.kind <> 1)
		AND r.time > ?5 AND r.actor <> 'external'
		AND NOT EXISTS (SELECT 1 FROM revision n WHERE n.path = r.path AND n.rev > r.rev AND n.time < ?6) ORDER BY r.rev DESC LIMIT 1`,
		memstore.BackendName(o.Path), int(o.shape()), int(likeness(o.shape())), after, since, seen-attributeLag.Nanoseconds())
	err := row.Scan(&m.Actor, &m.Command, &session, &tool, &m.Rev)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	m.Session, m.ToolUseID = session.String, tool.String
	return err
}

// overtaken reports whether one of our own processes has written, removed or moved the file since it was observed, and the disk is no longer
// as it was then. That edit has recorded what it found: to record it now would put it after the edit.
func (w *writer) overtaken(j *Journal, o *Observation, s sides) (bool, error) {
	if o.Kind != memstore.KindFile || s.after == nil || !s.after.hashed || o.Time.IsZero() || j.options.Backend == nil {
		return false, nil
	}
	found, err := w.row(`SELECT 1 FROM (SELECT r.time, r.actor FROM revision r JOIN path p ON p.name = ?1 WHERE r.path = p.id OR r.old_path = p.id
		ORDER BY r.rev DESC LIMIT 1) WHERE time > ?2 AND actor <> ?3`, []any{memstore.BackendName(o.Path), o.Time.UnixNano(), string(memstore.External)}, new(int))
	if err != nil || !found {
		return false, err
	}
	sum, _, err := j.digest(memstore.BackendName(o.Path))
	return err != nil || sum != s.after.sum, nil // what cannot be read is told by the next comparison
}
