package kit

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Job is work off the Bubble Tea goroutine with an outcome of type T. Each owner has one job, see [Jobs].
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

// Start runs a job and returns the command that delivers its [Done], which knows its receiver.
func Start[T any](jobs *Jobs, job Job[T]) tea.Cmd {
	end := jobs.start(job.Owner, job.Label, job.Write, func(ctx context.Context, p *Progress) (any, error) { return job.Work(ctx, p) })
	jobs.running[job.Owner].failed = job.Failed
	return func() tea.Msg {
		done := <-end
		done.failed = job.Failed
		done.take = func() tea.Cmd {
			if outcome, ok := done.Value.(T); ok && job.Done != nil {
				return job.Done(outcome)
			}
			return nil
		}
		return done
	}
}

// CallOff cancels a job at the user's request, and notifies the function that it was started with.
func (j *Jobs) CallOff(a Activity) {
	running, ok := j.running[a.Owner]
	if !ok {
		return
	}
	running.cancel()
	delete(j.running, a.Owner)
	if running.failed != nil {
		running.failed()
	}
}
