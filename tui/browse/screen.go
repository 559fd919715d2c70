// Package browse is the Browse screen: the tree of a store and the file under its cursor in tabs. A [Screen]
// shows one store, as it is now or, on a journey, as of a moment of the past. The shell makes it; edits go through tui/act.
package browse

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/editor"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
)

// Options are what a screen shows and what it calls.
type Options struct {
	Store   *memstore.Store
	Journal *journal.Journal
	Feed    *feed.Feed
	Marks   *feed.Marks
	Edits   *act.Queue
	Editor  *editor.Editor
}

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	Options
	Env   *kit.Env
	shell act.Shell
	steps int   // revisions to move by, requested and not read yet
	away  *away // nil: the present is shown

	Tree    *Tree
	View    *viewPane
	Tabs    *Tabs
	Diff    *DiffTab
	Search  *StoreSearch
	Summary *Summary
	Files   *Files
	// Following shows each change as it is made.
	Following *Following

	file     *openFile
	rendered *renderedPane
	blame    *blamePane
	history  *historyTab
	load     *loadPane
	actions  *kit.Actions
	detail   kit.Rect // of the tabs
}

// New makes the screen of a store.
func New(env *kit.Env, shell act.Shell, o Options) *Screen {
	s := &Screen{Options: o, Env: env, shell: shell, Files: &Files{}}
	s.Tree = newTree(s)
	s.View = newView(s)
	s.rendered = newRenderedPane(s)
	s.history = newHistory(s)
	s.blame = newBlamePane(s)
	s.Diff, s.Following, s.file = &DiffTab{screen: s, env: env, pane: diffpane.New(env, ownerDiff)}, &Following{screen: s}, &openFile{screen: s}
	s.Search = newStoreSearch(s)
	s.load = newLoadPane(s)
	s.Summary = &Summary{screen: s, Text: kit.NewText(env, kit.TextSpec{Owner: ownerSummary})}
	s.Tabs = &Tabs{env: env, stale: map[TabName]bool{}, row: []kit.Tab{
		View: s.View, Diff: s.Diff.pane, History: s.history, Blame: s.blame, Rendered: s.rendered, Load: s.load,
		Search: s.Search,
	}}
	s.actions = kit.NewActions(env, keymap.Tree, s.bindings()...)
	return s
}

// AwaitedJobs are the owners of the jobs that the user waits for, so that esc means them.
func AwaitedJobs() []string {
	return []string{ownerDiff, ownerOfPath, ownerTravel}
}

