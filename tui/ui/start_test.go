package ui_test

import (
	"context"
	"errors"
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
	if _, ok := done.Take(); !ok || got != 7 {
		t.Errorf("took %d (%v), want 7", got, ok)
	}
	done = start(0, errors.New("no")).(ui.Done)
	if done.Fail(); done.Err == nil || failed != 1 {
		t.Errorf("error %v, told of %d failures", done.Err, failed)
	}
	if _, ok := (ui.Done{}).Take(); ok {
		t.Error("an outcome without a taker was taken")
	}
}

func TestAJobThatIsCalledOffIsToldOf(t *testing.T) {
	jobs := ui.NewJobs(context.Background())
	failed := 0
	cmd := ui.Start(jobs, ui.Job[int]{
		Owner: "wait", Label: "waiting", Failed: func() { failed++ },
		Work: func(ctx context.Context, _ *ui.Progress) (int, error) { <-ctx.Done(); return 0, ctx.Err() },
	})
	jobs.CallOff("wait")
	if failed != 1 {
		t.Errorf("told of %d failures", failed)
	}
	if jobs.Current(cmd().(ui.Done)) {
		t.Error("the outcome of a job that was called off counts")
	}
}
