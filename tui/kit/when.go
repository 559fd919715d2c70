package kit

import "time"

// When formats a moment by its distance from now, "" where it is unknown: today 10:48, yesterday 18:02, 18 Nov 09:02, 18 Nov 2025.
func When(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(now.Location())
	day, clock := dayText(at, now), at.Format("15:04")
	if at.Year() != now.Year() && day == at.Format("2 Jan 2006") {
		return day
	}
	return day + " " + clock
}

// WhenSpan is [When] for the time from first to last.
func WhenSpan(first, last, now time.Time) string {
	first, last = first.In(now.Location()), last.In(now.Location())
	switch {
	case first.Format("2006-01-02 15:04") == last.Format("2006-01-02 15:04"):
		return When(last, now)
	case first.Format("2006-01-02") == last.Format("2006-01-02") && (last.Year() == now.Year() || dayText(last, now) == "yesterday"):
		return When(first, now) + "-" + last.Format("15:04")
	}
	return When(first, now) + " - " + When(last, now)
}

// dayText names the day of a moment.
func dayText(at, now time.Time) string {
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	switch {
	case !at.Before(midnight) && at.Before(midnight.AddDate(0, 0, 1)):
		return "today"
	case at.Before(midnight) && !at.Before(midnight.AddDate(0, 0, -1)):
		return "yesterday"
	case at.Year() == now.Year():
		return at.Format("2 Jan")
	}
	return at.Format("2 Jan 2006")
}
