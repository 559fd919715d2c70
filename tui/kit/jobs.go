package kit

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Jobs runs work off the Bubble Tea goroutine. Each owner has one job: starting the next cancels the one before, and the outcome of a
// canceled job is stale ([Jobs.Current]). Call the methods on the Bubble Tea goroutine; the work runs on its own.
type Jobs struct {
	*registry
	scope string // prefix of owner names, see [Jobs.Scope]
}

type registry struct {
	ctx     context.Context
	tag     uint64
	running map[string]*job // by scope and owner
	writes  sync.WaitGroup
	now     func() time.Time
}

type job struct {
	tag      uint64
	owner    string
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

	of     *registry
	scope  string
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

	key string // scope and owner
}

// NewJobs makes a registry whose jobs end with ctx at the latest.
func NewJobs(ctx context.Context) *Jobs {
	return &Jobs{registry: &registry{ctx: ctx, running: map[string]*job{}, now: time.Now}}
}

// Scope returns the same jobs with another namespace for owners, so that two panes of a kind can work side by side.
func (j *Jobs) Scope(name string) *Jobs { return &Jobs{j.registry, j.scope + name + "/"} }

// End cancels the jobs of a scope.
func (j *Jobs) End() {
	for key, running := range j.running {
		if strings.HasPrefix(key, j.scope) {
			running.cancel()
			delete(j.running, key)
		}
	}
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
	j.running[j.scope+owner] = &job{tag: tag, owner: owner, label: label, started: j.now(), cancel: cancel, progress: p}
	// Start the goroutine here rather than in the command: a write must be
	// counted and finished even if the program quits before it runs the command.
	out := make(chan Done, 1)
	go func() {
		if write {
			defer j.writes.Done()
		}
		value, err := guarded(ctx, p, work)
		cancel()
		out <- Done{Owner: owner, Tag: tag, Value: value, Err: err, of: j.registry, scope: j.scope}
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

// Owns reports whether d is the outcome of a job that was started here, in any scope.
func (j *Jobs) Owns(d Done) bool { return d.of == j.registry }

// Current reports whether d is the outcome of its owner's newest job, and
// removes the job. Drop a stale outcome.
func (j *Jobs) Current(d Done) bool {
	key := d.scope + d.Owner
	running, ok := j.running[key]
	if !ok || running.tag != d.Tag {
		return false
	}
	delete(j.running, key)
	return true
}

// Cancel ends the owner's job, if any, and makes its outcome stale.
func (j *Jobs) Cancel(owner string) bool {
	running, ok := j.running[j.scope+owner]
	if ok {
		running.cancel()
		delete(j.running, j.scope+owner)
	}
	return ok
}

// Stop asks the owner's job, if any, to end early. Its outcome so far is delivered: writes stop between two files.
func (j *Jobs) Stop(owner string) bool {
	running, ok := j.running[j.scope+owner]
	if ok {
		running.cancel()
	}
	return ok
}

// Running reports whether owner has a job in progress, or one whose outcome has not been delivered.
func (j *Jobs) Running(owner string) bool { return j.running[j.scope+owner] != nil }

// Busy reports whether any job is running.
func (j *Jobs) Busy() bool { return len(j.running) > 0 }

// Oldest describes the job that has been running longest, in any scope.
func (j *Jobs) Oldest() (Activity, bool) {
	var out Activity
	found := false
	for key, running := range j.running {
		if a := j.describe(key, running); !found || a.Since > out.Since {
			out, found = a, true
		}
	}
	return out, found
}

// Of describes the job of an owner.
func (j *Jobs) Of(owner string) (Activity, bool) {
	running, ok := j.running[j.scope+owner]
	if !ok {
		return Activity{}, false
	}
	return j.describe(j.scope+owner, running), true
}

func (j *Jobs) describe(key string, running *job) Activity {
	done, total := running.progress.Get()
	return Activity{
		Owner: running.owner, Label: running.label, Since: j.now().Sub(running.started), Done: done, Total: total, key: key,
	}
}

// WaitWrites blocks until every write has ended.
func (j *Jobs) WaitWrites() { j.writes.Wait() }
