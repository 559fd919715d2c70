package feed

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// SeenAfter is how long the diff of a change must be on the screen for the change to count as read.
const SeenAfter = 500 * time.Millisecond

// Sight marks a change as read once its diff has been on the screen for [SeenAfter]. All methods run on the Bubble Tea goroutine.
type Sight struct {
	marks *Marks
	after func(time.Duration, tea.Msg) tea.Cmd
	rev   int64 // whose diff is on the screen; 0: none
	turn  int   // counts what was on the screen
}

// SeenMsg says that the time for a diff is over.
type SeenMsg struct{ turn int }

// NewSight makes a sight; after delivers a message after a time.
func NewSight(marks *Marks, after func(time.Duration, tea.Msg) tea.Cmd) *Sight {
	return &Sight{marks: marks, after: after}
}

// Look takes the revision whose diff is on the screen now, 0 for none.
func (s *Sight) Look(rev int64) tea.Cmd {
	if rev == s.rev {
		return nil
	}
	s.turn++
	if s.rev = rev; rev == 0 || !s.marks.feed.IsUnread(rev) {
		return nil
	}
	return s.after(SeenAfter, SeenMsg{s.turn})
}

// Take marks the diff as read that has been on the screen since the message was ordered.
func (s *Sight) Take(msg SeenMsg) {
	if msg.turn == s.turn {
		s.marks.feed.Read(s.rev)
	}
}
