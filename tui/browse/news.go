package browse

import (
	"strings"
	"time"

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
	return tea.Batch(s.Tree.SetSnapshot(now), s.followRenames(false), s.refreshFile(was, back), s.placeChange())
}

// ShowSelected shows the path under the tree's cursor, if nothing is shown yet.
func (s *Screen) ShowSelected() tea.Cmd {
	if s.View.Path() != "" {
		return nil
	}
	path, _ := s.Tree.Selected()
	return tea.Batch(s.View.Show(path), s.Diff.showLast(path))
}

// refreshFile reads the open file again if the tree shows that it has changed. If it is gone, the record
// will soon say whether it was deleted or renamed.
func (s *Screen) refreshFile(was *memstore.Snapshot, back bool) tea.Cmd {
	path := s.View.Path()
	before, now := was.Find(path), s.snapshot.Find(path)
	switch {
	case path == "":
		return nil
	case back:
		return s.Reload()
	case was == nil || !was.Complete || before == now:
		return nil
	case now != nil:
		return s.Reload()
	case s.wasRemoved(path):
		return s.leaveGone()
	}
	return tea.Tick(renameWithin, func(time.Time) tea.Msg { return ui.Call(func() tea.Cmd { return s.leaveIfGone(path) }) })
}

// renameWithin is how long after a file has gone the record may say that it was renamed.
const renameWithin = 500 * time.Millisecond

// leaveIfGone gives up waiting for the new name of the open file.
func (s *Screen) leaveIfGone(path string) tea.Cmd {
	if s.View.Path() != path || s.snapshot.Find(path) != nil {
		return nil
	}
	return s.leaveGone()
}

