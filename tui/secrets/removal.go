package secrets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/tui/act"
	"memcurator/tui/edits"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// removal redacts values in files, or purges them everywhere: the work under way, and what is known of that before.
type removal struct {
	env   *kit.Env
	shell act.Shell
	edits *edits.Queue
	o     *Options
	list  *valueList
	scans *scans

	stop       func() // ends the work under way; nil: there is none
	stopping   bool   // the user has asked for its end
	purging    bool
	unfinished bool         // a purge was killed or stopped, and values remain
	step       atomic.Value // findings.Step of the work under way
	purges     int64        // that this program knows about
	report     *purgeReport // of the last purge; nil: there was none in this run
}

// Busy reports whether values are being removed.
func (r *removal) Busy() bool { return r.stop != nil }

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

// workText is how far the work is.
func (r *removal) workText() string {
	job, _ := r.env.Jobs.Of(ownerRemoval)
	if r.stopping {
		return progressText("stopping", job.Done, job.Total)
	}
	return progressText(r.label(), job.Done, job.Total)
}

// PurgedElsewhere takes the number of purges of the journal, and reports whether there was one by another program. This
// program learns of its own when they end.
func (r *removal) PurgedElsewhere(count int64) bool {
	if r.Busy() || count <= r.purges {
		return false
	}
	r.purges = count
	return true
}

// refuses reports whether removals are impossible now, and says why.
func (r *removal) refuses() bool { return r.o.Scrubbing == nil || r.Busy() || r.edits.Refuses() }

// ask asks how to remove the selected values, or the one under the cursor. An unfinished purge comes first.
func (r *removal) ask() tea.Cmd {
	if r.unfinished {
		r.askResume()
		return nil
	}
	return r.askAbout(r.list.chosen())
}

// askAll asks how to remove all values that are listed.
func (r *removal) askAll() tea.Cmd { return r.askAbout(r.list.shown()) }

func (r *removal) askAbout(groups []*findings.Group) tea.Cmd {
	if r.refuses() {
		return nil
	}
	switch {
	case len(r.list.survey.Groups) == 0:
		r.shell.Tell(kit.Info, "No secrets to redact or purge")
		return nil
	case len(groups) == 0:
		r.shell.Tell(kit.Info, r.env.Keyed("Nothing selected. {list/mark} selects, {list/mark-all} selects all"))
		return nil
	}
	files, _ := filesOf(groups)
	if files == 0 { // they are in history only
		return r.askPurge(groups)
	}
	redact := fmt.Sprintf("In %s; %s undoes; history keeps them", kit.CountGrouped(files, "file"), r.edits.UndoKey())
	title := "Redact " + kit.CountGrouped(len(groups), "value") + "?"
	r.shell.Open(kit.Box{
		Overlay: overlay.NewQuestionIn(r.env, title, r.list.choices.names(groups), keymap.TakeOut).Label(keymap.FilesOnly, redact).
			Label(keymap.Yes, "Purge everywhere"+r.env.Styles.Glyphs.Ellipsis),
		Answers: map[keymap.ID]func() tea.Cmd{
			keymap.FilesOnly: func() tea.Cmd { return r.remove(groups, false) },
			keymap.Yes:       func() tea.Cmd { return r.askPurge(groups) },
		},
	})
	return nil
}

