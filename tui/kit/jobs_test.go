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
	older := Start(j, Job[string]{Owner: "pane", Work: func(ctx context.Context, _ *Progress) (string, error) {
		<-ctx.Done()
		return "first", ctx.Err()
	}})
	newer := Start(j, Job[string]{Owner: "pane", Work: func(context.Context, *Progress) (string, error) { return "second", nil }})
	if d := finish(t, older); j.Current(d) {
		t.Error("the outcome of a superseded job counts as current")
	}
	d := finish(t, newer)
	if !j.Current(d) || d.Value != "second" {
		t.Errorf("the newer job ended with %+v", d)
	}
	if j.Current(d) || j.Busy() {
		t.Error("a job is delivered twice")
	}
}

func TestPanicInAJobIsItsError(t *testing.T) {
	j := NewJobs(t.Context())
	d := finish(t, Start(j, Job[int]{Owner: "pane", Work: func(context.Context, *Progress) (int, error) { panic("broken") }}))
	var p *PanicError
	if !errors.As(d.Err, &p) || p.Value != "broken" || len(p.Stack) == 0 {
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
