package stores

import (
	"testing"
	"time"
)

// Until the moment that ages returns, ago says the same, and then something else.
func TestAges(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 20, 30, 500, time.UTC)
	for _, since := range []time.Duration{
		0, time.Millisecond, 59*time.Second + 1, time.Minute, 19 * time.Minute, 40 * time.Minute, 59 * time.Minute, time.Hour, 5 * time.Hour,
		30 * time.Hour, 6 * 24 * time.Hour,
	} {
		for _, now := range []time.Time{now, now.Add(23 * time.Hour)} {
			at := now.Add(-since)
			next := ages(at, now)
			if !next.After(now) {
				t.Fatalf("%v ago: changes at %v, now is %v", since, next, now)
			}
			if before, is := ago(at, next.Add(-1)), ago(at, now); before != is {
				t.Errorf("%v ago: %q becomes %q before %v", since, is, before, next)
			}
			if then, is := ago(at, next), ago(at, now); then == is && since < 24*time.Hour {
				t.Errorf("%v ago: still %q at %v", since, is, next)
			}
		}
	}
	for _, at := range []time.Time{{}, now.Add(time.Hour), now.AddDate(-2, 0, 0)} {
		if next := ages(at, now); !next.IsZero() {
			t.Errorf("%v: changes at %v", at, next)
		}
	}
}
