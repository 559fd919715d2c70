// Package changes has the screens of recorded revisions, Changes and Trash: a list, and the diff of the revision under its cursor. In
// the place of revisions Changes can list what differs between two points in time. The shell calls it; what undoes a revision
// goes through tui/edits.
package changes

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/feed"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// Screen implements [ui.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	Options
	env     *ui.Env
	shell   ui.Shell
	edits   *edits.Queue
	list    *timeline.Pane
	detail  *diffpane.Pane
	visited bool
	// detailEmpty is set while the diff is out of sight.
	detailEmpty bool

	actions *ui.Actions
}

// Options are what makes a screen of revisions.
type Options struct {
	ID      keymap.ID // of the action that shows it
	Owner   string    // of its jobs
	Scope   keymap.Scope
	Texts   timeline.Texts
	Base    past.Filter // what the list is made of
	Journal Journal
	// Grouped lists by session first; the list can be sorted.
	Grouped bool
	// Titles and Secrets are those of [timeline.Pane].
	Titles  func(ctx context.Context, sessions []string) map[string]string
	Secrets func(path string) int
	Marks   *feed.Marks
	// Unread is how many changes the user has not seen; nil where that does not matter.
	Unread func() int
	// Prepare is called when the list comes into sight, from which journeys in time begin; Travel goes to a revision.
	Prepare func() tea.Cmd
	Travel  func(past.Revision) tea.Cmd
	// Jump goes to the call of a transcript that made a revision.
	Jump func(edits.Finder) tea.Cmd
	// WhyNoCall says why that is impossible; empty: it may be possible.
	WhyNoCall func(past.Revision) ui.Say
	// Edit opens a file in the editor.
	Edit func(path string) tea.Cmd
	// Exists finds a path in the tree of the store; nil: it does not exist.
	Exists func(path string) *memstore.Node
}

// Journal is the record that a screen lists.
type Journal interface {
	past.Reader
	undo.Trail
}

// Changes are the options of the screen of all revisions.
func Changes(j Journal) Options {
	return Options{
		ID: keymap.ScreenChanges, Owner: "changes", Scope: keymap.Changes, Journal: j, Grouped: true,
		Texts: timeline.Texts{Title: "changes", Empty: textNoRevision, NoMatch: timeline.TextNoMatch},
	}
}

// Trash are the options of the screen of what was deleted.
func Trash(j Journal) Options {
	return Options{
		ID: keymap.ScreenTrash, Owner: "trash", Scope: keymap.Trash, Journal: j, Base: past.Filter{Removed: true},
		Texts: timeline.Texts{Title: "trash", Empty: "No deleted files", NoMatch: timeline.TextNoMatch},
	}
}

const textNoRevision = "No changes recorded yet. New edits appear here"

// New makes the screen.
func New(env *ui.Env, shell ui.Shell, queue *edits.Queue, o Options) *Screen {
	s := &Screen{Options: o, env: env, shell: shell, edits: queue, list: timeline.New(env, o.Owner, o.Journal, o.Scope, o.Texts)}
	ownerDiff := o.Owner + ".diff"
	s.detail = diffpane.New(env, ownerDiff)
	s.detail.None = "No change selected"
	env.Jobs.Listen(s.list.Receive, nil, o.Owner)
	env.Jobs.Listen(s.detail.Receive, nil, diffpane.Owners(ownerDiff)...)
	env.Jobs.Listen(s.detail.Receive, s.detail.Failed, ownerDiff)
	s.list.Titles, s.list.Secrets = o.Titles, o.Secrets
	switch {
	case o.Grouped:
		s.list.SetOrder(timeline.BySession)
	case o.Base.Removed:
		s.list.SetOrder(timeline.NewestFirst)
	}
	s.actions = ui.NewActions(env, s.bindings()...)
	return s
}

