package feed

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// SeenAfter is how long the diff of a change must be on the screen for the change to count as read.
const SeenAfter = 500 * time.Millisecond

// Sight marks a change as read once its diff has been on the screen for [SeenAfter] and either its end was in sight or the user goes
// on to the next change. All methods run on the Bubble Tea goroutine.
type Sight struct {
	marks *Marks
	after func(time.Duration, tea.Msg) tea.Cmd
	rev   int64 // whose diff is on the screen; 0: none
	turn  int   // counts what was on the screen
	timed bool  // the diff has been there for long enough, and is not marked yet
	ended bool  // its end was in sight
}

// SeenMsg says that the time for a diff is over.
type SeenMsg struct{ turn int }

// NewSight makes a sight; after delivers a message after a time.
func NewSight(marks *Marks, after func(time.Duration, tea.Msg) tea.Cmd) *Sight {
	return &Sight{marks: marks, after: after}
}

// Look takes the revision whose diff is on the screen now, 0 for none; end: its last row is in sight.
func (s *Sight) Look(rev int64, end bool) tea.Cmd {
	if rev == s.rev {
		s.ended = s.ended || end
		s.settle()
		return nil
	}
	s.turn++
	if s.rev, s.timed, s.ended = rev, false, end; rev == 0 || !s.marks.feed.IsUnread(rev) {
		return nil
	}
	return s.after(SeenAfter, SeenMsg{s.turn})
}

// Take learns that the diff has been on the screen since the message was ordered.
func (s *Sight) Take(msg SeenMsg) {
	if msg.turn == s.turn {
		s.timed = true
		s.settle()
	}
}

// Leave is called when the user moves on to the next change: the end of the current one need not be in sight.
func (s *Sight) Leave() {
	s.ended = true
	s.settle()
}

// settle marks the diff as read, once: the user may mark it as unread again.
func (s *Sight) settle() {
	if s.timed && s.ended {
		s.timed = false
		s.marks.feed.Read(s.rev)
	}
}
