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
	// Report is Tell for what happened beside the user's work. It waits while the bar has the outcome of an act.
	Report func(Level, string)
	// Open puts a box on top that the user has asked for, OpenUnasked one that opens by itself: it ignores keys for a moment.
	Open, OpenUnasked func(Box)
	// Ask opens a question; yes is what yes does. The title names the act with the count and ends in a question mark, the body has the
	// things, their size and the way back.
	Ask func(title, body string, yes func() tea.Cmd)
	// AskWord is Ask for an act without undo: word must be typed before enter does act. Without a word enter acts immediately.
	AskWord func(title, body, word, act string, yes func() tea.Cmd)
	// Relayout lays the panes out again.
	Relayout func() tea.Cmd
	// OtherPane moves the focus between the two panes of a screen, FocusDetail and FocusList to one of them; OnDetail reports
	// whether it is on what is shown of a row.
	OtherPane, FocusDetail, FocusList func() tea.Cmd
	OnDetail                          func() bool
	// OnStrip reports whether the focus is on the strip of Browse.
	OnStrip func() bool
	// Shown is the screen in sight.
	Shown func() Screen
	// DiffAt lists what differs between two points in time.
	DiffAt func(from, to string) tea.Cmd
	// Show shows the screen that an action is for.
	Show func(keymap.ID) tea.Cmd
	// TypeCommand opens the prompt with the beginning of a command.
	TypeCommand func(begin string) tea.Cmd
	// TypeFilter opens the line that narrows the list of the screen, from the filter that it has.
	TypeFilter func(filter string) tea.Cmd
	// OpenPath shows a path in Browse, with the focus on it.
	OpenPath func(path string) tea.Cmd
	// Copy puts a text on the clipboard; CopyRead reads it in a job first, and says so if the function is nil.
	Copy     func(what, text string) tea.Cmd
	CopyRead func(what string, read func() (string, error)) tea.Cmd
}

// Listed is a list whose rows are about paths.
type Listed interface {
	Path() string
	LineReader(limit int) func() (string, error)
}

// ListActions are those that every screen has that shows a list and what is in one of its rows.
func (s *Shell) ListActions(list Listed, detail func() Tab) []Action {
	line := func() func() (string, error) {
		if s.OnDetail() {
			return detail().LineReader(CopyLimit)
		}
		return list.LineReader(CopyLimit)
	}
	return []Action{
		{ID: keymap.FocusNext, Run: s.OtherPane},
		{ID: keymap.FocusPrev, Run: s.OtherPane},
		{ID: keymap.OpenFile, Run: func() tea.Cmd { return s.OpenPath(list.Path()) }},
		{
			ID: keymap.CopyPath, Run: func() tea.Cmd { return s.Copy("path", list.Path()) },
			Why: Unless(func() bool { return list.Path() != "" }, "No path here to copy"),
		},
		{
			ID: keymap.CopyLine, Run: func() tea.Cmd { return s.CopyRead("line", line()) },
			Why: Unless(func() bool { return line() != nil }, "No line under the cursor to copy"),
		},
	}
}

// CopyLimit bounds what goes to the clipboard in one piece, in bytes: terminals drop longer OSC 52 sequences, most of them far
// earlier.
const CopyLimit = 1 << 20

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
