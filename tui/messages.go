package tui

import (
	"log/slog"
	"strings"
	"time"

	"memcurator/render/text"
	"memcurator/tui/ui"
)

// messageCount bounds the log of messages.
const messageCount = 500

type message struct {
	at    time.Time
	level ui.Level
	text  string
}

// messages are what the program told the user: the newest stands in the bottom bar until the next key, all can be read again.
type messages struct {
	log   []message
	shown bool // the newest one is in the bar
	file  *slog.Logger
}

func (s *messages) add(m message) {
	s.log = append(s.log, m)
	s.log = s.log[max(0, len(s.log)-messageCount):]
	s.shown = true
}

// current returns the message in the bottom bar.
func (s *messages) current() (message, bool) {
	if !s.shown || len(s.log) == 0 {
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

// forget empties the log and the bar.
func (s *messages) forget() { s.log, s.shown = nil, false }

// hide removes the message from the bar.
func (s *messages) hide() { s.shown = false }

// logText is the message log for its overlay, newest last.
func (s *messages) logText() string {
	if len(s.log) == 0 {
		return "No messages yet"
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
