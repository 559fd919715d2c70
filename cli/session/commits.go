package session

import (
	"context"
	"errors"

	"memcurator/memstore/git"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// LearnCommits records which commits of git have the changes of a store. Whatever keeps it from that doesn't stop the
// command: the record is complete without, and the next start tries again. A repository that does not answer is named, as waiting for it
// took a while.
func (run *Session) LearnCommits(ctx context.Context, dir string, j *journal.Journal) {
	_, err := git.Learn(ctx, dir, j)
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, past.ErrReadOnly):
	case errors.Is(err, git.ErrSpecial), errors.Is(err, git.ErrSlow):
		run.Say("Can't read the commits of git: " + err.Error())
	default:
		run.Log.Info("the commits of git", "error", err)
	}
}
