package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"memcurator/memstore"
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
	for i := range list {
		if err := attribute(ctx, tx, &list[i], since, &makers[i]); err != nil {
			return makers, failed("attribute", err)
		}
	}
	return makers, nil
}

func attribute(ctx context.Context, tx *sql.Tx, o *Observation, since int64, m *Maker) error {
	var after any
	if o.After != nil {
		after = o.After.Digest[:]
	}
	shape := int(o.shape())
	// An edit that makes a file may be seen as one of what was there, and the other way round.
	like := shape
	switch o.shape() {
	case Made:
		like = int(Edited)
	case Edited:
		like = int(Made)
	}
	var session, tool sql.NullString
	row := tx.QueryRowContext(ctx, `SELECT i.actor, i.command, i.session, i.tool, 0 FROM intent_change c JOIN intent i ON i.id = c.intent
		LEFT JOIN blob b ON b.id = c.after WHERE c.path = ?1 AND c.shape IN (?2, ?3) AND (b.sum IS ?4 OR c.kind <> 1)
		ORDER BY i.id DESC LIMIT 1`, nameOf(o.Path), shape, like, after)
	err := row.Scan(&m.Actor, &m.Command, &session, &tool, &m.Rev)
	if errors.Is(err, sql.ErrNoRows) {
		row = tx.QueryRowContext(ctx, `SELECT r.actor, r.command, r.session, r.tool, r.rev FROM revision r JOIN path p ON p.id = r.path
			LEFT JOIN blob b ON b.id = r.after WHERE p.name = ?1 AND r.shape IN (?2, ?3) AND (b.sum IS ?4 OR r.kind <> 1)
			AND r.time > ?5 AND r.actor <> 'external' ORDER BY r.rev DESC LIMIT 1`, nameOf(o.Path), shape, like, after, since)
		err = row.Scan(&m.Actor, &m.Command, &session, &tool, &m.Rev)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	m.Session, m.ToolUseID = session.String, tool.String
	return err
}
