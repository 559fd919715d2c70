package tui

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/browse"
	"memcurator/tui/changes"
	"memcurator/tui/edits"
	"memcurator/tui/ui"
)

// jobs delivers the outcomes of background work and redraws its progress.
type jobs struct {
	all     *ui.Jobs
	say     *messages
	log     *slog.Logger
	ticking bool
}

// tickMsg redraws progress while jobs run.
type tickMsg struct{}

// tickEvery is the pace of progress in the status line.
const tickEvery = 150 * time.Millisecond

// keepTicking arranges for the next redraw while there is work.
func (j *jobs) keepTicking() tea.Cmd {
	if j.ticking || !j.all.Busy() {
		return nil
	}
	j.ticking = true
	return tea.Tick(tickEvery, func(time.Time) tea.Msg { return tickMsg{} })
}

// receive delivers the outcome of a job. What a superseded one brought along is freed.
func (j *jobs) receive(done ui.Done) tea.Cmd {
	switch {
	case !j.all.Current(done):
		if d, ok := done.Value.(interface{ Discard() }); ok {
			d.Discard()
		}
		return nil
	case done.Err != nil:
		j.failed(done)
		return nil
	}
	return j.all.Deliver(done)
}

// stoppable is the job that esc stops: the oldest, if it takes long and the user waits for it.
func (j *jobs) stoppable() (ui.Activity, bool) {
	if edit, ok := j.all.Of(edits.Owner); ok && edit.Since >= cancelAfter {
		return edit, true
	}
	job, ok := j.all.Oldest()
	awaited := ok && slices.Contains(append(browse.AwaitedJobs(), ownerCopy, changes.OwnerDifferences), job.Owner)
	return job, awaited && job.Since >= cancelAfter
}

// failed reports the error of a job, unless it was called off.
func (j *jobs) failed(done ui.Done) {
	if errors.Is(done.Err, context.Canceled) || errors.Is(done.Err, context.DeadlineExceeded) {
		return
	}
	j.log.Error("job failed", "owner", done.Owner, "error", done.Err)
	if p, ok := done.Err.(*ui.PanicError); ok {
		j.log.Error("panic in a job", "stack", string(p.Stack))
	}
	j.all.Fail(done)
	j.say.tell(ui.Fail, done.Err.Error())
}
