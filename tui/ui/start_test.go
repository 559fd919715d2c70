package ui_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/ui"
)

func TestAnOutcomeFindsWhomItIsFor(t *testing.T) {
	jobs := ui.NewJobs(context.Background())
	got, failed := 0, 0
	start := func(value int, err error) tea.Msg {
		return ui.Start(jobs, ui.Job[int]{
			Owner: "count", Label: "counting",
			Work:   func(context.Context, *ui.Progress) (int, error) { return value, err },
			Done:   func(n int) tea.Cmd { got = n; return nil },
			Failed: func() { failed++ },
		})()
	}
	done := start(7, nil).(ui.Done)
	if !jobs.Current(done) {
		t.Fatal("the outcome of the newest job is stale")
	}
	if jobs.Deliver(done); got != 7 {
		t.Errorf("took %d, want 7", got)
	}
	done = start(0, errors.New("no")).(ui.Done)
	if jobs.Fail(done); done.Err == nil || failed != 1 {
		t.Errorf("error %v, told of %d failures", done.Err, failed)
	}
}

func TestScopesKeepTheJobsOfTwoPanesApart(t *testing.T) {
	jobs := ui.NewJobs(context.Background())
	var got []string
	start := func(scope string) tea.Cmd {
		j := jobs.Scope(scope)
		j.Listen(func(d ui.Done) tea.Cmd { got = append(got, scope+" "+d.Owner); return nil }, nil, "open")
		return j.Start("open", "opening", func(context.Context, *ui.Progress) (any, error) { return nil, nil })
	}
	first, second := start("first"), start("second")
	for _, cmd := range []tea.Cmd{second, first} {
		done := cmd().(ui.Done)
		if !jobs.Current(done) {
			t.Fatal("a job of another scope canceled this one")
		}
		jobs.Deliver(done)
	}
	if want := []string{"second open", "first open"}; !slices.Equal(got, want) {
		t.Errorf("delivered %q, want %q", got, want)
	}
	third, fourth := start("first"), start("second")
	jobs.Scope("first").End()
	if jobs.Current(third().(ui.Done)) || !jobs.Current(fourth().(ui.Done)) {
		t.Error("the end of a scope is not that of its jobs alone")
	}
}

func TestAJobThatIsCalledOffIsToldOf(t *testing.T) {
	jobs := ui.NewJobs(context.Background())
	failed := 0
	cmd := ui.Start(jobs, ui.Job[int]{
		Owner: "wait", Label: "waiting", Failed: func() { failed++ },
		Work: func(ctx context.Context, _ *ui.Progress) (int, error) { <-ctx.Done(); return 0, ctx.Err() },
	})
	job, _ := jobs.Of("wait")
	jobs.CallOff(job)
	if failed != 1 {
		t.Errorf("told of %d failures", failed)
	}
	if jobs.Current(cmd().(ui.Done)) {
		t.Error("the outcome of a job that was called off counts")
	}
}
