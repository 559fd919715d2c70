package config

import (
	"fmt"
	"strings"
	"time"
)

// The forms of a date and of a time of day, in the zone of the reader where they name none.
var (
	dateForms = []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02",
	}
	clockForms = []string{"15:04", "15:04:05"}
)

// ParseMoment reads a point in time at or before now: "today", "yesterday" and a weekday (the last one, also as "mon") mean the
// beginning of the day unless a time of day follows ("yesterday 18:02"); "10:48" is of today; "2h", "1d12h", "7d ago", "5 minutes
// ago" and "last week" count back from now; a date has a time of day or not. The error is a sentence for the user.
func ParseMoment(s string, now time.Time) (time.Time, error) {
	typed := strings.ToLower(strings.TrimSpace(s))
	if typed == "now" {
		return now, nil
	}
	back := strings.TrimSpace(strings.TrimSuffix(typed, "ago"))
	for _, unit := range []string{"second", "minute", "hour", "day", "week"} {
		if n, ok := strings.CutSuffix(strings.TrimSuffix(back, "s"), " "+unit); ok {
			back = strings.Replace(n, "last", "1", 1) + unit[:1]
		}
	}
	if d, ok := ParseDuration(back); ok {
		return now.Add(-d), nil
	}
	word, clock, timed := strings.Cut(typed, " ")
	day, ok := dayNamed(word, now)
	if !timed && !ok {
		day, clock, timed, ok = midnight(now), word, true, true
	}
	if ok && !timed {
		return day, nil
	}
	if ok {
		for _, form := range clockForms {
			if t, err := time.Parse(form, strings.TrimSpace(clock)); err == nil {
				return time.Date(day.Year(), day.Month(), day.Day(), t.Hour(), t.Minute(), t.Second(), 0, now.Location()), nil
			}
		}
	}
	for _, form := range dateForms {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(s), now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("Can't parse %q. Try 21:00, yesterday 18:02, monday, 3d, 2 hours ago, 2026-01-31", s)
}

// shortestDay is how many letters of a weekday are enough.
const shortestDay = 3

// dayNamed is the beginning of the day that a word names.
func dayNamed(word string, now time.Time) (day time.Time, ok bool) {
	today := midnight(now)
	switch word {
	case "today":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	}
	for back := range 7 {
		day = today.AddDate(0, 0, -back)
		if len(word) >= shortestDay && strings.HasPrefix(strings.ToLower(day.Weekday().String()), word) {
			return day, true
		}
	}
	return time.Time{}, false
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}
