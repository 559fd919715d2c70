package browse

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/kit"
)

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
