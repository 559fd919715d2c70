package kit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Jobs runs work off the Bubble Tea goroutine. Each owner has one job: starting the next cancels the one before, whose outcome is stale
// then. Call the methods on the Bubble Tea goroutine; the work runs on its own.
type Jobs struct {
	ctx     context.Context
	running map[string]*job // by owner
	writes  sync.WaitGroup
}

type job struct {
	label    string
	started  time.Time
	cancel   context.CancelFunc
	progress Progress
	failed   func()
}

// Job is work with an outcome of type T.
type Job[T any] struct {
	Owner, Label string
	// Write is set for work that changes the store: newer jobs don't cancel it, and quitting waits for it.
	Write bool
	Work  func(context.Context, *Progress) (T, error)
	// Done receives the outcome on the Bubble Tea goroutine, unless it is stale; may be nil.
	Done func(T) tea.Cmd
	// Failed is called before an error is shown, and for a job that the user canceled; may be nil.
	Failed func()
}

// Progress is the progress of a job. It is safe for concurrent use.
type Progress struct{ done, total atomic.Int64 }

// Set records the progress; total 0 means unknown.
func (p *Progress) Set(done, total int64) { p.done.Store(done); p.total.Store(total) }

// Done is the message at the end of a job, for [Done.Take].
type Done struct {
	Owner string
	Value any
	Err   error

	jobs *Jobs
	job  *job
	take func() tea.Cmd
}

// Discard frees what the outcome brought along, if it is not taken.
func (d Done) Discard() {
	if value, ok := d.Value.(interface{ Discard() }); ok {
		value.Discard()
	}
}

// Activity describes a running job, for the status line.
type Activity struct {
	Owner, Label string
	Since        time.Duration
	Done, Total  int64
}

// NewJobs makes jobs that end with ctx at the latest.
func NewJobs(ctx context.Context) *Jobs { return &Jobs{ctx: ctx, running: map[string]*job{}} }

// Start runs a job and returns the command that delivers its [Done]. [Jobs.WaitWrites] waits for a job that writes, so that quitting
// can't interrupt it.
func Start[T any](j *Jobs, work Job[T]) tea.Cmd {
	if !work.Write {
		j.Cancel(work.Owner)
	}
	ctx, cancel := context.WithCancel(j.ctx)
	if work.Write {
		ctx, cancel = context.WithCancel(context.WithoutCancel(j.ctx))
		j.writes.Add(1)
	}
	run := &job{label: work.Label, started: time.Now(), cancel: cancel, failed: work.Failed}
	j.running[work.Owner] = run
	// Start the goroutine here rather than in the command: a write must be
	// counted and finished even if the program quits before it runs the command.
	out := make(chan Done, 1)
	go func() {
		if work.Write {
			defer j.writes.Done()
		}
		value, err := guarded(ctx, &run.progress, work.Work)
		cancel()
		out <- Done{Owner: work.Owner, Value: value, Err: err, jobs: j, job: run, take: func() tea.Cmd {
			if work.Done == nil {
				return nil
			}
			return work.Done(value)
		}}
	}()
	return func() tea.Msg { return <-out }
}

// guarded makes an error of a panic: the program keeps running.
func guarded[T any](ctx context.Context, p *Progress, work func(context.Context, *Progress) (T, error)) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return work(ctx, p)
}

// Take passes an outcome to the function that its job was started with, and discards a stale one. It returns an error for the user.
func (d Done) Take() (tea.Cmd, error) {
	if d.jobs.running[d.Owner] != d.job {
		d.Discard()
		return nil, nil
	}
	delete(d.jobs.running, d.Owner)
	switch {
	case d.Err == nil:
		return d.take(), nil
	case errors.Is(d.Err, context.Canceled), errors.Is(d.Err, context.DeadlineExceeded):
		return nil, nil
	case d.job.failed != nil:
		d.job.failed()
	}
	return nil, d.Err
}

// Owns reports whether d is the outcome of a job that was started here.
func (j *Jobs) Owns(d Done) bool { return d.jobs == j }

// Cancel ends the owner's job, if any, and makes its outcome stale.
func (j *Jobs) Cancel(owner string) bool {
	running := j.Stop(owner)
	delete(j.running, owner)
	return running
}

// CallOff is Cancel at the user's request: the function that the job was started with learns of it.
func (j *Jobs) CallOff(owner string) {
	run := j.running[owner]
	if j.Cancel(owner) && run.failed != nil {
		run.failed()
	}
}

// Stop asks the owner's job, if any, to end early. Its outcome so far is delivered: writes stop between two files.
func (j *Jobs) Stop(owner string) bool {
	running, ok := j.running[owner]
	if ok {
		running.cancel()
	}
	return ok
}

// Running reports whether owner has a job in progress, or one whose outcome has not been delivered.
func (j *Jobs) Running(owner string) bool { return j.running[owner] != nil }

// Busy reports whether any job is running.
func (j *Jobs) Busy() bool { return len(j.running) > 0 }

// Oldest describes the job that has been running longest.
func (j *Jobs) Oldest() (oldest Activity, found bool) {
	for owner := range j.running {
		if a, _ := j.Of(owner); !found || a.Since > oldest.Since {
			oldest, found = a, true
		}
	}
	return oldest, found
}

// Of describes the job of an owner.
func (j *Jobs) Of(owner string) (Activity, bool) {
	run, ok := j.running[owner]
	if !ok {
		return Activity{}, false
	}
	return Activity{owner, run.label, time.Since(run.started), run.progress.done.Load(), run.progress.total.Load()}, true
}

// WaitWrites blocks until every write has ended.
func (j *Jobs) WaitWrites() { j.writes.Wait() }
