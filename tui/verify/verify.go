// Package verify records which files the user finds true, on behalf of every screen that shows one.
package verify

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/edits"
	"memcurator/tui/ui"
)

const owner = "verify"

// Options are what a [Verifier] works on.
type Options struct {
	Journal *journal.Journal // nil where there is none
	// SetVerified is told when the user verified each file: those that have not changed since, and those that have.
	SetVerified func(at, lapsed map[string]time.Time) tea.Cmd
	// Replan makes the plan again, in which rules may ask for verifications.
	Replan func() tea.Cmd
}

// Verifier keeps which files the user has verified. All methods run on the Bubble Tea goroutine.
type Verifier struct {
	Options
	env   *ui.Env
	shell *ui.Shell
	edits *edits.Queue
}

// New makes it.
func New(env *ui.Env, shell *ui.Shell, queue *edits.Queue, o Options) *Verifier {
	return &Verifier{o, env, shell, queue}
}

// WhyNot says why nothing can be verified here.
func (v *Verifier) WhyNot() ui.Say {
	if v.Journal == nil {
		return ui.Say{Text: "Verify needs a journal, and this store has none"}
	}
	return ui.Say{}
}

// act is the outcome of a job on some files.
type act struct {
	paths         []string
	before, after map[string]past.Verification
	forgot        bool
	facts         *policy.Facts
}

// what names the files.
func (a *act) what() string {
	if len(a.paths) > 1 {
		return ui.Count(len(a.paths), "file")
	}
	return text.Clean(ui.PathText(a.paths[0]))
}

// said is the message about it.
func (v *Verifier) said(a *act) string {
	switch {
	case !a.forgot:
		return "Verified " + a.what() + ". {global/verify} again forgets it"
	case len(a.paths) > 1:
		return "Forgot that " + a.what() + " were verified. {global/verify} verifies them again"
	}
	return "Forgot that " + a.what() + " was verified. {global/verify} verifies it again"
}

// Toggle records that files are true as they are now. If all of them are verified, it forgets that.
func (v *Verifier) Toggle(paths []string) tea.Cmd {
	if len(paths) == 0 {
		v.shell.Tell(ui.Info, "No file here to verify")
		return nil
	}
	j, now := v.Journal, v.env.Now()
	return ui.Start(v.env.Jobs, ui.Job[act]{
		Owner: owner, Label: ui.LabelJournal,
		Work: func(ctx context.Context, _ *ui.Progress) (act, error) { return toggle(ctx, j, paths, now) },
		Done: func(a act) tea.Cmd {
			v.shell.Tell(ui.Info, v.env.Keyed(v.said(&a)))
			return tea.Batch(v.show(a.facts), v.edits.Beside(edits.Beside{
				Owner: owner,
				Undo:  func() tea.Cmd { return v.set(a.before, v.reversed("Undid", &a, v.edits.UndoKeys().Redo, "redoes")) },
				Redo:  func() tea.Cmd { return v.set(a.after, v.reversed("Redid", &a, v.edits.UndoKeys().Undo, "undoes")) },
			}))
		},
	})
}

func (v *Verifier) reversed(did string, a *act, key, does string) string {
	said := did + " the verification of " + a.what()
	if key != "" {
		said += ". " + key + " " + does
	}
	return said
}

// show tells the tree and the plan what is verified now.
func (v *Verifier) show(facts *policy.Facts) tea.Cmd {
	return tea.Batch(v.SetVerified(facts.Verified()), v.Replan())
}

// set brings back what was verified.
func (v *Verifier) set(what map[string]past.Verification, said string) tea.Cmd {
	j := v.Journal
	return edits.Do(v.edits, edits.Edit[*policy.Facts]{
		Label: ui.LabelJournal,
		Work: func(ctx context.Context, _ *ui.Progress) (*policy.Facts, error) {
			if err := j.Verify(ctx, what); err != nil {
				return nil, err
			}
			return policy.FactsOf(ctx, j)
		},
		Done: func(facts *policy.Facts) tea.Cmd {
			v.shell.Tell(ui.Info, said)
			return v.show(facts)
		},
	})
}

// toggle verifies the texts that the journal has of files: one that is written meanwhile is another text.
func toggle(ctx context.Context, j *journal.Journal, paths []string, now time.Time) (act, error) {
	a := act{paths: paths, before: map[string]past.Verification{}, after: map[string]past.Verification{}}
	for _, path := range paths {
		a.before[path], a.after[path] = past.Verification{}, past.Verification{At: now}
	}
	standing := 0
	err := j.Facts(ctx, func(f past.Fact) bool {
		if _, ok := a.after[f.Path]; ok {
			a.before[f.Path], a.after[f.Path] = f.Verified, past.Verification{At: now, Text: f.Digest}
			if f.Stands() {
				standing++
			}
		}
		return true
	})
	if err != nil {
		return act{}, err
	}
	if a.forgot = standing == len(paths); a.forgot {
		for path := range a.after {
			a.after[path] = past.Verification{}
		}
	}
	if err := j.Verify(ctx, a.after); err != nil {
		return act{}, err
	}
	a.facts, err = policy.FactsOf(ctx, j)
	return a, err
}
