package curate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/memstore/upkeep"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// namedMost is how many files a question names.
const namedMost = 8

const textCompares = "The two files differ. {curate/edit-proposal} edits the newer one, {curate/delete-file} deletes the older one, {curate/never} keeps both"

// informs says that nothing is proposed.
func informs(a policy.Action) string {
	return "Nothing to apply: " + string(a.Do) + " only informs. {curate/delete-file} deletes the file, {curate/never} keeps it"
}

// whyNoApply says why nothing can be applied of what is selected or under the cursor.
func (s *Screen) whyNoApply() kit.Say {
	r, _ := s.list.Current()
	if r.heading() || len(s.list.Selection()) > 0 || s.list.Ranging() || s.list.Selectable(r) {
		return s.edits.WhyNoRemoval()
	}
	return kit.Say{Text: s.env.Keyed(s.list.Why(r))}
}

// apply asks whether to apply actions, and names them. Rewritten links of one note need no question: the diff is on the screen.
func (s *Screen) apply(actions []policy.Action) tea.Cmd {
	tell := func(why string) tea.Cmd {
		s.shell.Tell(kit.Info, s.env.Keyed(why))
		return nil
	}
	switch {
	case s.edits.Journal == nil:
		s.shell.Tell(kit.Info, act.NoJournalText(s.edits.NoJournal))
		return nil
	case s.edits.Busy():
		return tell("Still applying. {global/back} stops")
	case len(actions) == 0:
		return tell("Nothing selected. {list/mark} selects, {list/mark-all} selects all")
	case len(actions) == 1 && (actions[0].Do == policy.Link || actions[0].Do == policy.Fix):
		return s.carryOut(actions)
	}
	store := s.edits.Handlers
	return kit.Start(s.env.Jobs, kit.Job[[]upkeep.Rewrite]{
		Owner: act.OwnerPlan, Label: "reading the links",
		Work: func(ctx context.Context, _ *kit.Progress) ([]upkeep.Rewrite, error) {
			follows, err := policy.Follows(ctx, store, actions)
			if ctx.Err() == nil {
				err = nil // if that can't be known, nothing follows
			}
			return follows, err
		},
		Done: func(follows []upkeep.Rewrite) tea.Cmd { return s.ask(actions, follows) },
	})
}

// ask asks whether to apply actions, and names them and what follows.
func (s *Screen) ask(actions []policy.Action, follows []upkeep.Rewrite) tea.Cmd {
	var b strings.Builder
	dialect := s.edits.Handlers.Dialect()
	b.WriteString(policy.Title(actions) + ": " + s.list.size(actions) + " in all. " + s.env.Keyed("{global/undo} undoes all of it.") + "\n")
	for i, a := range actions {
		if i == namedMost && len(actions) > namedMost+1 {
			fmt.Fprintf(&b, "\nand %s more", kit.Number(len(actions)-i))
			break
		}
		to := ""
		if a.To != "" {
			to = " -> " + inStore(a.To)
		}
		fmt.Fprintf(&b, "\n%-7s %s%s  %s", a.Do, inStore(a.Path), to, memstore.FormatSize(dialect, a.Bytes))
	}
	if len(follows) > 0 {
		b.WriteString("\n\nUpdates " + upkeep.Asked(follows))
	}
	s.shell.Ask("Apply "+kit.CountGrouped(len(actions), "proposal")+"?", b.String(), func() tea.Cmd { return s.carryOut(actions) })
	return nil
}

// carryOut carries actions out as one group; esc stops it between two files.
func (s *Screen) carryOut(actions []policy.Action) tea.Cmd {
	store, j := s.edits.Handlers, s.edits.Journal
	var failed error
	return act.Do(s.edits, act.Edit[policy.Outcome]{
		Label: "applying", Done: func(out policy.Outcome) tea.Cmd { return s.applied(out, failed) },
		Work: func(ctx context.Context, progress *kit.Progress) (out policy.Outcome, err error) {
			report := func(done, total int) { progress.Set(int64(done), int64(total)) }
			out, failed = policy.Apply{Store: store, Journal: j, Report: report}.Run(ctx, actions)
			return out, nil
		},
	})
}

// applied reports which actions were applied, skipped and not started: "Deleted a.md. u undoes", "Applied 24 of 25; skipped 1. M
// lists them".
func (s *Screen) applied(out policy.Outcome, failed error) tea.Cmd {
	for _, skipped := range out.Skipped[:min(act.LeftListed, len(out.Skipped))] {
		s.shell.Tell(kit.Warn, act.LeftAloneText(skipped.Path, act.Reason(skipped.Why)))
	}
	done, all := len(out.Done), len(out.Done)+len(out.Skipped)+len(out.Left)
	said := "Applied " + kit.Number(done)
	switch {
	case done == 1 && all == 1:
		said = didWords[out.Done[0].Do] + " " + kit.PathText(out.Done[0].Path)
	case done < all:
		said += " of " + kit.Number(all)
	}
	if followed := upkeep.Said(out.Followed); followed != "" {
		said += ", updated " + text.Clean(followed)
	}
	switch {
	case failed != nil && !errors.Is(failed, context.Canceled):
		s.shell.Tell(kit.Fail, said+". Can't continue: "+act.Reason(failed))
	case len(out.Skipped) == 1 && all == 1: // said above
	case len(out.Skipped) > 0:
		s.shell.Tell(kit.Warn, said+s.env.Keyed(fmt.Sprintf("; skipped %d. {global/messages} lists them", len(out.Skipped))))
	case done > 0:
		s.shell.Tell(kit.Info, said+s.env.Keyed(". {global/undo} undoes"))
	default:
		s.shell.Tell(kit.Info, said)
	}
	return nil
}

// didWords name the actions in the past tense.
var didWords = map[policy.Do]string{
	policy.Delete: "Deleted", policy.Archive: "Archived",
	policy.Link: "Relinked", policy.Fix: "Fixed",
}
