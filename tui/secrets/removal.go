package secrets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/tui/edits"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// removal is the redaction or purge under way, and what is known of those before.
type removal struct {
	stop       func() // ends it; nil: there is none
	stopping   bool   // the user has asked for its end
	purging    bool
	unfinished bool          // a purge was killed or stopped, and values are left
	step       atomic.Value  // findings.Step of the work under way
	purges     int64         // that this program knows about
	report     *purgeOutcome // of the last purge; nil: there was none in this run
}

func (r *removal) busy() bool { return r.stop != nil }

// end asks for the end of the work under way.
func (r *removal) end() {
	r.stopping = true
	r.stop()
}

// label is the step under way.
func (r *removal) label() string {
	step, _ := r.step.Load().(findings.Step)
	switch step {
	case "state":
		return "cleaning the state folder"
	case "journal":
		return "rewriting history"
	case "proof":
		return "verifying"
	}
	if r.purging {
		return "purging files"
	}
	return "redacting files"
}

// Busy reports whether values are being removed.
func (s *Screen) Busy() bool { return s.removal.busy() }

// PurgedElsewhere takes the number of purges of the journal, and reports whether there was one by another program. This
// program is told of its own when they end.
func (s *Screen) PurgedElsewhere(count int64) bool {
	if s.removal.busy() || count <= s.removal.purges {
		return false
	}
	s.removal.purges = count
	return true
}

// scrubber removes values from the store; report may be nil.
func (s *Screen) scrubber(report func(findings.Step, int, int)) *findings.Scrubber {
	o, base := s.Scrubbing, ""
	if o.StateDir != "" {
		base = filepath.Dir(o.StateDir)
	}
	return &findings.Scrubber{
		Engine: s.engine, Memory: o.Memory, Treatment: o.Treatment, Store: s.Store(), Journal: s.Journal,
		StateDir: o.StateDir, Dir: o.Dir, Base: base, Class: maps.Clone(s.list.class), Action: maps.Clone(s.list.action), Report: report,
	}
}

// refuses reports whether nothing can be removed now, and tells the user why.
func (s *Screen) refuses() bool { return s.Scrubbing == nil || s.removal.busy() || s.edits.Refuses() }

// askRemoval asks how to remove the selected values, or the one under the cursor. An unfinished purge comes first.
func (s *Screen) askRemoval() tea.Cmd {
	if s.removal.unfinished {
		s.askResume()
		return nil
	}
	return s.ask(s.list.chosen())
}

// askRemovalOfAll asks how to remove all values that are listed.
func (s *Screen) askRemovalOfAll() tea.Cmd { return s.ask(s.list.shown()) }

func (s *Screen) ask(groups []*findings.Group) tea.Cmd {
	if s.refuses() {
		return nil
	}
	if len(groups) == 0 {
		s.shell.Tell(ui.Info, s.env.Keyed("Nothing selected. {findings/tick-finding} selects, {findings/tick-all-findings} selects all"))
		return nil
	}
	files, _ := filesOf(groups)
	if files == 0 { // they are in history only
		return s.askPurge(groups)
	}
	redact := fmt.Sprintf("In %s; %s undoes; history keeps them", ui.CountGrouped(files, "file"), s.edits.UndoKey())
	title := "Redact " + ui.CountGrouped(len(groups), "value") + "?"
	s.shell.Open(ui.Box{
		Overlay: overlay.NewQuestionIn(s.env, title, s.names(groups), keymap.TakeOut).Label(keymap.FilesOnly, redact).
			Label(keymap.Yes, "Purge everywhere..."),
		Answers: map[keymap.ID]func() tea.Cmd{
			keymap.FilesOnly: func() tea.Cmd { return s.remove(groups, false) },
			keymap.Yes:       func() tea.Cmd { return s.askPurge(groups) },
		},
	})
	return nil
}

// askRedact asks before the selected values are redacted in files.
func (s *Screen) askRedact() tea.Cmd {
	groups := s.list.chosen()
	files, _ := filesOf(groups)
	if s.refuses() || files == 0 {
		return nil
	}
	body := fmt.Sprintf("In %s; %s undoes. History keeps them.", ui.CountGrouped(files, "file"), s.edits.UndoKey())
	s.shell.Ask("Redact "+ui.CountGrouped(len(groups), "value")+"?", body, func() tea.Cmd { return s.remove(groups, false) })
	return nil
}

// filesOf counts the files and the places in them that hold one of some values now.
func filesOf(groups []*findings.Group) (files, places int) {
	seen := map[string]bool{}
	for _, g := range groups {
		for i := range g.Places {
			if !g.Places[i].Past {
				seen[g.Places[i].Path] = true
				places++
			}
		}
	}
	return len(seen), places
}

// names lists values, up to eight of them.
func (s *Screen) names(groups []*findings.Group) string {
	const named = 8
	var lines []string
	for _, g := range groups[:min(len(groups), named)] {
		lines = append(lines, s.name(single(g)))
	}
	if n := len(groups) - named; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(lines, "\n")
}

// removed is the outcome of the work.
type removed struct {
	values int
	done   *findings.Done
	purged *findings.Purged // nil: files only
	count  int64            // of purges afterwards; below 0: not known
	err    error
}

