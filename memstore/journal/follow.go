package journal

import (
	"context"

	"memcurator/memstore/journal/archive"
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
