package kit

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Jobs runs work off the Bubble Tea goroutine. Each owner has one job: starting the next cancels the one before, and the outcome of a
// canceled job is stale ([Jobs.Current]). Call the methods on the Bubble Tea goroutine; the work runs on its own.
type Jobs struct {
	ctx     context.Context
	tag     uint64
	running map[string]*job // by owner
	writes  sync.WaitGroup
	now     func() time.Time
}

type job struct {
	tag      uint64
	label    string
	started  time.Time
	cancel   context.CancelFunc
	progress *Progress
	failed   func()
}

// Progress is the progress of a job. It is safe for concurrent use.
type Progress struct{ done, total atomic.Int64 }

// Set records the progress; total 0 means unknown.
func (p *Progress) Set(done, total int64) { p.done.Store(done); p.total.Store(total) }

// Get returns the values of the last Set.
func (p *Progress) Get() (done, total int64) { return p.done.Load(), p.total.Load() }

// Done is the message at the end of a job.
type Done struct {
	Owner string
	Tag   uint64
	Value any
	Err   error

	of     *Jobs
	take   func() tea.Cmd
	failed func()
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
func NewJobs(ctx context.Context) *Jobs {
	return &Jobs{ctx: ctx, running: map[string]*job{}, now: time.Now}
}

// Deliver passes a current outcome to the function that its job was started with.
func (j *Jobs) Deliver(d Done) tea.Cmd { return d.take() }

// Fail reports a job's failure to the function that it was started with.
func (j *Jobs) Fail(d Done) {
	if d.failed != nil {
		d.failed()
	}
}

// start runs work for owner, see [Start]. The outcome comes once. A job that writes is not canceled by newer ones, and [Jobs.WaitWrites]
// waits for it, so that quitting can't interrupt it.
func (j *Jobs) start(owner, label string, write bool, work func(context.Context, *Progress) (any, error)) <-chan Done {
	if !write {
		j.Cancel(owner)
	}
	j.tag++
	tag := j.tag
	ctx, cancel := context.WithCancel(j.ctx)
	if write {
		ctx, cancel = context.WithCancel(context.WithoutCancel(j.ctx))
		j.writes.Add(1)
	}
	p := &Progress{}
	j.running[owner] = &job{tag: tag, label: label, started: j.now(), cancel: cancel, progress: p}
	// Start the goroutine here rather than in the command: a write must be
	// counted and finished even if the program quits before it runs the command.
	out := make(chan Done, 1)
	go func() {
		if write {
			defer j.writes.Done()
		}
		value, err := guarded(ctx, p, work)
		cancel()
		out <- Done{Owner: owner, Tag: tag, Value: value, Err: err, of: j}
	}()
	return out
}

// PanicError is the Err of a job that panicked: the program keeps running, the message log shows the value and the log file the stack.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

func guarded(ctx context.Context, p *Progress, work func(context.Context, *Progress) (any, error)) (value any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{Value: r, Stack: debug.Stack()}
		}
	}()
	return work(ctx, p)
}

// Owns reports whether d is the outcome of a job that was started here.
func (j *Jobs) Owns(d Done) bool { return d.of == j }

// Current reports whether d is the outcome of its owner's newest job, and
// removes the job. Drop a stale outcome.
func (j *Jobs) Current(d Done) bool {
	running, ok := j.running[d.Owner]
	if !ok || running.tag != d.Tag {
		return false
	}
	delete(j.running, d.Owner)
	return true
}

// Cancel ends the owner's job, if any, and makes its outcome stale.
func (j *Jobs) Cancel(owner string) bool {
	running, ok := j.running[owner]
	if ok {
		running.cancel()
		delete(j.running, owner)
	}
	return ok
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
func (j *Jobs) Oldest() (Activity, bool) {
	var out Activity
	found := false
	for owner, running := range j.running {
		if a := j.describe(owner, running); !found || a.Since > out.Since {
			out, found = a, true
		}
	}
	return out, found
}

// Of describes the job of an owner.
func (j *Jobs) Of(owner string) (Activity, bool) {
	running, ok := j.running[owner]
	if !ok {
		return Activity{}, false
	}
	return j.describe(owner, running), true
}

func (j *Jobs) describe(owner string, running *job) Activity {
	done, total := running.progress.Get()
	return Activity{
		Owner: owner, Label: running.label, Since: j.now().Sub(running.started), Done: done, Total: total,
	}
}

// WaitWrites blocks until every write has ended.
func (j *Jobs) WaitWrites() { j.writes.Wait() }
