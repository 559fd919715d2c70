package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/tui/ui"
)

// ownerPurgeLeft names the job that looks, at the start, for a purge that was killed or stopped.
const ownerPurgeLeft = "findings.left"

// lookForPurge looks whether a purge was begun and not ended, and lets what is remembered follow purges of others from
// now on.
func (m *Model) lookForPurge() tea.Cmd {
	o, j, keeper := m.options, m.kept(), m.memory.keeper
	if j == nil || o.Scrub == nil {
		return nil
	}
	return m.env.Jobs.Start(ownerPurgeLeft, ui.LabelOpen, func(ctx context.Context, _ *ui.Progress) (any, error) {
		if n, err := j.Purges(ctx); err == nil && keeper != nil {
			keeper.Watch(func() (int64, error) { return j.Purges(context.Background()) }, n)
		}
		return findings.PurgeLeft(ctx, j, o.Scrub.StateDir)
	})
}

const (
	textPurgeLeft         = "A purge was begun and not ended: values are left. A purge in {global/findings} ends it, and so does: scrub --resume"
	textPurgeLeftQuestion = "A purge of this store was killed or stopped, and values that it was to take out are left in files or in the past. Carry on with it now? What it takes out cannot be put back."
	textPurgeAtWork       = "Another program is purging this store just now. What it takes out is gone when it has ended."
)

// purgeLeft tells of it, and offers to carry on at once: it was asked for and confirmed before.
func (m *Model) purgeLeft(done ui.Done) tea.Cmd {
	switch left, _ := done.Value.(findings.Unfinished); left {
	case findings.AtWork:
		m.tell(ui.Info, textPurgeAtWork)
	case findings.Begun:
		m.tell(ui.Warn, m.env.Keyed(textPurgeLeft))
		if m.options.ReadOnly || m.boxes.Len() > 0 {
			return nil
		}
		m.say.expire(m.say.showing) // it is in the log; the line belongs to the keys of the question
		m.ask("carry on with the purge?", m.env.Keyed(textPurgeLeftQuestion), m.resumePurge)
	}
	return nil
}

const labelPurge = "taking values out everywhere"

// resumePurge carries on with a purge.
func (m *Model) resumePurge() tea.Cmd {
	if m.edits.Refuses() || m.sensitive.stop != nil {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	m.sensitive.stop = stop
	m.env.Jobs.Cancel(ownerScan)
	worker, engine, step := m.scrubber(nil), m.options.Scrub.Engine, &m.sensitive.step
	step.Store(findings.StepFiles)
	return m.env.Jobs.StartWrite(ownerScrub, labelPurge, func(_ context.Context, p *ui.Progress) (any, error) {
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
		return out, nil
	})
}