// askRedact asks before the selected values are redacted in files.
func (r *removal) askRedact() tea.Cmd {
	groups := r.list.chosen()
	files, _ := filesOf(groups)
	if r.refuses() || files == 0 {
		return nil
	}
	body := fmt.Sprintf("In %s; %s undoes. History keeps them.", kit.CountGrouped(files, "file"), r.edits.UndoKey())
	r.shell.Ask("Redact "+kit.CountGrouped(len(groups), "value")+"?", body, func() tea.Cmd { return r.remove(groups, false) })
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

// removed is the outcome of the work.
type removed struct {
	values int
	done   *findings.Done
	purged *findings.Purged // nil: files only
	count  int64            // of purges afterwards; below 0: not known
	err    error
}

// remove does the work. Esc stops it between two files; what is done stays, and a purge can be resumed.
func (r *removal) remove(groups []*findings.Group, purge bool) tea.Cmd {
	worker := r.list.choices.scrubber()
	if len(groups) == r.list.survey.Open() {
		worker.All = func(string) bool { return true }
	}
	return r.start(purge, func(ctx context.Context, report func(findings.Step, int, int)) removed {
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

// start starts a redaction or purge in a job.
func (r *removal) start(purge bool, work func(context.Context, func(findings.Step, int, int)) removed) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	r.stop, r.purging = stop, purge
	r.step.Store(findings.StepFiles)
	r.env.Jobs.Cancel(ownerScan)
	return kit.Start(r.env.Jobs, kit.Job[removed]{
		Owner: ownerRemoval, Label: r.label(), Write: true, Done: r.removed, Failed: r.ended,
		Work: func(_ context.Context, p *kit.Progress) (removed, error) {
			defer stop()
			return work(ctx, func(now findings.Step, done, all int) {
				r.step.Store(now)
				p.Set(int64(done), int64(all))
			}), nil
		},
	})
}

func (r *removal) ended() { r.stop, r.stopping = nil, false }

// removed reports the removals, and refreshes everything that may show them.
func (r *removal) removed(out removed) tea.Cmd {
	r.ended()
	if out.err == nil {
		r.list.ClearSelection()
	}
	// A purge that was stopped may have rewritten files.
	if out.purged != nil && !errors.Is(out.err, findings.ErrNoPurge) && !errors.Is(out.err, findings.ErrUnderWay) {
		r.edits.Irrevocable()
		r.purges = max(r.purges, out.count)
		r.unfinished = out.err != nil && out.purged.Journal.Number == 0
		r.env.Emit(act.Purged{})
	}
	r.env.Emit(act.Changed{})
	r.env.Emit(kit.Call(func() tea.Cmd { // after Purged, which drops messages too
		r.tell(out)
		return nil
	}))
	return r.scans.after()
}

// tell reports the outcome to the user.
func (r *removal) tell(out removed) {
	switch {
	case errors.Is(out.err, findings.ErrUnderWay):
		r.shell.Tell(kit.Warn, textPurgeAtWork)
	case errors.Is(out.err, findings.ErrNoPurge):
	case errors.Is(out.err, context.Canceled):
		r.shell.Tell(kit.Warn, r.env.Keyed(stoppedText(out.purged)))
	case out.err != nil:
		r.o.Log.Error("scrub", "error", out.err)
		r.shell.Tell(kit.Fail, r.env.Keyed(failedText(out.done.Files, edits.Reason(out.err), out.purged != nil)))
	case out.purged != nil:
		r.report = newPurgeReport(out.purged, cmp.Or(out.values, out.purged.Asked), r.o.Handlers.Dialect())
		if r.report.clean() {
			r.shell.Tell(kit.Info, r.report.summary())
			return
		}
		r.showReport()
	default:
		r.shell.Tell(kit.Info, r.env.Keyed(redactedText(out.values, out.done.Files, out.done.Names, len(out.done.Failed))))
	}
}

// redactedText is the message at the end of a redaction.
func redactedText(values, files, names, failed int) string {
	out := fmt.Sprintf("Redacted %s in %s", kit.CountGrouped(values, "value"), kit.CountGrouped(files, "file"))
	if names > 0 {
		out += ", renamed " + kit.CountGrouped(names, "file")
	}
	if failed > 0 {
		return out + "; can't change " + kit.CountGrouped(failed, "file")
	}
	return out + ". {global/undo} undoes; history keeps them"
}

// failedText says that a removal failed after some of the files.
func failedText(files int, why string, purge bool) string {
	out := fmt.Sprintf("Can't continue after %s: %s", kit.CountGrouped(files, "file"), why)
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

// stoppedText says what remains after esc.
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
func (r *removal) pastFiles(groups []*findings.Group) int {
	snap := r.o.Snapshot
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
