package stores

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Age arranges that the ages in sight move on: a message when the next of them changes, unless one is under way for that moment. At rest,
// nothing runs between two such moments.
func (s *Screen) Age(after func(time.Duration, tea.Msg) tea.Cmd) tea.Cmd {
	now := s.env.Now()
	next := s.nextAge(now)
	if next.IsZero() || !s.aged.IsZero() && s.aged.After(now) && !next.Before(s.aged) {
		return nil
	}
	s.aged = next
	return after(next.Sub(now), Message{aged: true})
}

// nextAge is when the next age in sight changes; the zero time: none will, or none is shown.
func (s *Screen) nextAge(now time.Time) (next time.Time) {
	earlier := func(at time.Time) {
		if changes := ages(at, now); !changes.IsZero() && (next.IsZero() || changes.Before(next)) {
			next = changes
		}
	}
	if r := s.changes(); r != nil {
		for i := r.cursor.Top(); i < len(r.rows) && i < r.cursor.Top()+r.cursor.Height() && r.short(); i++ {
			if r.rows[i].match >= 0 {
				earlier(r.change(r.rows[i]).Time)
			}
		}
		return next
	}
	for _, r := range s.list.rows {
		if s.found == nil {
			earlier(r.Newest)
		}
	}
	return next
}

// ages is when [ago] says something else of a moment; the zero time: never.
func ages(at, now time.Time) time.Time {
	y, m, d := now.Date()
	tomorrow := time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())
	step := time.Hour
	switch since := now.Sub(at); {
	case at.IsZero() || since < 0 || at.Year() != now.Year() && since >= 7*24*time.Hour:
		return time.Time{}
	case since < time.Minute:
		step = time.Second
	case since < time.Hour:
		step = time.Minute
	case at.Before(time.Date(y, m, d, 0, 0, 0, 0, now.Location())):
		return tomorrow
	}
	if next := at.Add(now.Sub(at).Truncate(step) + step); next.Before(tomorrow) {
		return next
	}
	return tomorrow
}
