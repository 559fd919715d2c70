package ui

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

// Jobs runs work off the Bubble Tea goroutine. One job an owner: starting the next
// cancels the one before, and what a cancelled job still delivers is stale
// ([Jobs.Current]). The methods are for the Bubble Tea goroutine, work runs on its own.
type Jobs struct {
	*registry
	scope string // prefix of the owners, see [Jobs.Scope]
}

type registry struct {
	ctx       context.Context
	tag       uint64
	running   map[string]*job // by scope and owner
	listeners map[string]listener
	writes    sync.WaitGroup
	now       func() time.Time
}

// listener takes the outcomes of the jobs of one owner.
type listener struct {
	receive func(Done) tea.Cmd
	failed  func() // may be nil
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

// Progress is how far a job is. Safe for concurrent use.
type Progress struct{ done, total atomic.Int64 }

// Set notes how far the job is; total 0 means unknown.
func (p *Progress) Set(done, total int64) { p.done.Store(done); p.total.Store(total) }

// Get returns what Set noted last.
func (p *Progress) Get() (done, total int64) { return p.done.Load(), p.total.Load() }

// Done is the message that ends a job.
type Done struct {
	Owner string
	Tag   uint64
	Value any
	Err   error

	scope  string
	take   func() tea.Cmd
	failed func()
}

// Activity describes a job under way, for the status line.
type Activity struct {
	Owner, Label string
	Since        time.Duration
	Done, Total  int64

	key string // scope and owner
}

// NewJobs makes a registry whose jobs end with ctx at the latest.
func NewJobs(ctx context.Context) *Jobs {
	return &Jobs{registry: &registry{ctx: ctx, running: map[string]*job{}, listeners: map[string]listener{}, now: time.Now}}
}

// Scope returns the same jobs under other names of their owners, so that two panes of a kind can work side by side.
func (j *Jobs) Scope(name string) *Jobs { return &Jobs{j.registry, j.scope + name + "/"} }

// End cancels the jobs of a scope and forgets their listeners.
func (j *Jobs) End() {
	for key, running := range j.running {
		if strings.HasPrefix(key, j.scope) {
			running.cancel()
			delete(j.running, key)
		}
	}
	for key := range j.listeners {
		if strings.HasPrefix(key, j.scope) {
			delete(j.listeners, key)
		}
	}
}

// Listen sends the outcomes of jobs that were started by [Jobs.Start] to receive. failed is called before an error is shown; it may
// be nil.
func (j *Jobs) Listen(receive func(Done) tea.Cmd, failed func(), owners ...string) {
	for _, owner := range owners {
		j.listeners[j.scope+owner] = listener{receive, failed}
	}
}

// Deliver hands an outcome that is current to the one the job was started for, or to the listener of its owner.
func (j *Jobs) Deliver(d Done) tea.Cmd {
	if d.take != nil {
		return d.take()
	}
	if l, ok := j.listeners[d.scope+d.Owner]; ok {
		return l.receive(d)
	}
	return nil
}

// Fail reports a job's failure to whom it was started for, or to its owner's listener.
func (j *Jobs) Fail(d Done) { j.fail(d.scope+d.Owner, d.failed) }

func (j *Jobs) fail(key string, failed func()) {
	if failed != nil {
		failed()
	}
	if l := j.listeners[key]; l.failed != nil {
		l.failed()
	}
}

// Start runs work for owner and returns the command that delivers its [Done].
func (j *Jobs) Start(owner, label string, work func(context.Context, *Progress) (any, error)) tea.Cmd {
	return j.start(owner, label, false, work)
}

// StartWrite is Start for work that changes the store: it is never cancelled by a
// newer job and [Jobs.WaitWrites] waits for it, so that quitting cannot cut it.
func (j *Jobs) StartWrite(owner, label string, work func(context.Context, *Progress) (any, error)) tea.Cmd {
	return j.start(owner, label, true, work)
}

func (j *Jobs) start(owner, label string, write bool, work func(context.Context, *Progress) (any, error)) tea.Cmd {
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
	// The goroutine starts here and not in the command: a write must be counted and
	// finished even when the program quits before the command is picked up.
	out := make(chan Done, 1)
	go func() {
		if write {
			defer j.writes.Done()
		}
		value, err := guarded(ctx, p, work)
		cancel()
		out <- Done{Owner: owner, Tag: tag, Value: value, Err: err, scope: j.scope}
	}()
	return func() tea.Msg { return <-out }
}

// PanicError is the Err of a job that panicked: the program keeps running, the message
// log shows the value and the log file the stack.
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

// Current reports whether d is the outcome of its owner's newest job, and
// forgets the job. A stale outcome must be dropped.
func (j *Jobs) Current(d Done) bool {
	key := d.scope + d.Owner
	running, ok := j.running[key]
	if !ok || running.tag != d.Tag {
		return false
	}
	delete(j.running, key)
	return true
}

// Cancel ends the owner's job, if any; its outcome is stale from now on.
func (j *Jobs) Cancel(owner string) bool {
	running, ok := j.running[j.scope+owner]
	if ok {
		running.cancel()
		delete(j.running, j.scope+owner)
	}
	return ok
}

// Stop asks the owner's job to end early, if there is one. What it has done until then is its
// outcome, which is delivered: writes stop between two files.
func (j *Jobs) Stop(owner string) bool {
	running, ok := j.running[j.scope+owner]
	if ok {
		running.cancel()
	}
	return ok
}

// Running reports whether a job of owner is under way, or its outcome not taken yet.
func (j *Jobs) Running(owner string) bool { return j.running[j.scope+owner] != nil }

// Busy reports whether any job is under way.
func (j *Jobs) Busy() bool { return len(j.running) > 0 }

// Oldest describes the job of any scope that has been running longest.
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