// bindings are the actions beside those of the panes.
func (s *Screen) bindings() []kit.Action {
	tab := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			if !s.Summary.leave() {
				s.Tabs.step(by)
			}
			if s.detail.Empty() {
				return s.shell.FocusDetail()
			}
			return s.shell.Relayout()
		}
	}
	return []kit.Action{
		{Scope: keymap.History, ID: keymap.Open, Keys: "enter", Help: "open the diff of the revision", Hint: "diff"},
		{Scope: keymap.History, ID: keymap.Revert, Keys: "r", Help: "revert the change; later edits stay", Hint: "revert"},
		{Scope: keymap.History, ID: keymap.RestoreAt, Keys: "R", Help: "restore the file as of this change", Hint: "restore"},
		{ID: keymap.TabNext, Run: tab(1)},
		{ID: keymap.TabPrev, Run: tab(-1)},
		{Scope: keymap.Global, ID: keymap.Listing, Keys: "L", Help: "show what the agent loads at the start of a session; again returns",
			Run: s.load.show, Anywhere: true},
		{ID: "summary", Help: "explain what changed since you last looked, and what needs you",
			Run: s.Summary.show},
		{Scope: keymap.Global, ID: keymap.Explain, Keys: "i", Help: "explain the file under the cursor: its size, dates and use",
			Run: s.explain},
		{ID: keymap.Follow, Run: s.Following.toggle, Anywhere: true},
		{ID: keymap.MarkRead, Run: s.approve, Why: s.Marks.WhyNot},
		{Scope: keymap.Diff, ID: keymap.OpenFile, Keys: "enter", Help: "open the file at this line",
			Run: s.Diff.openFile},
		{ID: keymap.Travel, Run: s.travel},
		{ID: keymap.Refresh, Run: s.refresh},
		{ID: keymap.CopyPath, Run: s.copyPath},
		{
			ID: keymap.CopyLine, Run: func() tea.Cmd { return s.shell.CopyRead("line", s.Tabs.Shown().LineReader(kit.CopyLimit)) },
			Why: kit.Unless(func() bool { return s.Tabs.Shown().LineReader(kit.CopyLimit) != nil }, "No line under the cursor to copy"),
		},
		{
			ID: keymap.CopyDiff, Run: func() tea.Cmd { return s.shell.CopyRead("diff", s.Diff.pane.TextReader(kit.CopyLimit)) },
			Why: kit.Unless(func() bool { return s.Diff.pane.TextReader(kit.CopyLimit) != nil }, "No diff here to copy"),
		},
		{ID: keymap.CopyOutput, Run: s.copyOutput, Why: kit.Unless(func() bool { return s.View.Path() != "" }, "No file here to copy")},
		{ID: keymap.Delete, Keys: "d", Help: "delete the selected files and folders, or the one under the cursor; asks first",
			Run: func() tea.Cmd { return s.Edits.Delete(s.Tree.Chosen()) }, Why: s.Edits.WhyNoRemoval},
		{Scope: keymap.Diff, ID: keymap.Revert, Help: "revert the whole change; later edits stay",
			Run: func() tea.Cmd { return s.Edits.Revert(s.Revision()) }, Why: s.Edits.WhyNoWrite},
		{
			Scope: keymap.Diff, ID: keymap.RevertHunk, Keys: "r", Help: "revert the hunk; later edits stay",
			Why: s.Edits.WhyNoWrite,
			Run: func() tea.Cmd { return s.Edits.RevertHunk(s.Revision(), s.Diff.pane.Hunk()) },
		},
		{Scope: keymap.Diff, ID: keymap.RestoreAt, Keys: "R", Help: "restore the file as of this change",
			Run: s.restore, Why: s.whyNoRestore},
		{ID: keymap.CallOf, Run: func() tea.Cmd { return s.shell.TraceCall(s.Revision()) }, Why: s.whyNoCall},
		{ID: keymap.Edit, Run: s.edit, Why: s.Edits.WhyNoWrite},
	}
}

// refresh reads the tabs again, or searches the store again.
func (s *Screen) refresh() tea.Cmd {
	if s.Tabs.at == Search {
		return s.Search.Again()
	}
	return s.Reload()
}

// isShown reports whether the screen is in sight.
func (s *Screen) isShown() bool { return s.shell.Shows(keymap.ScreenBrowse) }

// Open shows a tab, with the focus on it.
func (s *Screen) Open(t TabName) tea.Cmd {
	s.Summary.leave()
	s.Tabs.at = t
	return s.shell.FocusDetail()
}

// Select shows an agent path in the tabs; with reveal the tree's cursor goes there too.
func (s *Screen) Select(path string, reveal bool) tea.Cmd {
	var shown tea.Cmd
	if reveal {
		shown = s.shell.Show(keymap.ScreenBrowse)
		s.Tree.Select(path)
		s.Tabs.showFiles()
	}
	s.Summary.leave()
	s.Diff.pinned, s.Tabs.from = 0, nil
	return tea.Batch(shown, s.View.Show(path), s.Diff.showLast(path))
}

// OpenPath shows a path in the view, with the focus on it.
func (s *Screen) OpenPath(path string) tea.Cmd {
	if s.Files.Node(path) == nil {
		s.shell.Tell(kit.Info, fmt.Sprintf("%s was deleted. The diff shows what it held", text.Clean(path)))
		return nil
	}
	return s.OpenLine(path, 0)
}

