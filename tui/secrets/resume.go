package secrets

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/tui/ui"
)

// ownerPurgeLeft names the job that looks, at the start, for a purge that was killed or stopped.
const ownerPurgeLeft = "findings.left"

// Recover looks whether a purge was begun and not ended. follow is called in the job, with the number of purges so far; nil: nobody
// asks.
func (r *Review) Recover(follow func(purges int64)) tea.Cmd {
	j := r.Journal
	if j == nil || r.Scrubbing == nil {
		return nil
	}
	stateDir := r.Scrubbing.StateDir
	return ui.Start(r.env.Jobs, ui.Job[findings.Unfinished]{
		Owner: ownerPurgeLeft, Label: ui.LabelOpen, Done: r.purgeLeft,
		Work: func(ctx context.Context, _ *ui.Progress) (findings.Unfinished, error) {
			if n, err := j.Purges(ctx); err == nil && follow != nil {
				follow(n)
			}
			return findings.PurgeLeft(ctx, j, stateDir)
		},
	})
}

const (
	textPurgeLeft = "A purge was begun and not ended: values are left. A purge in {global/findings} ends it, and so does: " +
		"scrub --resume"
	textPurgeLeftQuestion = "A purge of this store was killed or stopped, and values that it was to take out are left in files or in " +
		"the past. Carry on with it now? What it takes out cannot be put back."
	textPurgeAtWork = "Another program is purging this store just now. What it takes out is gone when it has ended."
)

// purgeLeft reports it, and offers to carry on at once: it was asked for and confirmed before.
func (r *Review) purgeLeft(left findings.Unfinished) tea.Cmd {
	switch left {
	case findings.AtWork:
		r.shell.Tell(ui.Info, textPurgeAtWork)
	case findings.Begun:
		r.shell.Tell(ui.Warn, r.env.Keyed(textPurgeLeft))
		if r.ReadOnly || r.Boxes.Len() > 0 {
			return nil
		}
		r.HideMessage() // it is in the log; the line belongs to the keys of the question
		r.shell.Ask("carry on with the purge?", r.env.Keyed(textPurgeLeftQuestion), r.resumePurge)
	}
	return nil
}

const labelPurge = "taking values out everywhere"

// resumePurge carries on with a purge.
func (r *Review) resumePurge() tea.Cmd {
	if r.edits.Refuses() || r.stop != nil {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	r.env.Jobs.Cancel(ownerScan)
	worker, engine, step := r.scrubber(nil), r.Scrubbing.Engine, &r.step
	step.Store(findings.StepFiles)
	return r.startScrub(labelPurge, func(p *ui.Progress) takenOut {
		defer stop()
		if worker.Engine == nil {
			worker.Engine = engine()
		}
		worker.Report = func(now findings.Step, done, all int) {
			step.Store(now)
			p.Set(int64(done), int64(all))
		}
		var out takenOut
		out.purged, out.err = worker.Resume(ctx)
		out.done, out.count = &out.purged.Done, purgesOf(worker.Journal)
		return out
	})
}
