package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memcurator/cli/output"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/git"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// commitListed bounds the files that the question about a commit lists.
const commitListed = 10

// OfferCommit ends a command that changed the store at dir, if its configuration has commit = "ask" and git lacks changes of the user.
// It asks whether to commit them, or, where it must not ask, says what commits them. mayAsk: the user answers questions of this command.
// A commit that fails is said too; the command has done its work nevertheless.
func (run *Session) OfferCommit(ctx context.Context, dir string, s Settings, j *journal.Journal, mayAsk bool) {
	s.Dir = dir
	if j == nil || run.beside || s.OfStore().Commit.Value != config.CommitAsk {
		return
	}
	if _, ok := git.Around(dir); !ok {
		return
	}
	j.Flush()
	p, err := git.PendChanges(ctx, dir, j)
	switch {
	case ctx.Err() != nil, errors.Is(err, git.ErrUnchanged):
		return
	case err != nil:
		run.Log.Info("the changes to commit", "error", err)
		run.Say("Not committed: " + commitReason(err))
		return
	}
	files := output.Counted(len(p.Files), "file")
	if !mayAsk || run.each != nil || !run.CanAsk() {
		run.Say(fmt.Sprintf("Not committed: %s. To commit, run %s %s and type :commit", files, Program, Typed(dir)))
		return
	}
	for _, f := range p.Files[:min(len(p.Files), commitListed)] {
		run.SayPlain(fmt.Sprintf("%-6s %s", f.Does, memstore.BackendName(f.Path)))
	}
	if more := len(p.Files) - commitListed; more > 0 {
		run.SayPlain(fmt.Sprintf("and %s more", text.Number(int64(more))))
	}
	message := p.Message()
	if yes, err := run.ask("Commit %s as %q?", files, message); err != nil || !yes {
		return
	}
	hash, err := p.Commit(ctx, message, time.Now())
	if err != nil {
		run.Log.Warn("the commit", "error", err)
		run.Say("Can't commit: " + commitReason(err))
		return
	}
	run.LearnCommits(ctx, dir, j)
	run.Say(fmt.Sprintf("Committed %s as %s", files, past.ShortCommit(hash)))
}

// commitReason says why nothing was committed, as the end of a sentence.
func commitReason(err error) string {
	var j *past.Error
	if errors.As(err, &j) {
		return JournalReason(err)
	}
	return err.Error()
}
