package browse

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/kit"
)

// TreeChanged implements [kit.TreeWatcher]; selection and scroll stay. Changes, and their actors, come with
// [Screen.Changed].
func (s *Screen) TreeChanged(c kit.TreeChange) tea.Cmd {
	if s.away != nil {
		return nil
	}
	s.load.stale = true
	was, now := s.Files.snapshot, s.Edits.Snapshot
	s.Files.snapshot = now
	s.Tree.SetSnapshot(now)
	cmds := []tea.Cmd{s.file.followRenames(false), s.file.refresh(was, c.Back), s.file.placeChange(),
		s.readExpiry()}
	if !c.Loading {
		// Not earlier: the listing of a large store would be read beside the first scan
		// of the same folders, and both would take twice as long.
		cmds = append(cmds, s.showSelected())
	}
	return tea.Batch(cmds...)
}

// showSelected shows the path under the tree's cursor, if nothing is shown yet.
func (s *Screen) showSelected() tea.Cmd {
	if s.View.Path() != "" {
		return nil
	}
	path, _ := s.Tree.Selected()
	return tea.Batch(s.View.Show(path), s.Diff.showLast(path), s.Summary.Changed())
}

// Changed implements [feed.Watcher].
func (s *Screen) Changed(list []past.Revision) tea.Cmd {
	if s.away != nil {
		return nil
	}
	s.Search.stale = s.Search.matcher != nil && len(list) > 0
	for _, r := range list {
		if r.OldPath != "" {
			s.file.renames = append(s.file.renames, r)
		}
	}
	cmds := []tea.Cmd{s.file.followRenames(true)}
	path := s.View.Path()
	if s.Diff.followsTree() && !(s.DiffInSight() != 0 && s.shell.OnDetail()) { // a diff with the focus stays: r reverts it
		cmds = append(cmds, s.Diff.showLast(path))
	}
	if path != "" && s.Files.snapshot.Find(path) == nil && s.file.wasRemoved(path) {
		cmds = append(cmds, s.file.leaveGone())
	}
	if s.Following.on {
		cmds = append(cmds, s.Following.show(s.Feed.Since(list[0].Rev-1)))
	}
	return tea.Batch(cmds...)
}

// Reload reads the open file again: the view immediately, the other tabs once they are in sight.
func (s *Screen) Reload() tea.Cmd {
	s.Tabs.outdate()
	return s.View.Reload()
}

// Acted shows what an act has changed, where that was passed over while it was under way.
func (s *Screen) Acted() tea.Cmd {
	cmd := s.Summary.Changed()
	if node := s.Files.snapshot.Find(s.View.Path()); node != nil && node.Kind == memstore.KindDir {
		cmd = tea.Batch(cmd, s.Reload())
	}
	return cmd
}

// Wake brings the shown tab up to date with the path and the changes that came while it
// was out of sight. The shell calls it after every message; it is cheap when idle.
func (s *Screen) Wake() tea.Cmd { return tea.Batch(s.file.wake(), s.load.wake()) }

// ShowChange shows the diff of a change and moves the tree to its path.
func (s *Screen) ShowChange(r past.Revision) tea.Cmd {
	s.Summary.leave()
	s.Tabs.at, s.Tabs.from = Diff, nil
	cmds := []tea.Cmd{s.Diff.showRevision(r), s.shell.Relayout()}
	if s.Files.snapshot.Find(r.Path) == nil && r.Shape != past.Removed {
		s.file.unplaced = r // the watch has not reported it yet
		return tea.Batch(cmds...)
	}
	return tea.Batch(append(cmds, s.file.place(r.Path))...)
}

// approve marks what the focused pane is about as read: the change in the diff, the selected paths, or
// the path at the cursor with everything below it.
func (s *Screen) approve() tea.Cmd {
	if rev := s.DiffInSight(); rev != 0 && s.shell.OnDetail() { // not what the user hasn't seen
		return s.Marks.Approve(fmt.Sprintf("#%d", rev), rev)
	}
	marked := s.Tree.Keys()
	if len(marked) == 0 || s.shell.OnDetail() {
		return s.Marks.ApprovePaths(s.reviewedPath())
	}
	return s.Marks.ApprovePaths(marked...)
}

// reviewedPath is the path that the user looks at: of a change in the diff tab, which may be gone, or at the cursor.
func (s *Screen) reviewedPath() string {
	if s.Tabs.at == Diff && s.Diff.pinned != 0 && s.Diff.pane.Path() != "" {
		return s.Diff.pane.Path()
	}
	return s.PathAtCursor()
}

// Forget implements [kit.Forgetter].
func (s *Screen) Forget() tea.Cmd {
	s.Summary.Forget()
	for i, tab := range s.Tabs.row {
		if f, ok := tab.(interface{ Forget() }); ok && TabName(i) != View && TabName(i) != Diff { // these two are read again below
			f.Forget()
		}
	}
	if s.Tabs.at == Search {
		s.Tabs.at = View
	}
	s.View.Search().SetQuery("")
	cmds := []tea.Cmd{s.Reload()}
	if list := s.OpenHistory(); list != nil {
		cmds = append(cmds, list.Reread())
	}
	return tea.Batch(cmds...)
}
