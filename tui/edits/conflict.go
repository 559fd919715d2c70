package edits

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

// ReadLimit bounds the file read for a diff in a box, in bytes.
const ReadLimit = 1 << 20

// TextConflictTitle heads the box of a note that was changed meanwhile.
const TextConflictTitle = "Changed since you looked"

// ShowConflict shows what the user saw of a path against what is there now; footer says what the answers do.
func (q *Queue) ShowConflict(path, footer string, seen func() ([]byte, string), answers map[keymap.ID]func() tea.Cmd) tea.Cmd {
	box := diffpane.NewBox(q.env, TextConflictTitle, q.env.Keyed(footer))
	q.shell.OpenUnasked(ui.Box{Overlay: box, Answers: answers})
	store := q.Store()
	return box.Compare(path, path, seen, func() ([]byte, string) { return ReadSmall(store, path) })
}

const TextTooLarge = "the file is too large now to be compared here"

// ReadSmall reads what a path holds now; missing is empty.
func ReadSmall(store *memstore.Store, path string) ([]byte, string) {
	name, err := memstore.ParsePath(path)
	if err != nil {
		return nil, TextBadPath
	}
	f, err := store.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, ui.TextFileGone
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil || info.Size > ReadLimit {
		return nil, TextTooLarge
	}
	data := make([]byte, info.Size)
	n, _ := f.ReadAt(data, 0)
	return data[:n], ""
}

// TextBadPath refuses a path that is none.
const TextBadPath = "the path cannot be read"
