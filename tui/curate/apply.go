package curate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/memstore/upkeep"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// namedMost is how many files a question names.
const namedMost = 8

// Applying applies proposals, one group after another.
type Applying struct {
	screen *Screen
	stop   context.CancelFunc // of the one under way; nil: none
}

// apply applies what is selected, else the proposal under the cursor, or on a heading those of its section.
func (a *Applying) apply() tea.Cmd { return a.ask(a.screen.list.Chosen()) }

// ask asks whether to apply actions, with counts, sizes and names. Actions without effect are omitted. Rewritten links of one
// note need no question: the diff is on the screen.
func (a *Applying) ask(chosen []policy.Action) tea.Cmd {
	s := a.screen
	if s.edits.Lasting == nil {
		s.shell.Tell(kit.Info, act.NoJournalText(s.edits.NoJournal))
		return nil
	}
	actions := slices.DeleteFunc(slices.Clone(chosen), func(one policy.Action) bool { return !one.Do.Changes() })
	switch {
	case a.stop != nil:
		s.shell.Tell(kit.Info, s.env.Keyed("Still applying. {global/back} stops"))
		return nil
	case len(chosen) == 0:
		s.shell.Tell(kit.Info, s.env.Keyed("Nothing selected. {list/mark} selects, {list/mark-all} selects all"))
		return nil
	case len(actions) == 0 && chosen[0].Compares():
		s.shell.Tell(kit.Info, s.env.Keyed("The two files differ. {curate/edit-proposal} joins them by hand, {curate/never} keeps both"))
		return nil
	case len(actions) == 0:
		s.shell.Tell(kit.Info, s.env.Keyed("Nothing to apply: "+string(chosen[0].Do)+" only informs. {curate/delete-file} deletes the file, "+
			"{curate/never} keeps it"))
		return nil
	case len(actions) == 1 && (actions[0].Do == policy.Link || actions[0].Do == policy.Fix):
		return a.carryOut(actions)
	}
	p := s.list.Plan()
	var doubts []string
	for _, d := range p.Doubts {
		doubts = append(doubts, d.String())
	}
	gone := 0
	for _, one := range actions {
		if one.Do.Removes() {
			gone++
		}
	}
	title := "Apply " + kit.CountGrouped(len(actions), "proposal") + "?"
	s.shell.Ask(title, applyText(s.env, s.edits.Handlers, actions, gone == p.Files, doubts), func() tea.Cmd {
		return a.carryOut(actions)
	})
	return nil
}

