package tui

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/prompt"
)

// typeNote has the user type the name of a new note in the folder under the cursor.
func (m *Model) typeNote() tea.Cmd {
	folder := strings.TrimSuffix(m.browse.Tree.Folder(), "/") + "/"
	return m.shell.TypeCommand(string(keymap.NewFile) + " " + strings.TrimSuffix(prompt.Quote(folder), `"`))
}

// typedPath is the agent path of what was typed: from the root if it begins with a slash, else from a folder. A second slash in a row
// begins anew, as behind the folder that the line offers.
func typedPath(typed, folder string) string {
	typed = prompt.Word(typed)
	typed = typed[strings.LastIndex(typed, "//")+1:]
	switch {
	case strings.HasPrefix(typed, memstore.Root+"/"), strings.HasPrefix(typed, "~/"): // whole, or in no store
		return typed
	case path.IsAbs(typed):
		folder = memstore.Root
	}
	return path.Join(folder, typed) + typed[len(strings.TrimRight(typed, "/")):]
}

// newPath is typedPath for something new; an error says why it can't be there.
func (m *Model) newPath(typed, folder string) (string, error) {
	to := typedPath(typed, folder)
	if _, err := memstore.ParsePath(to); err != nil {
		return "", fmt.Errorf("%s: the %w", act.TextBadPath, cmp.Or(errors.Unwrap(err), err))
	}
	if slices.ContainsFunc(strings.Split(to, "/"), func(name string) bool { return len(name) > memstore.MaxName }) {
		return "", fmt.Errorf("A name may have %d bytes", memstore.MaxName)
	}
	for above := path.Dir(strings.TrimRight(to, "/")); above != "/"; above = path.Dir(above) {
		if node := m.browse.Files.Node(above); node != nil && node.Kind == memstore.KindFile {
			return "", errors.New(kit.PathText(above) + " is a file, not a folder")
		}
	}
	return to, nil
}

// goTo goes to a path, now or as soon as the watch reports it.
func (m *Model) goTo(path string) tea.Cmd {
	m.awaited = path
	return m.goToWritten()
}

// goToWritten goes to the path that was written, once it is in the tree.
func (m *Model) goToWritten() tea.Cmd {
	path := m.awaited
	if path == "" || m.browse.Files.Node(path) == nil {
		return nil
	}
	m.awaited = ""
	return m.browse.Select(path, true)
}

// typeMove opens the prompt for the new name of the note that is chosen, or for the folder of several.
func (m *Model) typeMove() tea.Cmd {
	list, shown := m.browse.Tree.Chosen(), m.show(keymap.ScreenBrowse)
	if len(list) == 0 {
		return shown
	}
	to := prompt.Quote(list[0]) // whole, so that it says where it is
	if len(list) > 1 {
		to = path.Dir(list[0]) + "/"
	}
	m.typeCommand(string(keymap.Move) + " " + to)
	m.line.Hint = func() string {
		to, err := m.newPath(m.line.Value(), path.Dir(list[0]))
		if err != nil {
			return err.Error()
		}
		return "Moves to " + to + "; begin with / for a path from /memories"
	}
	return shown
}

// moveTyped renames the note that is chosen to a name in its folder or a path, or moves what is chosen into a folder.
func (m *Model) moveTyped(typed string) (tea.Cmd, error) {
	list := m.browse.Tree.Chosen()
	if len(list) == 0 {
		return m.show(keymap.ScreenBrowse), nil
	}
	to, err := m.newPath(typed, path.Dir(list[0]))
	node := m.browse.Files.Node(strings.TrimRight(to, "/"))
	switch {
	case err != nil:
		return nil, err
	case to == list[0]:
		return nil, errors.New("It has that name already")
	case node != nil && node.Kind != memstore.KindDir:
		return nil, errors.New(kit.PathText(to) + " exists already")
	}
	shown := m.show(keymap.ScreenBrowse)
	if m.edits.RefusesRemoval() { // Browse, which is in sight by now, may show the past
		return shown, nil
	}
	if len(list) > 1 || strings.HasSuffix(to, "/") || node != nil {
		return tea.Batch(shown, m.edits.Move(list, act.AgentPath(to))), nil
	}
	return tea.Batch(shown, m.edits.Rename(list[0], act.AgentPath(to))), nil
}
