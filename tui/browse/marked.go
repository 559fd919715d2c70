package browse

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/kit"
)

// pinMarked keeps proposals away from what is marked, or lets them come again.
func (s *Screen) pinMarked() tea.Cmd {
	s.Env.Emit(kit.PinFiles{Paths: s.Tree.Chosen()})
	return s.shell.Show(keymap.ScreenBrowse)
}

// copyPath copies the path at the cursor, or those that are marked.
func (s *Screen) copyPath() tea.Cmd {
	path, _ := s.Tree.Selected()
	if marked := s.Tree.Keys(); len(marked) > 0 {
		return s.shell.Copy(kit.Count(len(marked), "path"), strings.Join(marked, "\n"))
	}
	return s.shell.Copy("path", path)
}

func (s *Screen) copyOutput() tea.Cmd {
	path, store := s.View.Path(), s.Store
	return s.shell.CopyRead("tool output", func() (string, error) {
		return store.Do(context.Background(), memstore.Command{Name: memstore.CmdView, Path: path}).Content, nil
	})
}
