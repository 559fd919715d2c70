package tui

import (
	"strings"
	"time"

	"memcurator/render/text"
	"memcurator/tui/kit"
)

// messageCount bounds the log of messages.
const messageCount = 500

type message struct {
	at    time.Time
	level kit.Level
	text  string
}

// messages are what the program told the user: the bottom bar shows one until the next key, and all can be read again.
type messages struct {
	log     []message
	bar     *message // in the bottom bar; nil: none
	answers bool     // it answers the user; else it reports what happened beside the user's work
	waiting *message // a report that came while an answer was in the bar
}

// add keeps a message in the log.
func (s *messages) add(level kit.Level, sentence string) *message {
	m := message{at: time.Now(), level: level, text: text.Clean(strings.ReplaceAll(sentence, "\n", "; "))}
	s.log = append(s.log, m)
	s.log = s.log[max(0, len(s.log)-messageCount):]
	return &m
}

// current returns the message in the bottom bar.
func (s *messages) current() (message, bool) {
	if s.bar == nil {
		return message{}, false
	}
	return *s.bar, true
}

// tell shows a message in place of the current one, and adds it to the log.
func (s *messages) tell(level kit.Level, sentence string) {
	s.bar, s.answers = s.add(level, sentence), true
}

// report is tell for what happened beside the user's work. An answer in the bar stays until the next key, and the report comes after it;
// of several, the newest of those that are most serious.
func (s *messages) report(level kit.Level, sentence string) {
	m := s.add(level, sentence)
	switch {
	case s.bar == nil || !s.answers:
		s.bar, s.answers = m, false
	case s.waiting == nil || level >= s.waiting.level:
		s.waiting = m
	}
}

// forget empties the log and the bar.
func (s *messages) forget() { s.log, s.bar, s.waiting = nil, nil, nil }

// hide removes the message from the bar; a report that waits takes its place.
func (s *messages) hide() { s.bar, s.answers, s.waiting = s.waiting, false, nil }

// logText is the message log for its overlay, newest first.
func (s *messages) logText() string {
	if len(s.log) == 0 {
		return "No messages yet"
	}
	lines := make([]string, len(s.log))
	for i, m := range s.log {
		lines[len(lines)-1-i] = m.at.Format("15:04:05") + "  " + levelName(m.level) + "  " + m.text
	}
	return strings.Join(lines, "\n")
}

func levelName(l kit.Level) string {
	switch l {
	case kit.Fail:
		return "error  "
	case kit.Warn:
		return "warning"
	default:
		return "info   "
	}
}
