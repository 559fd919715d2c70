package ui_test

import (
	"testing"
	"time"

	"memcurator/tui/ui"
)

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		left  time.Duration
		said  string
		stays time.Duration
	}{
		{-time.Hour, "expired", 0},
		{0, "expired", 0},
		{1, "0s", 2},
		{1500 * time.Millisecond, "1s", 500*time.Millisecond + 1},
		{time.Minute, "1m", 1},
		{23*time.Minute + time.Second, "23m", time.Second + 1},
		{5*time.Hour + 12*time.Minute, "5h12m", 1},
		{47 * time.Hour, "47h00m", 1},
		{3*24*time.Hour + time.Hour, "3d", time.Hour + 1},
	} {
		if said, stays := ui.Left(c.left); said != c.said || stays != c.stays {
			t.Errorf("%v: %s for %v", c.left, said, stays)
		}
		if said, stays := ui.Left(c.left); stays > 0 {
			if later, _ := ui.Left(c.left - stays); later == said && c.left > stays {
				t.Errorf("%v: still %s after %v", c.left, later, stays)
			}
		}
	}
}