// remove does the work. Esc stops it between two files; what is done stays, and a purge can be resumed.
func (s *Screen) remove(groups []*findings.Group, purge bool) tea.Cmd {
	worker := s.scrubber(nil)
	if len(groups) == s.list.survey.Open() {
		worker.All = func(string) bool { return true }
	}
	return s.startRemoval(purge, func(ctx context.Context, report func(findings.Step, int, int)) removed {
		worker.Report = report
		worker.Accept(groups)
		out := removed{values: len(groups)}
		if purge {
			out.purged, out.err = worker.Purge(ctx)
			out.done, out.count = &out.purged.Done, purgesOf(worker.Journal)
		} else {
			out.done, out.err = worker.Redact(ctx)
		}
		return out
	})
}

// startRemoval starts a redaction or purge in a job.
func (s *Screen) startRemoval(purge bool, work func(context.Context, func(findings.Step, int, int)) removed) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	r := &s.removal
	r.stop, r.purging = stop, purge
	r.step.Store(findings.StepFiles)
	s.env.Jobs.Cancel(ownerScan)
	return ui.Start(s.env.Jobs, ui.Job[removed]{
		Owner: ownerRemoval, Label: r.label(), Write: true, Done: s.removed, Failed: s.removalOver,
		Work: func(_ context.Context, p *ui.Progress) (removed, error) {
			defer stop()
			return work(ctx, func(now findings.Step, done, all int) {
				r.step.Store(now)
				p.Set(int64(done), int64(all))
			}), nil
		},
	})
}

func (s *Screen) removalOver() { s.removal.stop, s.removal.stopping = nil, false }

// removed reports what was done, and refreshes everything that may show it.
func (s *Screen) removed(out removed) tea.Cmd {
	s.removalOver()
	s.undone = nil // redo is not about what came before the removal
	if out.err == nil {
		s.list.clear()
	}
	var cmds []tea.Cmd
	// A purge that was stopped may have rewritten files.
	if out.purged != nil && !errors.Is(out.err, findings.ErrNoPurge) && !errors.Is(out.err, findings.ErrUnderWay) {
		s.removal.purges = max(s.removal.purges, out.count)
		s.removal.unfinished = out.err != nil && out.purged.Journal.Number == 0
		cmds = append(cmds, s.Purged())
	}
	s.reportRemoval(out)
	cmds = append(cmds, s.scanAfter())
	return tea.Batch(append(cmds, s.edits.Changed())...)
}

// scanAfter scans after an act, whose message stays.
func (s *Screen) scanAfter() tea.Cmd {
	cmd := s.scanNow()
	s.scans.asked = false
	return cmd
}

// reportRemoval tells the user how it went.
func (s *Screen) reportRemoval(out removed) {
	switch {
	case errors.Is(out.err, findings.ErrUnderWay):
		s.shell.Tell(ui.Warn, textPurgeAtWork)
	case errors.Is(out.err, findings.ErrNoPurge):
	case errors.Is(out.err, context.Canceled):
		s.shell.Tell(ui.Warn, s.env.Keyed(stoppedText(out.purged)))
	case out.err != nil:
		s.Log.Error("scrub", "error", out.err)
		s.shell.Tell(ui.Fail, s.env.Keyed(failedText(out.done.Files, edits.Reason(out.err), out.purged != nil)))
	case out.purged != nil:
		report := s.reportOf(out.purged, cmp.Or(out.values, out.purged.Values))
		s.removal.report = &report
		if report.clean() {
			s.shell.Tell(ui.Info, purgedText(&report))
			return
		}
		s.showReport()
	default:
		s.shell.Tell(ui.Info, s.env.Keyed(redactedText(out.values, out.done.Files, out.done.Names, len(out.done.Failed))))
	}
}

// redactedText is the message at the end of a redaction.
func redactedText(values, files, names, failed int) string {
	out := fmt.Sprintf("Redacted %s in %s", ui.CountGrouped(values, "value"), ui.CountGrouped(files, "file"))
	if names > 0 {
		out += ", renamed " + ui.CountGrouped(names, "file")
	}
	if failed > 0 {
		return out + "; can't change " + ui.CountGrouped(failed, "file")
	}
	return out + ". {global/undo} undoes; history keeps them"
}

// failedText says that a removal failed after some of the files.
func failedText(files int, why string, purge bool) string {
	out := fmt.Sprintf("Can't go on after %s: %s", ui.CountGrouped(files, "file"), why)
	if purge {
		out += ". {findings/purge-findings} resumes"
	}
	return out
}

// purgesOf is how many purges a journal has been through, for a job; below 0 where that is unknown.
func purgesOf(j *journal.Journal) int64 {
	if j == nil {
		return -1
	}
	n, err := j.Purges(context.Background())
	if err != nil {
		return -1
	}
	return n
}

// stoppedText says what is left after esc.
func stoppedText(p *findings.Purged) string {
	switch {
	case p == nil:
		return "Stopped. {global/undo} undoes what is done"
	case p.Journal.Number > 0:
		return "Purged, not verified. {global/refresh} scans again"
	}
	return "Purge stopped before history was rewritten. {findings/purge-findings} resumes"
}

// pastFiles counts the files that held one of some values and do not exist any more.
func (s *Screen) pastFiles(groups []*findings.Group) int {
	snap := s.Snapshot()
	var paths []string
	for _, g := range groups {
		for _, p := range g.Places {
			if p.Past && (snap == nil || snap.Find(p.Path) == nil) {
				paths = append(paths, p.Path)
			}
		}
	}
	slices.Sort(paths)
	return len(slices.Compact(paths))
}
