package tui

import (
	"log/slog"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/tui/ui"
)

// How long a message stands in the status line.
const (
	infoStays = 4 * time.Second
	failStays = 8 * time.Second
)

// messageCount bounds the log of messages.
const messageCount = 500

type message struct {
	at    time.Time
	level ui.Level
	text  string
}

// messages are what the program told the user: the newest stands in the status line
// for some seconds, all can be read again.
type messages struct {
	log     []message
	showing int // number of the message shown, 0: none
	count   int
	pending bool // a message was added whose end is not scheduled yet
	file    *slog.Logger
}

func (s *messages) add(m message) {
	s.log = append(s.log, m)
	s.log = s.log[max(0, len(s.log)-messageCount):]
	s.count++
	s.showing, s.pending = s.count, true
}

func (s *messages) expire(id int) {
	if s.showing == id {
		s.showing = 0
	}
}

// expiry schedules the end of a new message; nothing ticks while none is shown.
func (s *messages) expiry() tea.Cmd {
	if !s.pending {
		return nil
	}
	s.pending = false
	id := s.count
	return tea.Tick(stays(s.log[len(s.log)-1].level), func(time.Time) tea.Msg { return expireMsg{id} })
}

func stays(l ui.Level) time.Duration {
	if l == ui.Fail {
		return failStays
	}
	return infoStays
}

// current returns the message in the status line.
func (s *messages) current() (message, bool) {
	if s.showing == 0 || len(s.log) == 0 {
		return message{}, false
	}
	return s.log[len(s.log)-1], true
}

// tell shows a message and keeps it in the log.
func (s *messages) tell(level ui.Level, sentence string) {
	sentence = text.Clean(sentence)
	s.add(message{at: time.Now(), level: level, text: sentence})
	if level == ui.Fail && s.file != nil {
		s.file.Error("shown to the user", "text", sentence)
	}
}

// forget empties the log and the status line.
func (s *messages) forget() { s.log, s.showing, s.pending = nil, 0, false }

// hide removes the message from the status line.
func (s *messages) hide() { s.expire(s.showing) }

// expireMsg removes a message from the status line.
type expireMsg struct{ id int }

// logText is the message log for its overlay, newest last.
func (s *messages) logText() string {
	if len(s.log) == 0 {
		return "no message so far"
	}
	lines := make([]string, len(s.log))
	for i, m := range s.log {
		lines[i] = m.at.Format("15:04:05") + "  " + levelName(m.level) + "  " + m.text
	}
	return strings.Join(lines, "\n")
}

func levelName(l ui.Level) string {
	switch l {
	case ui.Fail:
		return "error  "
	case ui.Warn:
		return "warning"
	default:
		return "info   "
	}
}
