package journal

import (
	"context"
	"database/sql"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Follow implements [past.Follower]: it waits for revisions of this process and others. A query takes about 0.1 ms; while it
// waits there is one every two seconds.
func (j *Journal) Follow(ctx context.Context, seen past.State, most int) (past.Batch, error) {
	for {
		rung := j.bell.Wait()
		b, err := j.after(ctx, seen, most)
		if err != nil || b.Next != seen || b.Reset {
			return b, err
		}
		if err := j.bell.Pause(ctx, rung, j.options.Wake); err != nil {
			return past.Batch{}, err
		}
	}
}

// Called implements [memstore.CallRecorder].
func (j *Journal) Called(c memstore.Call) {
	j.calls.Add(past.Call{
		Time: c.Time, Actor: c.Origin.Actor, Session: cutText(c.Origin.Session), Command: cutText(c.Command), Path: c.Path, Failed: c.Failed,
	})
}

// FollowCalls implements [past.CallFollower].
func (j *Journal) FollowCalls(ctx context.Context, after int64) ([]past.Call, int64, error) {
	return j.calls.Follow(ctx, after, j.options.Wake)
}

// after is Follow without waiting.
func (j *Journal) after(ctx context.Context, seen past.State, most int) (past.Batch, error) {
	b, err := j.look(ctx, seen, most)
	if health := j.Health(); health != nil {
		// A damaged journal returns nothing useful, but the damage is reported once.
		b = past.Batch{Next: seen, Newest: seen.Last, Health: past.Health{Level: past.Damaged, Note: DamageText(health)}}
		b.Next.Level = past.Damaged
		return b, nil
	}
	return b, failed("follow", err)
}

func (a *archive) look(ctx context.Context, seen past.State, most int) (b past.Batch, err error) {
	db, err := a.readerNow()
	if err != nil {
		return b, err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return b, err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	if b.Next, err = stateOf(ctx, tx); err != nil {
		return b, err
	}
	b.Newest = b.Next.Last
	if seen.Epoch != "" && b.Next.Epoch != seen.Epoch || b.Newest < seen.Last {
		b.Reset = true
		return b, nil
	}
	if b.Newest == seen.Last {
		return b, nil
	}
	b.Revisions, err = revisionsOf(tx.QueryContext(ctx,
		"SELECT "+revisionColumns+revisionFrom+" WHERE r.rev > ? ORDER BY r.rev LIMIT ?", seen.Last, most))
	if err != nil {
		return b, err
	}
	if n := len(b.Revisions); n == most && n > 0 {
		b.Next.Last = b.Revisions[n-1].Rev
	}
	return b, nil
}

// State is the current position of the journal. It does not wait for the settler, so an edit that has just ended may be missing.
func (a *archive) State(ctx context.Context) (past.State, error) {
	db, err := a.readerNow()
	if err != nil {
		return past.State{}, err
	}
	s, err := stateOf(ctx, db)
	return s, failed("list", err)
}

// queryer is a connection or a transaction.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func stateOf(ctx context.Context, db queryer) (s past.State, err error) {
	var oldest, ever int64
	err = db.QueryRowContext(ctx, `SELECT coalesce((SELECT max(rev) FROM revision), 0), coalesce((SELECT min(rev) FROM revision), 0),
		coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'revision'), 0),
		coalesce((SELECT value FROM meta WHERE key = ?), 0), coalesce((SELECT value FROM meta WHERE key = ?), 0),
		coalesce((SELECT value FROM meta WHERE key = ?), '')`, metaFlags, metaPurges, metaID).
		Scan(&s.Last, &oldest, &ever, &s.Flags, &s.Purges, &s.Epoch)
	s.Floor = oldest - 1
	if oldest == 0 {
		s.Floor, s.Last = ever, ever
	}
	return s, err
}

// metaFlags is the meta key that counts the changes to recorded revisions.
const metaFlags = "flags"

// flag notes that this transaction changes recorded revisions.
func (w *writer) flag() { w.flagged, w.rings = true, true }

// countFlags counts a transaction that changes recorded revisions, before it commits.
func (w *writer) countFlags() error {
	if !w.flagged {
		return nil
	}
	return w.do("INSERT INTO meta (key, value) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1", metaFlags)
}
