package config_test

import (
	"strings"
	"testing"
	"time"

	"memcurator/memstore/config"
)

func TestParseMoment(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("here", 2*60*60)
	now := time.Date(2026, 11, 25, 12, 30, 0, 0, zone) // a Wednesday
	for typed, want := range map[string]string{
		"now": "2026-11-25 12:30", "today": "2026-11-25 00:00", "Yesterday": "2026-11-24 00:00", "yesterday 18:02": "2026-11-24 18:02",
		"monday": "2026-11-23 00:00", "mon": "2026-11-23 00:00", "wednesday": "2026-11-25 00:00", "thu": "2026-11-19 00:00",
		"thursday 9:05": "2026-11-19 09:05", "10:48": "2026-11-25 10:48", "2h": "2026-11-25 10:30", "1d12h": "2026-11-24 00:30",
		"5 minutes ago": "2026-11-25 12:25", "2 hours ago": "2026-11-25 10:30", "last week": "2026-11-18 12:30", "7d ago": "2026-11-18 12:30", "2w": "2026-11-11 12:30", "2026-01-31": "2026-01-31 00:00", "2026-01-31 15:04": "2026-01-31 15:04",
		"2026-01-31T15:04": "2026-01-31 15:04", "2026-01-31T15:04:05Z": "2026-01-31 17:04",
	} {
		got, err := config.ParseMoment(typed, now)
		if err != nil || got.In(zone).Format("2006-01-02 15:04") != want {
			t.Errorf("%q is %v, %v, want %s", typed, got, err, want)
		}
	}
	for _, typed := range []string{"", "yesterdy", "mo", "noon", "5", "25:99", "today x", "-2h", "99999999999w", "2026-13-01"} {
		if _, err := config.ParseMoment(typed, now); err == nil || !strings.Contains(err.Error(), `Can't parse "`+typed+`". Try 21:00`) {
			t.Errorf("%q: %v", typed, err)
		}
	}
}
