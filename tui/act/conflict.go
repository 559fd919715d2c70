package act

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
)

// ReadLimit bounds the file read for a diff in a box, in bytes.
const ReadLimit = 1 << 20

// TextConflictTitle is the title of the box about a note that changed in the meantime.
const TextConflictTitle = "Changed since you looked"

// ShowConflict shows a diff of what the user saw at a path and what is there now; footer explains the answers.
func (q *Queue) ShowConflict(path, footer string, seen func() ([]byte, string), answers map[keymap.ID]func() tea.Cmd) tea.Cmd {
	box := diffpane.NewBox(q.env, TextConflictTitle, q.env.Keyed(footer))
	q.shell.OpenUnasked(kit.Box{Overlay: box, Answers: answers})
	store := q.Handlers
	return box.Compare(path, path, seen, func() ([]byte, string) { return ReadSmall(store, path) })
}

const textTooLarge = "The file is now too large to compare here"

// ReadSmall reads the current file at a path, or returns why it can't.
func ReadSmall(store *memstore.Store, path string) ([]byte, string) {
	name, err := memstore.ParsePath(path)
	if err != nil {
		return nil, TextBadPath
	}
	f, err := store.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, kit.TextFileGone
	}
	defer f.Close() // opened for reading, so closing it cannot lose anything
	info, err := f.Info()
	if err != nil || info.Size > ReadLimit {
		return nil, textTooLarge
	}
	data := make([]byte, info.Size)
	n, _ := f.ReadAt(data, 0)
	return data[:n], ""
}

// TextBadPath refuses an invalid path.
const TextBadPath = "Can't use this path"
