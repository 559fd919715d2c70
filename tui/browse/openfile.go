package browse

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// openFile is the file that the tabs show: it stays with the file through changes and renames, and goes elsewhere when it is deleted.
type openFile struct {
	screen   *Screen
	renames  []past.Revision // which the tree does not show yet
	unplaced past.Revision   // shown in the diff tab, while its path is not in the tree yet; zero: none
}

// refresh reads the open file again if the tree shows that it has changed. If it is gone, the record
// will soon say whether it was deleted or renamed.
func (f *openFile) refresh(was *memstore.Snapshot, back bool) tea.Cmd {
	s := f.screen
	path := s.View.Path()
	before, now := was.Find(path), s.Files.snapshot.Find(path)
	switch {
	case path == "":
		return nil
	case back:
		return s.Reload()
	case was == nil || !was.Complete || before == now:
		return nil
	case now != nil && now.Kind == memstore.KindDir && s.Edits.Busy(): // an act of many files changes its listing as often
		return nil
	case now != nil:
		return s.Reload()
	case f.wasRemoved(path):
		return f.leaveGone()
	}
	return nil
}

// leaveGone shows what the tree's cursor moved to when the open file was deleted. A pinned diff stays.
func (f *openFile) leaveGone() tea.Cmd {
	s := f.screen
	selected, _ := s.Tree.Selected()
	switch {
	case selected == s.View.Path():
		return s.Reload()
	case s.Diff.followsTree():
		return s.Select(selected, false)
	}
	return s.View.Show(selected)
}

// wasRemoved reports whether the newest revision of a path deleted it, or a folder above it.
func (f *openFile) wasRemoved(path string) bool {
	s := f.screen
	list := s.Feed.Revisions()
	for i := len(list) - 1; i >= 0; i-- {
		if r := &list[i]; r.Path == path || strings.HasPrefix(path, r.Path+"/") && r.Shape == past.Removed {
			return r.Shape == past.Removed
		}
	}
	return false
}

// followRenames moves the open file and the tree's cursor to the new names. With wait, a rename that the tree does
// not show yet is kept for its next state.
func (f *openFile) followRenames(wait bool) tea.Cmd {
	s := f.screen
	var cmds []tea.Cmd
	for ; len(f.renames) > 0; f.renames = f.renames[1:] {
		r := &f.renames[0]
		if wait && s.Files.snapshot.Find(r.OldPath) != nil && s.Files.snapshot.Find(r.Path) == nil {
			break
		}
		if moved, ok := r.MovedTo(s.View.Path()); ok {
			s.Tree.Follow(moved)
			cmds = append(cmds, f.moveTo(moved))
		}
	}
	return tea.Batch(cmds...)
}

// moveTo follows the open file to its new name.
func (f *openFile) moveTo(path string) tea.Cmd {
	s := f.screen
	var cmds []tea.Cmd
	from := s.View.Path()
	for i := range s.Tabs.row {
		if tab := s.Tabs.file(TabName(i)); tab != nil && tab.Path() == from {
			cmds = append(cmds, tab.ShowMoved(path))
		}
	}
	return tea.Batch(cmds...)
}

func (f *openFile) wake() tea.Cmd {
	s := f.screen
	at := s.Tabs.at
	t := s.Tabs.file(at)
	if t == nil || at == View || !s.isShown() || s.detail.Empty() {
		return nil
	}
	path := s.View.Path()
	if path != t.Path() {
		delete(s.Tabs.stale, at)
		return t.Show(path)
	}
	if s.Tabs.stale[at] {
		delete(s.Tabs.stale, at)
		return t.Reload()
	}
	return nil
}

// place moves tree and view to a path. Of one that is gone the tree shows the folder that it was in.
func (f *openFile) place(path string) tea.Cmd {
	s := f.screen
	f.unplaced = past.Revision{}
	if s.Files.snapshot.Find(path) != nil {
		s.Tree.Select(path)
		return s.View.Show(path)
	}
	for s.Files.snapshot.Find(path) == nil && path != memstore.Root {
		path = path[:strings.LastIndexByte(path, '/')]
	}
	s.Tree.Select(path)
	return nil
}

// placeChange moves tree and view to the change that is shown, once the watch has reported its path.
func (f *openFile) placeChange() tea.Cmd {
	s := f.screen
	r := f.unplaced
	if r.Rev == 0 || s.Diff.pinned != r.Rev || s.Files.snapshot.Find(r.Path) == nil {
		return nil
	}
	return f.place(r.Path)
}
