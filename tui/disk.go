package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/watch"
	"memcurator/tui/ui"
)

// disk is the store on the disk, as the watch has seen it last.
type disk struct {
	snapshot *memstore.Snapshot
	state    watch.State
	note     string
}

type updateMsg watch.Update

// waitForUpdate delivers the next update of the watch; it is armed again after each.
func (m *Model) waitForUpdate() tea.Cmd {
	w := m.options.Watch
	return func() tea.Msg {
		select {
		case u := <-w.Updates():
			return updateMsg(u)
		case <-w.Done():
			return nil
		}
	}
}

// takeUpdate brings the tree and the open file up to date; selection and scroll stay. What was done to the store, and by
// whom, the record tells.
func (m *Model) takeUpdate(u watch.Update) tea.Cmd {
	m.tellState(u)
	was, back := m.disk.snapshot, m.disk.state == watch.Unavailable && u.State != watch.Unavailable
	changed := was == nil || u.Snapshot.Root != was.Root
	if changed || u.State != watch.Live {
		m.viewer.StoreChanged()
	}
	m.disk = disk{u.Snapshot, u.State, u.Note}
	m.watchLosses()
	var cmds []tea.Cmd
	if u.State != watch.Loading && !m.wasCompared {
		// Not earlier: both read the whole store the first time.
		m.wasCompared = true
		cmds = append(cmds, m.compareJournal())
	}
	if changed || !m.curate.Planned() || back {
		cmds = append(cmds, m.curate.Replan())
	}
	if m.travel != nil {
		return tea.Batch(cmds...)
	}
	cmds = append(cmds, m.tree.SetSnapshot(u.Snapshot), m.followRenames(false), m.refreshFile(was, back), m.goToAwaited(), m.placeChange())
	if m.viewer.Path() == "" && u.State != watch.Loading {
		// Not earlier: the listing of a large store would be read beside the first scan
		// of the same folders, and both would take twice as long.
		path, _ := m.tree.Selected()
		cmds = append(cmds, m.viewer.Show(path), m.showLastChange(path))
	}
	return tea.Batch(cmds...)
}

// tellState tells how far the watch can be trusted, where that has changed.
func (m *Model) tellState(u watch.Update) {
	was := m.disk.state
	if u.State == watch.Unavailable && was != watch.Unavailable {
		m.tell(ui.Fail, "the memory directory is not available; what you see is its last known state")
	}
	if u.State == watch.Limited && was != watch.Limited && u.Note != "" {
		m.tell(ui.Warn, u.Note)
	}
	if u.State == watch.Polling && was != watch.Polling {
		m.tell(ui.Info, u.Note)
	}
	if was == watch.Unavailable && u.State != watch.Unavailable {
		m.tell(ui.Info, "the memory directory is back")
	}
}

// refreshFile reads what is open again where the tree says that it is another one than before. Where it is gone, the record
// tells in a moment whether it was deleted or has another name.
func (m *Model) refreshFile(was *memstore.Snapshot, back bool) tea.Cmd {
	path := m.viewer.Path()
	before, now := was.Find(path), m.disk.snapshot.Find(path)
	switch {
	case path == "":
		return nil
	case back:
		return m.reloadFiles()
	case was == nil || !was.Complete || before == now:
		return nil
	case now != nil:
		return m.reloadFiles()
	case m.wasRemoved(path):
		return m.leaveGone()
	}
	return tea.Tick(renameWithin, func(time.Time) tea.Msg { return goneMsg{path} })
}

// renameWithin is how long after a file is gone the record may tell that it was renamed.
const renameWithin = 500 * time.Millisecond

// goneMsg says that a path was gone for a while.
type goneMsg struct{ path string }

// leaveIfGone gives up waiting for the new name of the open file.
func (m *Model) leaveIfGone(path string) tea.Cmd {
	if m.travel != nil || m.viewer.Path() != path || m.shown().Find(path) != nil {
		return nil
	}
	return m.leaveGone()
}

// leaveGone shows what the tree's cursor went to when the open file was deleted. A pinned diff stays.
func (m *Model) leaveGone() tea.Cmd {
	selected, _ := m.tree.Selected()
	switch {
	case selected == m.viewer.Path():
		return m.reloadFiles()
	case m.pinned.nothing():
		return m.selectPath(selected, false)
	}
	return m.viewer.Show(selected)
}

// wasRemoved reports whether the last that the record tells of a path is that it was deleted, or a folder above it.
func (m *Model) wasRemoved(path string) bool {
	list := m.feed.Revisions()
	for i := len(list) - 1; i >= 0; i-- {
		if r := &list[i]; r.Path == path || strings.HasPrefix(path, r.Path+"/") && r.Shape == past.Removed {
			return r.Shape == past.Removed
		}
	}
	return false
}

// movedTo is where a rename took path, which may lie below the renamed folder.
func movedTo(r *past.Revision, path string) (string, bool) {
	if r.OldPath == "" {
		return "", false
	}
	rest, ok := strings.CutPrefix(path, r.OldPath)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return r.Path + rest, true
}

// touches reports whether a revision alters what view returns for path: the file
// itself, something below a listed folder, or a folder above it that went away.
func touches(r *past.Revision, path string) bool {
	for _, p := range []string{r.Path, r.OldPath} {
		if p == "" {
			continue
		}
		if p == path || strings.HasPrefix(p, path+"/") || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}
