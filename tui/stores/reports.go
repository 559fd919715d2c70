package stores

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

// reports is a job that shows what it finds while it runs.
type reports[T any] struct {
	owner, label string
	work         func(ctx context.Context, report func(T)) error
	show         func([]T) tea.Cmd // what was reported since it was called last
	done         func() tea.Cmd    // after all is shown
	failed       func()
}

// Message shows what a job has found so far, or ages that have changed. It belongs to the screen, not to the interface of a store.
type Message struct{ show func() tea.Cmd }

// Take handles a message.
func (s *Screen) Take(msg Message) tea.Cmd { return msg.show() }

// drawEvery is how long the screen waits from one batch of reports to the next, so that many don't hold up the keys.
const drawEvery = 30 * time.Millisecond

// start starts the job.
func (r reports[T]) start(jobs *kit.Jobs) tea.Cmd {
	var mu sync.Mutex
	var found []T
	news := make(chan struct{}, 1) // gets a value when something was found; closed at the end of the job
	report := func(one T) {
		mu.Lock()
		found = append(found, one)
		mu.Unlock()
		select {
		case news <- struct{}{}:
		default: // the one before is still to be taken
		}
	}
	show := func() tea.Cmd {
		mu.Lock()
		batch := found
		found = nil
		mu.Unlock()
		if len(batch) == 0 {
			return nil
		}
		return r.show(batch)
	}
	var wait func(pause time.Duration) tea.Cmd
	wait = func(pause time.Duration) tea.Cmd {
		return func() tea.Msg {
			time.Sleep(pause)
			if _, more := <-news; !more {
				return nil
			}
			return Message{func() tea.Cmd { return tea.Batch(show(), wait(drawEvery)) }}
		}
	}
	job := kit.Start(jobs, kit.Job[struct{}]{
		Owner: r.owner, Label: r.label, Failed: r.failed,
		Work: func(ctx context.Context, _ *kit.Progress) (struct{}, error) {
			defer close(news)
			return struct{}{}, r.work(ctx, report)
		},
		Done: func(struct{}) tea.Cmd { return tea.Batch(show(), r.done()) },
	})
	return tea.Batch(job, wait(0))
}
