package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

const textConflictFooter = "what you saw against what is there now: {confirm/yes} runs the command all the same, {confirm/no} leaves it"

// openConflict shows what changed between the user's look and the user's edit; the command runs only after a yes, and without
// one a form comes back with what was typed in it.
func (m *Model) openConflict(d commandDone, seen func() ([]byte, string)) tea.Cmd {
	again := func() tea.Cmd {
		again := commandDone{command: d.command, path: d.path, form: d.form, expected: d.expected}
		return m.run(again, func() *memstore.Digest { return nil })
	}
	var back func() tea.Cmd
	if d.form != nil {
		back = d.form.Resume
	}
	return m.edits.ShowConflict(d.path, textConflictFooter, seen, ui.Answers(again, back))
}

func (m *Model) conflictReceived(done ui.Done) tea.Cmd {
	if box, ok := ui.OpenOverlay[*diffpane.Box](&m.boxes); ok {
		return box.Receive(done)
	}
	return nil
}
