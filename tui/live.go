package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/watch"
	"memcurator/tui/diffpane"
	"memcurator/tui/strip"
	"memcurator/tui/ui"
)

// live is what the root knows of the store from the watch.
type live struct {
	snapshot *memstore.Snapshot
	state    watch.State
	note     string
	changes  []*watch.Change // every change since the start, oldest first; Seq rises by 1
	unread   map[int]bool    // by Seq
	paths    map[string]int  // agent path -> number of unread changes
	justRead []*watch.Change // not passed on to the journal yet
	numbers  map[int]int64   // by Seq: the revision that the journal has of a change
}

func (l *live) init() {
	l.unread, l.paths, l.numbers = map[int]bool{}, map[string]int{}, map[int]int64{}
}

func (l *live) isUnread(c *watch.Change) bool { return l.unread[c.Seq] }

func (l *live) add(c *watch.Change) {
	l.changes = append(l.changes, c)
	if c.Actor != memstore.Curator {
		l.markUnread(c)
	}
}

func (l *live) markUnread(c *watch.Change) {
	if !l.unread[c.Seq] {
		l.unread[c.Seq] = true
		l.paths[c.Path]++
	}
}

func (l *live) read(c *watch.Change) {
	if !l.unread[c.Seq] {
		return
	}
	delete(l.unread, c.Seq)
	l.justRead = append(l.justRead, c)
	if l.paths[c.Path]--; l.paths[c.Path] <= 0 {
		delete(l.paths, c.Path)
	}
}

func (l *live) unreadPaths() map[string]bool {
	out := make(map[string]bool, len(l.paths))
	for path := range l.paths {
		out[path] = true
	}
	return out
}

// last returns the newest change of a path before the given number (0: no limit).
func (l *live) last(path string, before int) *watch.Change {
	for i := len(l.changes) - 1; i >= 0; i-- {
		c := l.changes[i]
		if (before == 0 || c.Seq < before) && (c.Path == path || c.OldPath == path) {
			return c
		}
	}
	return nil
}

// first returns the oldest change of a path after the given number.
func (l *live) first(path string, after int) *watch.Change {
	for _, c := range l.changes {
		if c.Seq > after && (c.Path == path || c.OldPath == path) {
			return c
		}
	}
	return nil
}

// newest is the number of the newest change.
func (l *live) newest() int {
	if len(l.changes) == 0 {
		return 0
	}
	return l.changes[len(l.changes)-1].Seq
}

// since lists the changes after a number.
func (l *live) since(seq int) []*watch.Change {
	i := len(l.changes)
	for i > 0 && l.changes[i-1].Seq > seq {
		i--
	}
	return l.changes[i:]
}

// before lists the newest changes before a number, oldest first.
func (l *live) before(seq, most int) []*watch.Change {
	until := len(l.changes) - len(l.since(seq-1))
	return l.changes[max(0, until-most):until]
}

// firstUnread returns the oldest change of a path that the user has not seen.
func (l *live) firstUnread(path string) *watch.Change {
	if l.paths[path] == 0 {
		return nil
	}
	for _, c := range l.changes {
		if c.Path == path && l.unread[c.Seq] {
			return c
		}
	}
	return nil
}

