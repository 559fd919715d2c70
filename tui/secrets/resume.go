package secrets

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/tui/kit"
)

// ownerPurgeLeft names the job that looks, at the start, for a purge that was killed or stopped.
const ownerPurgeLeft = "secrets.left"

// Recover looks for a purge that was not finished. follow is called in the job, with the number of purges so far; it may be nil.
func (r *removal) Recover() tea.Cmd {
	j := r.o.Lasting
	if j == nil || r.o.Scrubbing == nil {
		return nil
	}
	stateDir := r.o.Scrubbing.StateDir
	return kit.Start(r.env.Jobs, kit.Job[findings.Unfinished]{
		Owner: ownerPurgeLeft, Label: kit.LabelOpen, Done: r.purgeLeft,
		Work: func(ctx context.Context, _ *kit.Progress) (findings.Unfinished, error) {
			return findings.PurgeLeft(ctx, j, stateDir)
		},
	})
}

const (
	textPurgeLeft   = "Purge interrupted, values remain. {global/findings} {findings/purge-findings} resumes, or scrub --resume"
	textResumeTitle = "Resume the purge?"
	textResume      = "A purge of this store was interrupted, and values remain in files or in history. What it removes cannot be restored."
	textPurgeAtWork = "Another program is purging this store. Try again when it has finished"
)

// purgeLeft reports it, and offers to resume: the user has confirmed it before.
func (r *removal) purgeLeft(left findings.Unfinished) tea.Cmd {
	switch left {
	case findings.AtWork:
		r.shell.Report(kit.Info, textPurgeAtWork)
	case findings.Begun:
		r.unfinished = true
		r.shell.Report(kit.Warn, r.env.Keyed(textPurgeLeft))
		if r.o.ReadOnly || r.o.Boxes.Len() > 0 {
			return nil
		}
		r.shell.HideMessage() // it is in the log; the bar belongs to the keys of the question
		r.askResume()
	}
	return nil
}

func (r *removal) askResume() { r.shell.Ask(textResumeTitle, textResume, r.resume) }

// resume resumes a purge.
func (r *removal) resume() tea.Cmd {
	if r.refuses() {
		return nil
	}
	worker, engine := r.list.choices.scrubber(), r.o.Scrubbing.Engine
	return r.start(true, func(ctx context.Context, report func(findings.Step, int, int)) removed {
		if worker.Engine == nil {
			worker.Engine = engine()
		}
		worker.Report = report
		var out removed
		out.purged, out.err = worker.Resume(ctx)
		out.done, out.count = &out.purged.Done, purgesOf(worker.Journal)
		return out
	})
}
