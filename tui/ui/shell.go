package ui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
)

// Shell is what a part of the screen may ask of the shell around it, beside what is in its [Env]. All functions are for the
// Bubble Tea goroutine.
type Shell struct {
	// Tell shows a message and keeps it in the log.
	Tell func(Level, string)
	// Open puts a box on top that the user has asked for, OpenUnasked one that opens by itself: it ignores keys for a moment.
	Open, OpenUnasked func(Box)
	// Ask opens a question; yes is what yes does.
	Ask func(title, body string, yes func() tea.Cmd)
}

// Answers are what yes and no do beside closing a box; no may be nil.
func Answers(yes, no func() tea.Cmd) map[keymap.ID]func() tea.Cmd {
	answers := map[keymap.ID]func() tea.Cmd{keymap.Yes: yes}
	if no != nil {
		answers[keymap.No] = no
	}
	return answers
}

// Call is a message that knows what is done at it: of a timer, or of a program that has ended.
type Call func() tea.Cmd
