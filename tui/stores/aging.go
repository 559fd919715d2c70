package stores

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Age arranges that the ages in sight move on: a message at the next full minute, unless one is under way.
func (s *Screen) Age(after func(time.Duration, tea.Msg) tea.Cmd) tea.Cmd {
	now := s.env.Now()
	if s.aged.After(now) {
		return nil
	}
	s.aged = now.Truncate(time.Minute).Add(time.Minute)
	return after(s.aged.Sub(now), Message{func() tea.Cmd { return nil }})
}