// openFile shows the current file, or says that it was deleted.
func (s *Screen) openFile(path string) tea.Cmd {
	if selected, _ := s.Tree.Selected(); selected != path {
		return s.OpenPath(path)
	}
	if s.Tabs.at == Rendered { // it shows the file too
		return tea.Batch(s.Select(path, false), s.shell.FocusDetail())
	}
	return tea.Batch(s.Select(path, false), s.Open(View))
}

// Legend implements [kit.Legended].
func (s *Screen) Legend() string {
	g := s.Env.Styles.Glyphs
	return g.Unread + " unread  " + g.Sensitive + " secret  " + g.Due + " due  " + g.Pinned + " pinned  " + g.HiddenMark +
		" not in the agent's listing  " + g.Denied + " can't be read  " + g.Link + " link"
}

// DiffInSight implements [kit.Reviewed].
func (s *Screen) DiffInSight() int64 {
	if s.Tabs.at != Diff || s.detail.Empty() || s.Summary.shown {
		return 0
	}
	return s.Diff.pane.Drawn()
}

// OpenLine shows a file in the view, at a line from 1; 0: where the user was.
func (s *Screen) OpenLine(path string, line int) tea.Cmd {
	cmds := []tea.Cmd{s.Select(path, true), s.Open(View)}
	if line > 0 {
		cmds = append(cmds, s.View.GoTo(line))
	}
	return tea.Batch(cmds...)
}

// GoTo shows a line of the open file in the view.
func (s *Screen) GoTo(line int) tea.Cmd { return tea.Batch(s.Open(View), s.View.GoTo(line)) }

// PathAtCursor is the agent path that the pane with the focus is about.
func (s *Screen) PathAtCursor() string {
	if s.shell.OnDetail() && s.Tabs.Shown().Path() != "" {
		return s.Tabs.Shown().Path()
	}
	at, _ := s.Tree.Selected()
	return at
}

// edit opens the file at the cursor in the user's editor.
func (s *Screen) edit() tea.Cmd {
	at := s.PathAtCursor()
	if n := s.Files.Node(at); n != nil && n.Kind == memstore.KindDir {
		s.shell.Tell(kit.Info, "A folder has no text to edit. Choose a file")
		return nil
	}
	line := 0
	if s.View.Path() == at {
		line, _ = s.View.Line()
	}
	return s.Editor.Edit(at, line)
}

// showInDiff puts a revision into the diff tab, which stays with it.
func (s *Screen) showInDiff(r past.Revision) tea.Cmd {
	s.Summary.leave()
	s.Tabs.enter(Diff)
	return tea.Batch(s.Diff.showRevision(r), s.shell.Relayout())
}

// Peel implements [kit.Peeler]: esc first means the shown tab. Of a search of the store it goes from a match back to the list, then
// ends the search.
func (s *Screen) Peel() (tea.Cmd, bool) {
	if s.Summary.leave() {
		return s.shell.Relayout(), true
	}
	if !s.shell.OnDetail() {
		return nil, false
	}
	if tab, ok := s.Tabs.Shown().(kit.Peeler); ok {
		if cmd, peeled := tab.Peel(); peeled {
			return cmd, true
		}
	}
	switch {
	case s.Search.unmark(kit.SearchOf(s.Tabs.Shown())):
		s.Tabs.at = Search
		return s.shell.Relayout(), true
	case s.Tabs.at == Search:
		s.Tabs.at = View
		s.Search.Forget()
		return s.shell.Relayout(), true
	case s.Tabs.leave():
		return s.shell.Relayout(), true
	}
	return nil, false
}

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane { return s.Tree }

// Detail implements [kit.Screen].
func (s *Screen) Detail() kit.Tab {
	if s.Summary.shown {
		return s.Summary
	}
	return s.Tabs.Shown()
}

// Actions implements [kit.Screen].
func (s *Screen) Actions() *kit.Actions { return s.actions }

// Resize implements [kit.Screen].
func (s *Screen) Resize(list, detail kit.Rect) tea.Cmd {
	s.detail = detail
	s.Tree.Resize(list.W, list.H)
	for _, t := range s.Tabs.row {
		t.Resize(detail.W, detail.H)
	}
	s.Summary.Resize(detail.W, detail.H)
	return nil
}
