package kit

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func finish(t *testing.T, cmd tea.Cmd) Done {
	t.Helper()
	got := make(chan tea.Msg, 1)
	go func() { got <- cmd() }()
	select {
	case msg := <-got:
		return msg.(Done)
	case <-time.After(10 * time.Second):
		t.Fatal("the job did not end")
		return Done{}
	}
}

func TestNewerJobCancelsTheOlderOne(t *testing.T) {
	j := NewJobs(t.Context())
	var taken []string
	done := func(s string) tea.Cmd {
		taken = append(taken, s)
		return nil
	}
	older := Start(j, Job[string]{Owner: "pane", Done: done, Work: func(ctx context.Context, _ *Progress) (string, error) {
		<-ctx.Done()
		return "first", nil
	}})
	newer := Start(j, Job[string]{Owner: "pane", Done: done, Work: func(context.Context, *Progress) (string, error) { return "second", nil }})
	d := finish(t, newer)
	for _, d := range []Done{finish(t, older), d, d} {
		if _, err := d.Take(); err != nil {
			t.Error(err)
		}
	}
	if len(taken) != 1 || taken[0] != "second" || j.Busy() {
		t.Errorf("took %q", taken)
	}
}

func TestAFailureIsToldOnceAndACanceledJobIsNone(t *testing.T) {
	j := NewJobs(t.Context())
	for _, err := range []error{errors.New("no"), context.Canceled} {
		failed := false
		_, got := finish(t, Start(j, Job[int]{
			Owner: "pane", Failed: func() { failed = true }, Work: func(context.Context, *Progress) (int, error) { return 0, err },
		})).Take()
		if canceled := err == context.Canceled; failed == canceled || (got == nil) != canceled {
			t.Errorf("%v: told %v and %v", err, failed, got)
		}
	}
}

func TestPanicInAJobIsItsError(t *testing.T) {
	j := NewJobs(t.Context())
	d := finish(t, Start(j, Job[int]{Owner: "pane", Work: func(context.Context, *Progress) (int, error) { panic("broken") }}))
	if d.Err == nil || d.Err.Error() != "internal error: broken" {
		t.Errorf("the job ended with %v", d.Err)
	}
}

func TestWritesOutliveTheProgramAndAreWaitedFor(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	j := NewJobs(ctx)
	release := make(chan struct{})
	var ended bool
	cmd := Start(j, Job[int]{Owner: "write", Write: true, Work: func(ctx context.Context, _ *Progress) (int, error) {
		<-release
		ended = true
		return 0, ctx.Err()
	}})
	stop()
	time.AfterFunc(10*time.Millisecond, func() { close(release) })
	j.WaitWrites()
	if !ended {
		t.Error("the program did not wait for the write")
	}
	if d := finish(t, cmd); d.Err != nil {
		t.Errorf("the end of the program reached the write: %v", d.Err)
	}
}