func (l *live) bySeq(seq int) *watch.Change {
	for i := len(l.changes) - 1; i >= 0; i-- {
		if l.changes[i].Seq == seq {
			return l.changes[i]
		}
	}
	return nil
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

// takeUpdate brings tree, strip and the open file up to date; selection and scroll stay.
func (m *Model) takeUpdate(u watch.Update) tea.Cmd {
	if u.State == watch.Unavailable && m.live.state != watch.Unavailable {
		m.tell(ui.Fail, "the memory directory is not available; what you see is its last known state")
	}
	if u.State == watch.Limited && m.live.state != watch.Limited && u.Note != "" {
		m.tell(ui.Warn, u.Note)
	}
	if u.State == watch.Polling && m.live.state != watch.Polling {
		m.tell(ui.Info, u.Note)
	}
	back := m.live.state == watch.Unavailable && u.State != watch.Unavailable
	if back {
		m.tell(ui.Info, "the memory directory is back")
	}
	if was := m.live.snapshot; was == nil || u.Snapshot.Root != was.Root || u.State != watch.Live {
		m.viewer.StoreChanged()
	}
	m.live.state, m.live.note = u.State, u.Note
	m.live.snapshot = u.Snapshot
	for _, c := range u.Changes {
		if !m.late(c) {
			m.live.add(c)
		}
	}
	recorded := m.observe(u.Changes)
	if u.State != watch.Loading && !m.observer.compared {
		// Not earlier: both read the whole store the first time.
		m.observer.compared = true
		recorded = tea.Batch(recorded, m.compareJournal())
	}
	if len(u.Changes) > 0 || !m.curate.Planned() || back {
		recorded = tea.Batch(recorded, m.curate.Replan())
	}
	if m.travel != nil {
		m.missed(u.Changes)
		return recorded
	}
	cmds := []tea.Cmd{recorded, m.tree.SetSnapshot(u.Snapshot, u.Changes)}
	m.found.Changed(u.Changes)
	if len(u.Changes) > 0 {
		m.strip.SetChanges(m.live.changes)
		m.tree.SetUnread(m.unreadPaths())
	}
	cmds = append(cmds, m.refresh(u.Changes, back), m.leaveDeleted(u.Changes))
	cmds = append(cmds, m.tellForm(u.Changes), m.goToAwaited())
	if m.viewer.Path() == "" && u.State != watch.Loading {
		// Not earlier: the listing of a large store would be read beside the first scan
		// of the same folders, and both would take twice as long.
		path, _ := m.tree.Selected()
		cmds = append(cmds, m.viewer.Show(path), m.showLastChange(path))
	}
	if m.follow && len(u.Changes) > 0 {
		cmds = append(cmds, m.showChange(u.Changes[len(u.Changes)-1].Seq))
	}
	return tea.Batch(cmds...)
}

// toggleFollow begins or ends to show each change as it is made; it begins with the newest.
func (m *Model) toggleFollow() tea.Cmd {
	if m.follow {
		m.stopFollowing()
		return nil
	}
	m.follow = true
	m.tell(ui.Info, "following: each change is shown as it is made")
	if n := len(m.live.changes); n > 0 {
		return m.showChange(m.live.changes[n-1].Seq)
	}
	return nil
}

// stopFollowing leaves the screen to the user as soon as the user moves.
func (m *Model) stopFollowing() {
	if m.follow {
		m.follow = false
		m.tell(ui.Info, m.env.Keyed("no longer following; {global/follow} follows again"))
	}
}

// refresh reloads what is open if a change touched it, and goes along with a rename.
func (m *Model) refresh(changes []*watch.Change, reload bool) tea.Cmd {
	path := m.viewer.Path()
	var cmds []tea.Cmd
	for _, c := range changes {
		if c.OldPath != "" {
			m.drafts.Moved(c.OldPath, c.Path)
		}
		if moved, ok := movedTo(c, path); ok {
			m.tree.Follow(moved)
			cmds = append(cmds, m.moveFiles(moved))
			path, reload = moved, false
			continue
		}
		reload = reload || touches(c, path)
	}
	if reload {
		cmds = append(cmds, m.reloadFiles())
	}
	if m.held.pair != nil {
		cmds = append(cmds, m.refreshPair(changes))
	} else if len(changes) > 0 && m.held.nothing() {
		cmds = append(cmds, m.showLastChange(path))
	}
	return tea.Batch(cmds...)
}

// leaveDeleted shows what the tree's cursor went to when the open file was deleted.
func (m *Model) leaveDeleted(changes []*watch.Change) tea.Cmd {
	path := m.viewer.Path()
	for _, c := range changes {
		gone := c.Command == watch.CmdDelete && touches(c, path) && m.shown().Find(path) == nil
		if selected, _ := m.tree.Selected(); gone && selected != path {
			return m.selectPath(selected, false)
		}
	}
	return nil
}

// movedTo tells where a rename took path, which may lie below the renamed folder.
func movedTo(c *watch.Change, path string) (string, bool) {
	if c.OldPath == "" {
		return "", false
	}
	rest, ok := strings.CutPrefix(path, c.OldPath)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return c.Path + rest, true
}

// touches reports whether a change alters what view returns for path: the file
// itself, something below a listed folder, or a folder above it that went away.
func touches(c *watch.Change, path string) bool {
	for _, p := range []string{c.Path, c.OldPath} {
		if p == "" {
			continue
		}
		if p == path || strings.HasPrefix(p, path+"/") || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// markRead notes that the user has seen the changes of a path.
func (m *Model) markRead(path string) {
	m.inbox.read(path)
	if m.live.paths[path] > 0 {
		for _, c := range m.live.changes {
			if c.Path == path {
				m.live.read(c)
			}
		}
	}
	m.tree.SetUnread(m.unreadPaths())
}

// toggleRead marks the changes of the selected path as read; when they are, the newest as unread.
func (m *Model) toggleRead() {
	path, _ := m.tree.Selected()
	if m.unreadPaths()[path] {
		m.markRead(path)
		return
	}
	c := m.live.last(path, 0)
	if c == nil {
		m.tell(ui.Info, diffpane.TextNoChangeFile)
		return
	}
	m.live.markUnread(c)
	m.tree.SetUnread(m.unreadPaths())
}

func (m *Model) readAll() {
	for _, c := range m.live.changes {
		m.live.read(c)
	}
	m.inbox.readAll()
	m.tree.SetUnread(m.unreadPaths())
	m.tell(ui.Info, "every change is marked as read")
}

const textNoUnread = "no unread change"

// nextUnread goes to the oldest change that the user has not seen.
func (m *Model) nextUnread() tea.Cmd {
	for _, c := range m.live.changes {
		if m.live.isUnread(c) {
			return m.showChange(c.Seq)
		}
	}
	if len(m.inbox.unread) > 0 {
		shown := m.goTo(onChanges) // from before this start
		return tea.Batch(shown, m.nextUnreadRevision(m.board()))
	}
	m.tell(ui.Info, textNoUnread)
	return nil
}

// showChange opens the diff of one change and moves the tree to its path.
func (m *Model) showChange(seq int) tea.Cmd {
	c := m.live.bySeq(seq)
	if c == nil {
		return nil
	}
	m.live.read(c)
	m.tree.SetUnread(m.unreadPaths())
	m.tree.Select(c.Path)
	m.tab, m.held = tabDiff, held{change: seq}
	cmds := []tea.Cmd{m.diff.Show(m.comparison(c)), m.relayout()}
	if s := m.shown(); s != nil && s.Find(c.Path) != nil {
		cmds = append(cmds, m.viewer.Show(c.Path))
	}
	return tea.Batch(cmds...)
}

// showLastChange fills the diff tab with the newest change of a path.
func (m *Model) showLastChange(path string) tea.Cmd {
	c := m.live.last(path, 0)
	if c == nil || m.travel != nil {
		return m.showLastRevision(path)
	}
	return m.diff.Show(m.comparison(c))
}

// stepChange goes to the change before or after the one that the diff tab shows, of the same file.
func (m *Model) stepChange(older bool) tea.Cmd {
	path := m.steppedPath()
	shown := m.live.bySeq(m.held.change)
	if shown == nil {
		shown = m.live.last(path, 0)
	}
	if m.options.Journal != nil {
		return m.stepByJournal(path, shown, older)
	}
	if shown == nil {
		m.tell(ui.Info, diffpane.TextNoChangeFile)
		return nil
	}
	next := m.live.first(shown.Path, shown.Seq)
	if older {
		name := shown.Path
		if shown.OldPath != "" {
			name = shown.OldPath
		}
		next = m.live.last(name, shown.Seq)
	}
	if next == nil {
		m.tell(ui.Info, textNoFurtherChange)
		return nil
	}
	m.held = held{change: next.Seq}
	m.live.read(next)
	m.tree.SetUnread(m.unreadPaths())
	return m.diff.Show(m.comparison(next))
}

// stepByJournal steps through all that is recorded of the path.
func (m *Model) stepByJournal(path string, shown *watch.Change, older bool) tea.Cmd {
	want := pathRevisions{path: path, step: 1, from: m.held}
	if older {
		want.step = -1
	}
	if shown != nil && shown.After != nil {
		digest := shown.After.Digest()
		want.after = &digest
	}
	return m.readPath(want, ofPathMost)
}

// comparison describes a change to the diff tab.
func (m *Model) comparison(c *watch.Change) diffpane.Comparison {
	st := m.env.Styles
	title := fmt.Sprintf("%s  %s  %s  %s  %s  %s", m.number(c), c.Time.Format("15:04:05"), c.Actor, c.Command, strip.Path(c, st), strip.Counts(c, st))
	if c.Before == nil && c.After == nil {
		why := changedKindText(c.Kind == memstore.KindDir, c.Command)
		none := func() ([]byte, string) { return nil, why }
		return diffpane.Comparison{Key: fmt.Sprintf("change %d", c.Seq), Title: strings.TrimSpace(title), Path: c.Path, Before: none, After: none}
	}
	return diffpane.Comparison{
		Key: fmt.Sprintf("change %d", c.Seq), Title: strings.TrimSpace(title), Path: c.Path, OldPath: c.OldPath,
		Before: loadVersion(c.Before), After: loadVersion(c.After),
	}
}

// changedKindText says what happened to something that has no text.
func changedKindText(folder bool, command string) string {
	if folder {
		return "a folder has no text to compare; what happened to it: " + command
	}
	return "this is no regular file and has no text to compare; what happened to it: " + command
}

// loadVersion reads one side of a change; a side that does not exist is empty.
func loadVersion(v *watch.Version) func() ([]byte, string) {
	return func() ([]byte, string) {
		if v == nil {
			return nil, ""
		}
		if ok, why := v.Kept(); !ok {
			return nil, why
		}
		data := make([]byte, v.Size())
		n, err := v.ReadAt(data, 0)
		if err != nil && !errors.Is(err, io.EOF) || int64(n) != v.Size() {
			return nil, "the bytes of this version are gone: the folder for temporary files lost them"
		}
		return data, ""
	}
}

func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