func (s *Screen) bindings() []ui.Action {
	actions := append(ui.ListActions(s.shell, s.list, s.Detail), []ui.Action{
		{ID: s.ID, Run: s.shell.FocusList},
		{ID: keymap.NextUnread, Run: func() tea.Cmd { return s.nextUnread(1) }},
		{ID: keymap.PrevUnread, Run: func() tea.Cmd { return s.nextUnread(-1) }},
		{ID: keymap.Travel, Run: s.travel},
		{ID: keymap.CallOf, Run: func() tea.Cmd { return s.Jump(edits.Known(s.traced())) }, Why: s.whyNoCall},
		{ID: keymap.Refresh, Run: s.list.Anew},
		{ID: keymap.Revert, Run: s.revert},
		{ID: keymap.RevertHunk, Run: s.revertHunks},
		{ID: keymap.RestoreAt, Run: s.restore},
		{
			ID: keymap.CopyDiff, Run: func() tea.Cmd { return s.shell.CopyRead("diff", s.detail.TextReader(ui.CopyLimit)) },
			Why: ui.Unless(func() bool { return s.detail.TextReader(ui.CopyLimit) != nil }, "No diff here to copy"),
		},
		{ID: keymap.HunkNext, Run: func() tea.Cmd { return s.block(keymap.HunkNext, 1) }},
		{ID: keymap.HunkPrev, Run: func() tea.Cmd { return s.block(keymap.HunkPrev, -1) }},
		{ID: keymap.Filter, Run: func() tea.Cmd { return s.shell.TypeFilter(s.list.Filter().Text()) }},
	}...)
	if s.Grouped {
		actions = append(actions, ui.On(keymap.Sort, s.order))
	}
	if !s.Base.Removed { // what is deleted is neither read nor edited
		actions = append(actions, []ui.Action{
			{ID: keymap.MarkRead, Run: s.approve},
			{ID: keymap.MarkUnread, Run: s.markUnread},
			{ID: keymap.ReadAll, Run: s.approveShown},
			{ID: keymap.Edit, Run: s.edit, Why: s.edits.WhyNoWrite},
		}...)
	}
	return append(actions, ui.Bind(func(id keymap.ID) tea.Cmd {
		cmd, _ := s.detail.Actions().Perform(id)
		return cmd
	}, keymap.SideBySide, keymap.Whitespace)...)
}

// selected finds the revision under the cursor; nil: there is none.
func (s *Screen) selected() edits.Finder { return edits.Known(s.list.Selected()) }

// traced is the revision whose call is looked for: that under the cursor, or the first one of the group whose heading it is that can
// have one.
func (s *Screen) traced() (past.Revision, bool) {
	run, ok := s.list.Run()
	if !ok {
		return s.list.Selected()
	}
	for _, r := range run.Revisions {
		if s.WhyNoCall(r).Text == "" {
			return r, true
		}
	}
	return run.Revisions[0], true
}

// whyNoCall says why no call can be shown of what is under the cursor.
func (s *Screen) whyNoCall() ui.Say {
	r, ok := s.traced()
	if !ok {
		return ui.Say{Text: "No change selected"}
	}
	return s.WhyNoCall(r)
}

// travel shows the store after the revision under the cursor.
func (s *Screen) travel() tea.Cmd {
	r, ok := s.list.Selected()
	if !ok {
		s.shell.Tell(ui.Info, s.env.Keyed(timeline.TextPresent))
		return nil
	}
	return s.Travel(r)
}

// edit opens the current file of the revision under the cursor.
func (s *Screen) edit() tea.Cmd {
	r, ok := s.list.Selected()
	if n := s.Exists(r.Path); !ok || n == nil || n.Kind == memstore.KindDir {
		s.shell.Tell(ui.Info, "No file to edit here")
		return nil
	}
	return s.Edit(r.Path)
}

// revert reverts the revision under the cursor; of a deletion that is what restoring does.
func (s *Screen) revert() tea.Cmd {
	if s.Base.Removed {
		return s.restore()
	}
	if run, ok := s.list.Run(); ok {
		of := s.list.RunName(&run)
		if of == timeline.Yours {
			of = ""
		}
		return s.edits.RevertAll(of, revisionsOf(&run), s.list.Whole(&run))
	}
	return s.edits.Revert(s.selected())
}

// revertHunks reverts the hunk under the cursor of the diff, or those selected.
func (s *Screen) revertHunks() tea.Cmd {
	if _, ok := s.list.Run(); ok {
		s.shell.Tell(ui.Info, s.env.Keyed(textJoined))
		return nil
	}
	return s.edits.RevertHunks(s.selected(), s.detail.HunkFinder())
}

