package browse

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

// SetSnapshot takes a newer state of the store; selection and scroll stay. What was done to the store, and by whom, comes
// with [Screen.Changed]. back: the store was unavailable until now.
func (s *Screen) SetSnapshot(now *memstore.Snapshot, back bool) tea.Cmd {
	was := s.snapshot
	s.snapshot = now
	return tea.Batch(s.Tree.SetSnapshot(now), s.file.followRenames(false), s.file.refresh(was, back), s.file.placeChange())
}

// ShowSelected shows the path under the tree's cursor, if nothing is shown yet.
func (s *Screen) ShowSelected() tea.Cmd {
	if s.View.Path() != "" {
		return nil
	}
	path, _ := s.Tree.Selected()
	return tea.Batch(s.View.Show(path), s.Diff.showLast(path))
}

// Changed takes new revisions of the store.
func (s *Screen) Changed(list []past.Revision) tea.Cmd {
	s.Tree.Changed(list)
	s.Search.pane.Changed(list)
	for _, r := range list {
		if r.OldPath != "" {
			s.file.renames = append(s.file.renames, r)
		}
	}
	cmds := []tea.Cmd{s.file.followRenames(true)}
	path := s.View.Path()
	if s.Diff.pinned.pair != nil {
		cmds = append(cmds, s.Diff.refreshPair(list))
	} else if s.Diff.followsTree() {
		cmds = append(cmds, s.Diff.showLast(path))
	}
	if path != "" && s.snapshot.Find(path) == nil && s.file.wasRemoved(path) {
		cmds = append(cmds, s.file.leaveGone())
	}
	if since := s.Feed.Since(list[0].Rev - 1); s.Following.on && len(since) > 0 {
		cmds = append(cmds, s.ShowChange(since[len(since)-1]))
	}
	return tea.Batch(cmds...)
}

// Reload reads the open file again: the view at once, the other tabs when they are in sight.
func (s *Screen) Reload() tea.Cmd {
	s.Tabs.outdate()
	return s.View.Reload()
}

// Wake brings the shown tab up to date with the path and the changes that came while it
// was out of sight. The shell calls it after every message; it is cheap if there is nothing to do.
func (s *Screen) Wake() tea.Cmd { return tea.Batch(s.file.wake(), s.file.sameLines()) }

// ShowChange shows the diff of a change since the start and moves the tree to its path.
func (s *Screen) ShowChange(r past.Revision) tea.Cmd {
	s.Feed.Read(r.Rev)
	s.Tabs.at = Diff
	cmds := []tea.Cmd{s.Diff.showChange(r), s.shell.Relayout()}
	if s.snapshot.Find(r.Path) == nil && r.Shape != past.Removed {
		s.file.unplaced = r // the watch has not reported it yet
		return tea.Batch(cmds...)
	}
	return tea.Batch(append(cmds, s.file.place(r.Path))...)
}

// toggleRead marks the changes of the selected path as read, or the newest as unread if they are all read.
func (s *Screen) toggleRead() tea.Cmd {
	path, _ := s.Tree.Selected()
	if s.Feed.UnreadPaths()[path] > 0 {
		s.Feed.ReadPath(path)
		return nil
	}
	r, ok := s.Feed.LastOf(path)
	if !ok {
		s.shell.Tell(ui.Info, diffpane.TextNoChangeFile)
		return nil
	}
	return s.Marks.Mark(false, r.Rev)
}

// Forget discards everything that was read of the store and of its journal, and reads again what is in sight.
func (s *Screen) Forget() tea.Cmd {
	s.rendered.Forget()
	s.hex.Forget()
	s.blame.Forget()
	s.Search.pane.Forget()
	if s.Tabs.at == Search {
		s.Tabs.at = View
	}
	return tea.Batch(s.View.SetQuery(""), s.Reload())
}
