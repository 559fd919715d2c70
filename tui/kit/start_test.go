package kit_test

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

func TestAnOutcomeFindsWhomItIsFor(t *testing.T) {
	jobs := kit.NewJobs(context.Background())
	got, failed := 0, 0
	start := func(value int, err error) tea.Msg {
		return kit.Start(jobs, kit.Job[int]{
			Owner: "count", Label: "counting",
			Work:   func(context.Context, *kit.Progress) (int, error) { return value, err },
			Done:   func(n int) tea.Cmd { got = n; return nil },
			Failed: func() { failed++ },
		})()
	}
	done := start(7, nil).(kit.Done)
	if !jobs.Current(done) {
		t.Fatal("the outcome of the newest job is stale")
	}
	if jobs.Deliver(done); got != 7 {
		t.Errorf("took %d, want 7", got)
	}
	done = start(0, errors.New("no")).(kit.Done)
	if jobs.Fail(done); done.Err == nil || failed != 1 {
		t.Errorf("error %v, told of %d failures", done.Err, failed)
	}
}
