package tui

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/act"
	"memcurator/tui/browse"
	"memcurator/tui/kit"
)

// jobs delivers the outcomes of background work and redraws its progress.
type jobs struct {
	env      *kit.Env
	say      *messages
	ticking  bool
	quitting bool
}

// tickMsg redraws progress while jobs run.
type tickMsg struct{}

// tickEvery is the pace of progress in the status line.
const tickEvery = 150 * time.Millisecond

// keepTicking arranges for the next redraw while there is work.
func (j *jobs) keepTicking() tea.Cmd {
	if j.ticking || !j.env.Jobs.Busy() {
		return nil
	}
	j.ticking = true
	return tea.Tick(tickEvery, func(time.Time) tea.Msg { return tickMsg{} })
}

// receive delivers the outcome of a job.
func (j *jobs) receive(done kit.Done) tea.Cmd {
	cmd, err := done.Take()
	if err != nil && !errors.Is(err, memstore.ErrUnavailable) { // of which the banner tells
		j.say.tell(kit.Fail, err.Error())
	}
	return cmd
}

// stoppable is the job that esc stops: the oldest, if it takes long and the user waits for it.
func (j *jobs) stoppable() (kit.Activity, bool) {
	if edit, ok := j.env.Jobs.Of(act.Owner); ok && edit.Since >= cancelAfter {
		return edit, true
	}
	job, ok := j.env.Jobs.Oldest()
	awaited := ok && slices.Contains(append(browse.AwaitedJobs(), ownerCopy), job.Owner)
	return job, awaited && job.Since >= cancelAfter
}

// cancelAfter is how long a job must have run before esc ends it instead of leaving
// something: by then its progress is on the screen.
const cancelAfter = time.Second

// stop ends the oldest job, if it takes long and the user waits for it. Work beside that of the user, such as counting lines or
// comparing the journal with the disk, continues.
func (j *jobs) stop() bool {
	job, ok := j.stoppable()
	switch {
	case ok && job.Owner == act.Owner:
		j.env.Jobs.Stop(act.Owner)
		j.say.tell(kit.Info, "Stopping "+job.Label+" after this file")
	case ok:
		j.env.Jobs.CallOff(job.Owner)
		j.say.tell(kit.Info, "Stopped "+job.Label)
	}
	return ok
}

// quit leaves as soon as no write is under way.
func (j *jobs) quit() tea.Cmd {
	if j.quitting {
		return nil
	}
	j.quitting = true
	j.say.tell(kit.Info, j.env.Keyed("Finishing 1 write. {global/force-quit} quits now"))
	all := j.env.Jobs
	return func() tea.Msg {
		all.WaitWrites()
		return tea.QuitMsg{}
	}
}