const textJoined = "This diff joins changes. Revert one in the list: {changes/open} unfolds it there"

// restore restores a file as of the revision under the cursor, or of before a deletion; on a heading the store as of before the session.
func (s *Screen) restore() tea.Cmd {
	if run, ok := s.list.Run(); ok && s.list.Order() == timeline.BySession {
		of := "these changes"
		if run.Session != "" {
			of = s.list.RunName(&run)
		}
		return s.edits.RestoreBefore(of, run.Revisions[0].Rev)
	}
	r, ok := s.list.Selected()
	if !ok || r.Shape != past.Removed {
		return s.edits.Restore(s.selected())
	}
	n := s.Exists(r.Path)
	return s.edits.RestoreRemoved(r, n != nil && n.Kind != memstore.KindDir)
}

// RestoreAs restores the deletion under the cursor under another name; "" asks for it.
func (s *Screen) RestoreAs(name string) tea.Cmd {
	r, ok := s.list.Selected()
	switch {
	case !ok || r.Shape != past.Removed:
		s.shell.Tell(ui.Info, TextChooseRemoved)
		return nil
	case name == "":
		return s.edits.AskRestoreAs(r)
	}
	return s.edits.RestoreAs(r, name)
}

// TextChooseRemoved says where a deletion can be chosen.
const TextChooseRemoved = "Choose in the Trash what to restore"

// Revisions is the list.
func (s *Screen) Revisions() *timeline.Pane { return s.list }

// Diff is the diff of it.
func (s *Screen) Diff() *diffpane.Pane { return s.detail }

// Waiting implements [ui.Counted]: it is how many changes the user has not seen.
func (s *Screen) Waiting() int {
	if s.Unread == nil {
		return 0
	}
	return s.Unread()
}

// Visited reports whether the screen was opened.
func (s *Screen) Visited() bool { return s.visited }

// Receive implements [ui.Receiver].
func (s *Screen) Receive(intent any) (cmd tea.Cmd, mine bool) {
	switch v := intent.(type) {
	case timeline.ShowRevision:
		if v.Owner == s.Owner {
			return s.showRevision(v.Revision), true
		}
	case timeline.ShowNone:
		if v.Owner == s.Owner {
			s.detail.Clear()
			return nil, true
		}
	case timeline.ShowRun:
		if v.Owner == s.Owner {
			return s.detail.Show(diffpane.OfRun(s.Journal, v.Run, s.runTitle(&v))), true
		}
	case timeline.OpenRevision:
		if v.Owner == s.Owner {
			return s.shell.FocusDetail(), true
		}
	}
	return nil, false
}

// showRevision shows the diff of a revision.
func (s *Screen) showRevision(r past.Revision) tea.Cmd {
	of := diffpane.OfRevision(s.Journal, r, timeline.HeadingOf(r, s.env.Styles, s.env.Now()))
	return s.detail.Show(of)
}

// runTitle describes what a group of revisions changed.
func (s *Screen) runTitle(v *timeline.ShowRun) string {
	st, now := s.env.Styles, s.env.Now()
	parts := []string{ui.WhenSpan(v.Run.First, v.Run.Last, now)}
	if v.Run.Actor != "" {
		parts = append(parts, text.Clean(string(v.Run.Actor)))
	}
	counts := ui.Counts{Added: v.Run.Added, Removed: v.Run.Removed}
	parts = append(parts, strings.TrimSpace(v.Title), ui.Count(v.Run.Files, "file"), counts.Text(st))
	return strings.Join(parts, "  ")
}

// order arranges the list in the next way.
func (s *Screen) order() {
	s.list.NextOrder()
	s.shell.Tell(ui.Info, "Sorted by "+s.list.Order().String())
}

func revisionsOf(run *past.Run) []int64 {
	revs := make([]int64, len(run.Revisions))
	for i, r := range run.Revisions {
		revs[i] = r.Rev
	}
	return revs
}

// block goes to the next heading; in the diff, or where the list has no headings, to the next hunk.
func (s *Screen) block(id keymap.ID, by int) tea.Cmd {
	if !s.shell.OnDetail() && s.list.Grouped() {
		if !s.list.NextGroup(by) {
			s.shell.Tell(ui.Info, "No more headings in this direction")
		}
		return nil
	}
	cmd, _ := s.detail.Actions().Perform(id)
	return cmd
}

