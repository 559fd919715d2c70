package journal

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/journal/archive"
	"memcurator/memstore/journal/schema"
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
		Time: c.Time, Actor: c.Origin.Actor, Session: schema.Cut(c.Origin.Session), Command: schema.Cut(c.Command), Path: c.Path,
		Failed: c.Failed,
	})
}

// FollowCalls implements [past.CallFollower].
func (j *Journal) FollowCalls(ctx context.Context, after int64) ([]past.Call, int64, error) {
	return j.calls.Follow(ctx, after, j.options.Wake)
}

// after is Follow without waiting.
func (j *Journal) after(ctx context.Context, seen past.State, most int) (past.Batch, error) {
	b, err := archive.After(ctx, j.pool, seen, most)
	if health := j.Health(); health != nil {
		// A damaged journal returns nothing useful, but the damage is reported once.
		b = past.Batch{Next: seen, Newest: seen.Last, Health: past.Health{Level: past.Damaged, Note: DamageText}}
		b.Next.Level = past.Damaged
		return b, nil
	}
	if err != nil {
		if _, closed := j.pool.ReaderNow(); closed != nil { // it was closed while it was read
			err = closed
		}
	}
	return b, failed("follow", err)
}
