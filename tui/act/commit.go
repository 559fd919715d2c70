package act

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/config"
	"memcurator/memstore/git"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// ownerPending names the job that finds out what a commit would have.
const ownerPending = "commit.plan"

const (
	textNoRepository = "Can't commit: the store is in no git repository"
	textCommitsOff   = `Commits are off. commit = "ask" in the configuration turns them on`
	textNoCommits    = "Can't commit: no journal, so your changes aren't known"
	textAllCommitted = "Nothing to commit: the last commit has all your changes"
)

// WhyNoCommit says why nothing can be committed here.
func (q *Queue) WhyNoCommit() kit.Say {
	switch {
	case q.Dir == "":
		return kit.Say{Text: textNoRepository}
	case q.Rules.Commit.Value != config.CommitAsk:
		return kit.Say{Text: textCommitsOff}
	case q.Journal == nil:
		return kit.Say{Text: textNoCommits}
	}
	return q.WhyNoWrite()
}

// WithCommit adds to the report of an act that can be undone how to commit it, if commits are offered.
func (q *Queue) WithCommit(said string) string {
	if !q.acted || !strings.HasSuffix(said, q.UndoKey()+" undoes") || q.WhyNoCommit().Text != "" {
		return said
	}
	return said + ", :" + string(keymap.Commit) + " commits it"
}

// Commit commits the files that the user changed and no commit has, with a message. Without one it suggests a message to type on.
func (q *Queue) Commit(message string) tea.Cmd {
	if q.told(q.WhyNoCommit()) {
		return nil
	}
	dir, j := q.Dir, q.Journal
	return kit.Start(q.env.Jobs, kit.Job[git.Pending]{
		Owner: ownerPending, Label: "asking git",
		Work: func(ctx context.Context, _ *kit.Progress) (git.Pending, error) {
			j.Flush()
			p, err := git.PendChanges(ctx, dir, j)
			return p, commitError(err)
		},
		Done: func(p git.Pending) tea.Cmd {
			if message == "" {
				q.shell.Suggest(string(keymap.Commit) + " " + p.Message())
				return nil
			}
			return q.askCommit(p, message)
		},
	})
}

// commitError is a failure as a sentence.
func commitError(err error) error {
	if err == nil || isCancelled(err) {
		return err
	}
	if errors.Is(err, git.ErrUnchanged) {
		return errors.New(textAllCommitted)
	}
	return errors.New("Can't commit: " + text.Clean(err.Error()))
}

// askCommit lists the files and commits them after a yes.
func (q *Queue) askCommit(p git.Pending, message string) tea.Cmd {
	var b strings.Builder
	b.WriteString(text.Clean(message) + "\n\n")
	for _, f := range p.Files[:min(len(p.Files), undoListed)] {
		fmt.Fprintf(&b, "%-6s %s\n", f.Does, text.Clean(kit.PathText(f.Path)))
	}
	if more := len(p.Files) - undoListed; more > 0 {
		b.WriteString("and " + kit.Number(more) + " more\n")
	}
	b.WriteString("\nOnly these files; what else is staged stays staged. No hook runs.")
	q.shell.Ask("Commit "+kit.CountGrouped(len(p.Files), "file")+"?", b.String(), func() tea.Cmd { return q.commit(p, message) })
	return nil
}

func (q *Queue) commit(p git.Pending, message string) tea.Cmd {
	dir, j, now := q.Dir, q.Journal, q.env.Now()
	return Do(q, Edit[string]{
		Label: "committing",
		Work: func(ctx context.Context, _ *kit.Progress) (string, error) {
			hash, err := p.Commit(ctx, message, now)
			if err != nil {
				return "", commitError(err)
			}
			if _, err := git.Learn(ctx, dir, j); err != nil && q.Log != nil { // the next look takes it
				q.Log.Info("the commits of git", "error", err)
			}
			return hash, nil
		},
		Done: func(hash string) tea.Cmd {
			q.shell.Tell(kit.Info, "Committed "+kit.CountGrouped(len(p.Files), "file")+" as "+past.ShortCommit(hash))
			return nil
		},
	})
}
