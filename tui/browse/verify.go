package browse

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/ui"
)

// verification verifies files of the tree.
type verification struct{ *Screen }

// whyNot says why nothing can be verified here.
func (s verification) whyNot() ui.Say {
	if s.era.past() {
		return ui.Say{Text: s.Env.Keyed("Verify works in the present only. {global/travel} returns")}
	}
	return s.Verify.WhyNot()
}

// toggle verifies the chosen files, or those below the chosen folders.
func (s verification) toggle() tea.Cmd { return s.Verify.Toggle(chosenFiles(s.Screen)) }

// chosenFiles are the files that are selected in the tree or below a selected folder, else the one at the cursor.
func chosenFiles(s *Screen) (paths []string) {
	chosen := s.Tree.Selection.Paths()
	if len(chosen) == 0 {
		chosen = []string{s.PathAtCursor()}
	}
	seen := map[string]bool{}
	var add func(path string, n *memstore.Node)
	add = func(path string, n *memstore.Node) {
		if n == nil || seen[path] {
			return
		}
		seen[path] = true
		if n.Kind == memstore.KindFile {
			paths = append(paths, path)
		}
		for _, c := range n.Children {
			if !c.Hidden {
				add(path+"/"+c.Name, c)
			}
		}
	}
	for _, path := range chosen {
		add(path, s.Files.Node(path))
	}
	return paths
}