// DiffInSight implements [ui.Reviewed].
func (s *Screen) DiffInSight() (rev int64, end bool) {
	if s.detailEmpty {
		return 0, false
	}
	return s.detail.Drawn()
}

// nextUnread goes to the next revision that the user has not seen, or with -1 to the previous one.
func (s *Screen) nextUnread(by int) tea.Cmd {
	if !s.list.NextUnread(by) {
		s.Marks.TellNoUnread()
	}
	return nil
}

// approve marks the revision under the cursor, or those of the group whose heading it is, as read.
func (s *Screen) approve() tea.Cmd {
	if run, ok := s.list.Run(); ok {
		return s.Marks.Approve(s.list.RunName(&run), revisionsOf(&run)...)
	}
	if r, ok := s.list.Selected(); ok {
		return s.Marks.Approve("#"+strconv.FormatInt(r.Rev, 10), r.Rev)
	}
	return nil
}

// markUnread marks the revision under the cursor as unread.
func (s *Screen) markUnread() tea.Cmd {
	r, ok := s.list.Selected()
	if !ok {
		return nil
	}
	return s.Marks.Unread(r.Rev)
}

// approveShown marks what the list shows as read: all revisions, or those that the filter lets through.
func (s *Screen) approveShown() tea.Cmd {
	if s.list.Filter().Text() == "" {
		return s.Marks.ApproveRecorded(s.list.Newest())
	}
	list, filter := s.Journal, s.list.Wanted()
	filter.Unread = true
	return ui.Start(s.env.Jobs, ui.Job[[]int64]{
		Owner: s.Owner + ".approve", Label: ui.LabelJournal,
		Work: func(ctx context.Context, _ *ui.Progress) (revs []int64, _ error) {
			return revs, list.List(ctx, filter, func(r past.Revision) bool { revs = append(revs, r.Rev); return true })
		},
		Done: func(revs []int64) tea.Cmd { return s.Marks.Approve("these rows", revs...) },
	})
}

// List implements [ui.Screen].
func (s *Screen) List() ui.Pane { return s.list }

// Detail implements [ui.Screen].
func (s *Screen) Detail() ui.Tab { return s.detail }

// Actions implements [ui.Screen].
func (s *Screen) Actions() *ui.Actions { return s.actions }

// Enter implements [ui.Enterer].
func (s *Screen) Enter() tea.Cmd {
	if s.visited {
		return tea.Batch(s.list.Refresh(), s.Prepare())
	}
	s.visited = true
	return tea.Batch(s.list.SetBase(s.Base), s.Prepare())
}

// Resize implements [ui.Screen].
func (s *Screen) Resize(list, detail ui.Rect) tea.Cmd {
	s.list.Resize(list.W, list.H)
	s.detail.Resize(detail.W, detail.H)
	s.detailEmpty = detail.Empty()
	return s.detail.Settle()
}

// ListTitle is the title of a list of revisions: name, filter, place.
func (s *Screen) ListTitle(width int) ui.Title {
	st := s.env.Styles
	title := s.list.Title()
	if s.list.Grouped() {
		title += " by " + s.list.Order().String()
	}
	return ui.ListTitle(st, title, s.list.Filter().Text(), s.list.Place(), width)
}

// SetFilter implements [ui.Filtered].
func (s *Screen) SetFilter(line string) (cmd tea.Cmd, problem string) {
	f, err := timeline.ParseFilter(line, s.env.Now())
	if err != nil {
		return nil, err.Error()
	}
	return s.list.SetFilter(f), ""
}

// CompleteFilter implements [ui.Filtered].
func (s *Screen) CompleteFilter(line string) []string { return timeline.CompleteFilter(line) }

// Forget implements [ui.Forgetter].
func (s *Screen) Forget() tea.Cmd {
	s.detail.Clear()
	if !s.visited {
		return nil
	}
	return s.list.Anew()
}

var _ interface {
	ui.Screen
	ui.Enterer
	ui.Filtered
	ui.Receiver
	ui.Forgetter
} = (*Screen)(nil)