// leaveGone shows what the tree's cursor moved to when the open file was deleted. A pinned diff stays.
func (s *Screen) leaveGone() tea.Cmd {
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
func (s *Screen) wasRemoved(path string) bool {
	list := s.Feed.Revisions()
	for i := len(list) - 1; i >= 0; i-- {
		if r := &list[i]; r.Path == path || strings.HasPrefix(path, r.Path+"/") && r.Shape == past.Removed {
			return r.Shape == past.Removed
		}
	}
	return false
}

// Changed takes new revisions of the store.
func (s *Screen) Changed(list []past.Revision) tea.Cmd {
	s.Tree.Changed(list)
	s.search.pane.Changed(list)
	for _, r := range list {
		if r.OldPath != "" {
			s.renames = append(s.renames, r)
		}
	}
	cmds := []tea.Cmd{s.followRenames(true)}
	path := s.View.Path()
	if s.Diff.pinned.pair != nil {
		cmds = append(cmds, s.Diff.refreshPair(list))
	} else if s.Diff.followsTree() {
		cmds = append(cmds, s.Diff.showLast(path))
	}
	if path != "" && s.snapshot.Find(path) == nil && s.wasRemoved(path) {
		cmds = append(cmds, s.leaveGone())
	}
	if since := s.Feed.Since(list[0].Rev - 1); s.follow && len(since) > 0 {
		cmds = append(cmds, s.ShowChange(since[len(since)-1]))
	}
	return tea.Batch(cmds...)
}

// followRenames moves drafts, the open file and the tree's cursor to the new names. With wait, a rename that the tree does
// not show yet is kept for its next state.
func (s *Screen) followRenames(wait bool) tea.Cmd {
	var cmds []tea.Cmd
	for ; len(s.renames) > 0; s.renames = s.renames[1:] {
		r := &s.renames[0]
		if wait && s.snapshot.Find(r.OldPath) != nil && s.snapshot.Find(r.Path) == nil {
			break
		}
		s.Drafts.Moved(r.OldPath, r.Path)
		if moved, ok := r.MovedTo(s.View.Path()); ok {
			s.Tree.Follow(moved)
			cmds = append(cmds, s.moveFiles(moved))
		}
	}
	return tea.Batch(cmds...)
}

// moveFiles follows the open file to its new name.
func (s *Screen) moveFiles(path string) tea.Cmd {
	var cmds []tea.Cmd
	from := s.View.Path()
	for _, t := range s.Tabs.row {
		if f, ok := t.(ui.FileTab); ok && f.Path() == from {
			cmds = append(cmds, f.ShowMoved(path))
		}
	}
	return tea.Batch(cmds...)
}

// Reload reads the open file again: the view at once, the other tabs when they are in sight.
func (s *Screen) Reload() tea.Cmd {
	s.Tabs.outdate()
	return s.View.Reload()
}

// OutdateBlame makes the blame tab read its file again when it is in sight.
func (s *Screen) OutdateBlame() { s.Tabs.stale[Blame] = true }

// Wake brings the shown tab up to date with the path and the changes that came while it
// was out of sight. The shell calls it after every message; it is cheap if there is nothing to do.
func (s *Screen) Wake() tea.Cmd { return tea.Batch(s.wakeFile(), s.sameLines()) }

func (s *Screen) wakeFile() tea.Cmd {
	t, ok := s.Tabs.Shown().(ui.FileTab)
	at := s.Tabs.at
	if !ok || at == View || !s.isShown() || s.detail.Empty() {
		return nil
	}
	path := s.View.Path()
	if path != t.Path() {
		delete(s.Tabs.stale, at)
		if at == History {
			return tea.Batch(t.Show(path), s.Prepare())
		}
		return t.Show(path)
	}
	if s.Tabs.stale[at] {
		delete(s.Tabs.stale, at)
		return t.Reload()
	}
	return nil
}

// sameLines keeps the place in the file when the user goes from tab to tab. A jump to a line of the view by its number
// brings its own place.
func (s *Screen) sameLines() tea.Cmd {
	t := s.Tabs
	to, ok := t.Shown().(ui.Lined)
	if !ok || t.at == t.lined || s.detail.Empty() {
		return nil
	}
	from, ok := t.row[t.lined].(ui.Lined)
	stepped := t.stepped == t.at
	t.lined = t.at
	if !ok || !stepped || from.Path() != to.Path() {
		return nil
	}
	if top, cursor, ok := from.Lines(); ok {
		return to.ShowLines(top, cursor)
	}
	return nil
}

// ShowChange shows the diff of a change since the start and moves the tree to its path.
func (s *Screen) ShowChange(r past.Revision) tea.Cmd {
	s.Feed.Read(r.Rev)
	s.Tabs.at = Diff
	cmds := []tea.Cmd{s.Diff.showChange(r), s.shell.Relayout()}
	if s.snapshot.Find(r.Path) == nil && r.Shape != past.Removed {
		s.unplaced = r // the watch has not reported it yet
		return tea.Batch(cmds...)
	}
	return tea.Batch(append(cmds, s.placeAt(r.Path))...)
}

// placeAt moves tree and view to a path, if it exists.
func (s *Screen) placeAt(path string) tea.Cmd {
	s.unplaced = past.Revision{}
	s.Tree.Select(path)
	if s.snapshot.Find(path) == nil {
		return nil
	}
	return s.View.Show(path)
}

// placeChange moves tree and view to the change that is shown, once the watch has reported its path.
func (s *Screen) placeChange() tea.Cmd {
	r := s.unplaced
	if r.Rev == 0 || s.Diff.pinned.revision != r.Rev || s.snapshot.Find(r.Path) == nil {
		return nil
	}
	return s.placeAt(r.Path)
}

// Following reports whether each change is shown as it is made.
func (s *Screen) Following() bool { return s.follow }

// Follow shows each change as it is made from now on.
func (s *Screen) Follow() { s.follow = true }

// toggleFollow begins or ends to show each change as it is made; it begins with the newest.
func (s *Screen) toggleFollow() tea.Cmd {
	if s.follow {
		s.StopFollowing()
		return nil
	}
	s.follow = true
	s.shell.Tell(ui.Info, "following: each change is shown as it is made")
	if list := s.Feed.Revisions(); len(list) > 0 {
		return s.ShowChange(list[len(list)-1])
	}
	return nil
}

// StopFollowing leaves the screen to the user as soon as the user moves.
func (s *Screen) StopFollowing() {
	if s.follow {
		s.follow = false
		s.shell.Tell(ui.Info, s.Env.Keyed("no longer following; {global/follow} follows again"))
	}
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
	s.search.pane.Forget()
	if s.Tabs.at == Search {
		s.Tabs.at = View
	}
	return tea.Batch(s.View.SetQuery(""), s.Reload())
}

// ForgetChange empties the diff tab and fills it from what the feed still holds.
func (s *Screen) ForgetChange() tea.Cmd {
	s.Diff.Clear()
	return s.Diff.showLast(s.View.Path())
}
