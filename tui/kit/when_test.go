package kit_test

import (
	"testing"
	"time"

	"memcurator/tui/kit"
)

func TestWhen(t *testing.T) {
	t.Parallel()
	at := func(s string) time.Time {
		v, err := time.Parse("2006-01-02 15:04", s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	now := at("2026-01-01 12:00")
	for _, c := range [][3]string{
		{"2026-01-01 10:48", "2026-01-01 10:48", "today 10:48"},
		{"2026-01-01 09:00", "2026-01-01 11:25", "today 09:00-11:25"},
		{"2025-12-31 18:02", "2025-12-31 18:02", "yesterday 18:02"},
		{"2025-12-31 18:02", "2025-12-31 18:40", "yesterday 18:02-18:40"},
		{"2025-12-31 18:02", "2026-01-01 00:10", "yesterday 18:02 - today 00:10"},
		{"2025-12-30 18:02", "2025-12-30 18:02", "30 Dec 2025"},
		{"2026-01-03 18:02", "2026-01-03 18:02", "3 Jan 18:02"}, // a clock that is wrong
	} {
		if got := kit.WhenSpan(at(c[0]), at(c[1]), now); got != c[2] {
			t.Errorf("%s to %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
