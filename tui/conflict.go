package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

// conflictUpTo bounds the file read for a conflict's diff, in bytes.
const conflictUpTo = 1 << 20

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
	return m.showConflict(d.path, textConflictFooter, seen, ui.Answers(again, back))
}

// showConflict shows what the user saw of a path against what is there now; footer says what the answers do.
func (m *Model) showConflict(path, footer string, seen func() ([]byte, string), answers map[keymap.ID]func() tea.Cmd) tea.Cmd {
	box := diffpane.NewBox(m.env, textConflictTitle, m.env.Keyed(footer))
	m.openUnasked(ui.Box{Overlay: box, Answers: answers})
	store := m.options.Store
	return box.Compare(path, path, seen, func() ([]byte, string) { return readSmall(store, path) })
}

const textFileTooLarge = "the file is too large now to be compared here"

// readSmall reads what a path holds now; missing is empty.
func readSmall(store *memstore.Store, path string) ([]byte, string) {
	name, err := memstore.ParsePath(path)
	if err != nil {
		return nil, textBadPath
	}
	f, err := store.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, ui.TextFileGone
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil || info.Size > conflictUpTo {
		return nil, textFileTooLarge
	}
	data := make([]byte, info.Size)
	n, _ := f.ReadAt(data, 0)
	return data[:n], ""
}

func (m *Model) conflictReceived(done ui.Done) tea.Cmd {
	if box, ok := ui.OpenOverlay[*diffpane.Box](&m.boxes); ok {
		return box.Receive(done)
	}
	return nil
}

const textConflictTitle = "Changed since you looked"
