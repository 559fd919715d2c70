package kit

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
)

// Shell is what a part of the screen may ask of the shell around it, in addition to its [Env]. Call all methods on the Bubble Tea
// goroutine.
type Shell interface {
	// Tell shows a message and adds it to the log.
	Tell(Level, string)
	// Report is Tell for events unrelated to the user's work. It waits while the bar shows the outcome of an act.
	Report(Level, string)
	// Open opens a box at the user's request, OpenUnasked one that opens by itself: it ignores keys for a moment.
	Open(Box)
	OpenUnasked(Box)
	// Ask opens a question; yes runs on yes. The title names the act with the count and ends in a question mark; the body lists the
	// items, their size and the way back.
	Ask(title, body string, yes func() tea.Cmd)
	// AskWord is Ask for an act without undo: the user must type word before enter runs it. Without a word, enter runs it immediately.
	AskWord(title, body, word, act string, yes func() tea.Cmd)
	// Relayout lays the panes out again.
	Relayout() tea.Cmd
	// FocusDetail and FocusList move the focus to one of the two panes; OnDetail reports whether the detail pane has it.
	FocusDetail() tea.Cmd
	FocusList() tea.Cmd
	OnDetail() bool
	// Shows reports whether the screen that an action is for is in sight.
	Shows(keymap.ID) bool
	// Show shows the screen that an action is for.
	Show(keymap.ID) tea.Cmd
	// TypeCommand opens the prompt with the beginning of a command.
	TypeCommand(begin string) tea.Cmd
	// OpenPath shows a path in Browse and focuses it.
	OpenPath(path string) tea.Cmd
	// Copy puts a text on the clipboard; CopyRead first reads it in a job.
	Copy(what, text string) tea.Cmd
	CopyRead(what string, read func() (string, error)) tea.Cmd
}

// TypeArg opens the prompt with the name of an action, for its argument.
func TypeArg(s Shell, id keymap.ID) func() tea.Cmd {
	return func() tea.Cmd { return s.TypeCommand(string(id) + " ") }
}

// Listed is a list whose rows refer to paths.
type Listed interface {
	Path() string
	LineReader(limit int) func() (string, error)
}

// Named is a list whose rows have other names than their paths.
type Named interface {
	// Name is that of the row under the cursor, clean; "" without one.
	Name() string
}

// ListActions are the actions of every screen with a list and a detail pane.
func ListActions(s Shell, list Listed, detail func() Tab) []Action {
	line := func() func() (string, error) {
		if s.OnDetail() {
			return detail().LineReader(CopyLimit)
		}
		return list.LineReader(CopyLimit)
	}
	return []Action{
		{
			ID: keymap.OpenFile, Run: func() tea.Cmd { return s.OpenPath(list.Path()) },
			Why: Unless(func() bool { return list.Path() != "" }, "No file on this row"),
		},
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

// CopyLimit is the maximum size of a text for the clipboard, in bytes: terminals drop longer OSC 52 sequences, most of them far shorter
// ones.
const CopyLimit = 1 << 20

// Answers are what yes and no do after the box closes; no may be nil.
func Answers(yes, no func() tea.Cmd) map[keymap.ID]func() tea.Cmd {
	answers := map[keymap.ID]func() tea.Cmd{keymap.Yes: yes}
	if no != nil {
		answers[keymap.No] = no
	}
	return answers
}

// Call is a message that carries its own handler: from a timer, or a program that has ended.
type Call func() tea.Cmd