// applyText is the body of the question: sums by what is done, the way back, and the names.
func applyText(env *kit.Env, store *memstore.Store, actions []policy.Action, whole bool, doubts []string) string {
	var sums []string
	for _, do := range policy.Changing() {
		if n, bytes := policy.FilesOf(actions, do); n > 0 {
			sums = append(sums, fmt.Sprintf("%s %s (%s)", do, kit.Number(n), sizeIn(store, bytes)))
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(sums, ", ") + ". " + env.Keyed("{global/undo} undoes all of it.") + "\n")
	if slices.ContainsFunc(actions, func(a policy.Action) bool { return a.Do == policy.Merge }) {
		b.WriteString("What is merged into another file is deleted.\n")
	}
	if whole {
		b.WriteString("These are all files of the store.\n")
	}
	for _, d := range doubts {
		b.WriteString(d + ".\n")
	}
	for i, a := range actions {
		if i == namedMost && len(actions) > namedMost+1 {
			fmt.Fprintf(&b, "\nand %s more", kit.Number(len(actions)-i))
			break
		}
		fmt.Fprintf(&b, "\n%-10s %s", a.Do, inStore(a.Path))
		switch {
		case a.To != "":
			b.WriteString(" -> " + inStore(a.To))
		case a.Do == policy.Merge:
			b.WriteString(" into " + inStore(target(a)))
		}
		b.WriteString("  " + sizeIn(store, a.Bytes))
	}
	return b.String()
}

// sizeIn is a size as the agent of a store reads it.
func sizeIn(store *memstore.Store, bytes int64) string {
	return memstore.FormatSize(store.Dialect(), bytes)
}

// applied is the outcome of an apply.
type applied struct {
	out policy.Outcome
	err error
}

// carryOut carries actions out as one group; esc stops it between two files.
func (a *Applying) carryOut(actions []policy.Action) tea.Cmd {
	s := a.screen
	stopped, stop := context.WithCancel(context.Background())
	a.stop = stop
	store, j, keep := s.edits.Handlers, s.edits.Lasting, s.edits.Indexes.Follow()
	return act.Do(s.edits, act.Edit[applied]{
		Label: "Applying", Done: a.carried, Dropped: func() { a.stop = nil },
		// The context of the job is ignored: a write is never cut by a newer job, only by the user.
		Work: func(_ context.Context, progress *kit.Progress) (applied, error) {
			report := func(done, total int) { progress.Set(int64(done), int64(total)) }
			out, err := policy.Apply{Store: store, Journal: j, InStep: keep, Report: report}.Run(stopped, actions)
			return applied{out, err}, nil
		},
	})
}

// Stop stops an apply that is under way, after the file that it is at.
func (a *Applying) Stop() bool {
	s := a.screen
	if a.stop == nil || !s.edits.Busy() {
		return false
	}
	a.stop()
	s.shell.Tell(kit.Info, "Stopping after this file")
	return true
}

// carried reports which actions were applied, skipped and not started.
func (a *Applying) carried(v applied) tea.Cmd {
	s := a.screen
	a.stop()
	a.stop = nil
	for i, skipped := range v.out.Skipped {
		if i == act.LeftListed {
			break
		}
		s.shell.Tell(kit.Warn, act.LeftAloneText(actionName(skipped.Action), act.Reason(skipped.Why)))
	}
	if followed := upkeep.Said(v.out.Followed); followed != "" {
		s.shell.Tell(kit.Info, "Updated "+followed)
	}
	said := appliedText(s.env, v.out)
	switch {
	case v.err == nil && len(v.out.Skipped) == 1 && len(v.out.Done)+len(v.out.Left) == 0: // said above
	case v.err != nil && !isStopped(v.err):
		s.edits.Log.Error("apply", "error", v.err)
		s.shell.Tell(kit.Fail, said+". Can't continue: "+act.Reason(v.err))
	case len(v.out.Skipped) > 0:
		s.shell.Tell(kit.Warn, said)
	default:
		s.shell.Tell(kit.Info, said)
	}
	return s.Replan()
}

// actionName names what an action is about: of a merge both notes, either of which may have changed.
func actionName(a policy.Action) string {
	if a.Do == policy.Merge {
		return inStore(a.Path) + " into " + inStore(target(a))
	}
	return a.Path
}

// appliedText reports what an apply did: "Merged a.md into b.md. u undoes", "Applied 24 of 25; skipped 1. M lists them".
func appliedText(env *kit.Env, out policy.Outcome) string {
	all := len(out.Done) + len(out.Skipped) + len(out.Left)
	said := "Applied " + kit.Number(len(out.Done))
	switch {
	case len(out.Done) == 1 && all == 1:
		did := didWords[out.Done[0].Do]
		said = strings.ToUpper(did[:1]) + did[1:] + " " + kit.PathText(actionName(out.Done[0]))
	case len(out.Done) < all:
		said += " of " + kit.Number(all)
	}
	if n := len(out.Skipped); n > 0 {
		return said + env.Keyed(fmt.Sprintf("; skipped %s. {global/messages} lists them", kit.Number(n)))
	}
	if len(out.Done) > 0 {
		said += env.Keyed(". {global/undo} undoes")
	}
	return said
}

// didWords name the actions in the past tense.
var didWords = map[policy.Do]string{
	policy.Delete: "deleted", policy.Archive: "archived", policy.Quarantine: "quarantined",
	policy.Merge: "merged", policy.Link: "relinked", policy.Fix: "fixed",
}
