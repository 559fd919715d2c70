package session

import (
	"context"
	"errors"

	"memcurator/memstore/git"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// LearnCommits records which commits of git have the changes of a store. Whatever keeps it from that is only logged: the record is
// complete without, and the next start tries again.
func (run *Session) LearnCommits(ctx context.Context, dir string, j *journal.Journal) {
	if _, err := git.Learn(ctx, dir, j); err != nil && ctx.Err() == nil && !errors.Is(err, past.ErrReadOnly) {
		run.Log.Info("the commits of git", "error", err)
	}
}
