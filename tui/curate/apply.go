package curate

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/tui/edits"
	"memcurator/tui/ui"
)

// applyListed is how many files a question about an apply names; it can be scrolled.
const applyListed = 2000

const textApplyAsk = "{global/undo} undoes all of it."

// askApply asks whether to carry out what is ticked, with the names and the bytes.
func (s *Screen) askApply() tea.Cmd {
	if s.Journal == nil {
		s.shell.Tell(ui.Info, edits.NoJournalText(s.edits.NoJournal))
		return nil
	}
	ticked := s.list.Ticked()
	if len(ticked) == 0 {
		s.shell.Tell(ui.Info, s.env.Keyed("nothing is ticked: {curate/mark} ticks, {curate/mark-all} ticks all"))
		return nil
	}
	size := func(n int64) string { return memstore.FormatSize(s.Store().Dialect(), n) }
	var list []applyLine
	total, gone := int64(0), 0
	for i, a := range ticked {
		total += a.Bytes
		if a.Do != policy.Archive {
			gone++
		}
		if i < applyListed {
			list = append(list, applyLine{Do: string(a.Do), Path: a.Path, To: a.To, Size: size(a.Bytes)})
		}
	}
	var doubts []string
	p := s.list.Plan()
	for _, d := range p.Doubts {
		doubts = append(doubts, d.String())
	}
	body := applyText(list, len(ticked), size(total), gone == p.Files, doubts, s.env.Keyed(textApplyAsk))
	s.shell.Ask("Apply "+ui.CountGrouped(len(ticked), "proposal")+"?", body, func() tea.Cmd { return s.carryActions(ticked) })
	return nil
}

// applyLine is one line of a question about an apply.
type applyLine struct{ Do, Path, To, Size string }

// applyText asks whether to carry actions out. The sums and the question come first, as the paths
// may be many; they follow with their bytes.
func applyText(list []applyLine, count int, all string, whole bool, doubts []string, ask string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s. %s\n", ui.Count(count, "file"), all, ask)
	if whole {
		b.WriteString("That is every file of the store.\n")
	}
	for _, d := range doubts {
		b.WriteString(d + ".\n")
	}
	for _, p := range list {
		fmt.Fprintf(&b, "\n%-10s %s", p.Do, p.Path)
		if p.To != "" {
			b.WriteString(" -> " + p.To)
		}
		b.WriteString("  " + p.Size)
	}
	if more := count - len(list); more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// applied is what became of an apply.
type applied struct {
	out policy.Outcome
	err error
}

// carryActions carries actions out as one group; esc stops it between two files.
func (s *Screen) carryActions(actions []policy.Action) tea.Cmd {
	stopped, stop := context.WithCancel(context.Background())
	s.stop = stop
	store, j := s.Store(), s.Journal
	return edits.Do(s.edits, edits.Edit[applied]{
		Label: "applying", Done: s.actionsCarried, Dropped: func() { s.stop = nil },
		// The context of the job is ignored: a write is never cut by a newer job, only by the user.
		Work: func(_ context.Context, progress *ui.Progress) (applied, error) {
			report := func(done, total int) { progress.Set(int64(done), int64(total)) }
			out, err := policy.Apply{Store: store, Journal: j, Report: report}.Run(stopped, actions)
			return applied{out, err}, nil
		},
	})
}

// StopApply stops an apply that is under way, after the file that it is at.
func (s *Screen) StopApply() bool {
	if s.stop == nil || !s.edits.Busy() {
		return false
	}
	s.stop()
	s.shell.Tell(ui.Info, "stopping after the file that is under way")
	return true
}

// actionsCarried reports what was done, what was left alone and what was not begun.
func (s *Screen) actionsCarried(v applied) tea.Cmd {
	s.stop()
	s.stop = nil
	counts := map[policy.Do]int{}
	for _, a := range v.out.Done {
		counts[a.Do]++
	}
	var did []string
	for _, do := range []policy.Do{policy.Delete, policy.Archive, policy.Quarantine} {
		if n := counts[do]; n > 0 {
			did = append(did, didText(n, string(do)))
		}
	}
	for i, skipped := range v.out.Skipped {
		if i == edits.LeftListed {
			break
		}
		s.shell.Tell(ui.Warn, edits.LeftAloneText(skipped.Path, edits.Reason(skipped.Why)))
	}
	size := memstore.FormatSize(s.Store().Dialect(), v.out.Bytes)
	said := appliedText(did, size, len(v.out.Skipped), len(v.out.Left), s.edits.UndoKeys().Undo)
	switch {
	case v.err != nil && !isStopped(v.err):
		s.Log.Error("apply", "error", v.err)
		s.shell.Tell(ui.Fail, said+": "+edits.Reason(v.err))
	case len(v.out.Skipped) > 0:
		s.shell.Tell(ui.Warn, said)
	default:
		s.shell.Tell(ui.Info, said)
	}
	return s.Replan()
}

// appliedText reports what an apply did: counts by what was done, bytes, what was skipped and what was not begun.
func appliedText(done []string, bytes string, skipped, left int, undo string) string {
	var parts []string
	if len(done) > 0 {
		parts = append(parts, strings.Join(done, ", ")+" ("+bytes+")")
	} else {
		parts = append(parts, "nothing was done")
	}
	if skipped > 0 {
		parts = append(parts, ui.Count(skipped, "file")+" left alone: changed meanwhile")
	}
	if left > 0 {
		parts = append(parts, fmt.Sprintf("%d not begun", left))
	}
	if len(done) > 0 && undo != "" {
		parts = append(parts, undo+" brings it back")
	}
	return strings.Join(parts, "; ")
}

// didText is a count of one kind of action: "3 deleted".
func didText(n int, do string) string {
	return fmt.Sprintf("%d %s", n, map[string]string{"delete": "deleted", "archive": "archived", "quarantine": "put into quarantine"}[do])
}
