package secrets

import (
	"testing"
	"time"
)

// Since when a value has been readable is the earliest time known; of one that is older than the journal, only a time from before it.
func TestSinceWhenAValueWasReadable(t *testing.T) {
	t.Parallel()
	var none time.Time
	day := func(n int) time.Time { return time.Date(2026, 11, n, 10, 0, 0, 0, time.UTC) }
	began := day(20)
	for name, c := range map[string]struct {
		first      firstSeen
		made, want time.Time
	}{
		"written before the journal began": {firstSeen{atBegin: true}.written(day(12)).written(day(3)).written(none), none, day(3)},
		"there at the beginning":           {firstSeen{atBegin: true}, none, none},
		"and written again later":          {firstSeen{atBegin: true, rev: 4}.written(day(22)), day(21), none},
		"made by a revision":               {firstSeen{rev: 4}.written(day(22)), day(21), day(21)},
		"unknown":                          {firstSeen{}, none, none},
	} {
		got, ok := c.first.since(c.made, began)
		if ok != !c.want.IsZero() || ok && !got.Equal(c.want) {
			t.Errorf("%s: %v %v, want %v", name, got, ok, c.want)
		}
	}
}
