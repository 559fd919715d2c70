// Package changes has the screens of recorded revisions, Changes and Trash: a list, and the diff of the revision under its cursor. In
// the place of revisions Changes can list what differs between two points in time. The shell calls it; what undoes a revision
// goes through tui/act.
package changes

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
	"memcurator/tui/timeline"
)

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	Options
	env     *kit.Env
	shell   act.Shell
	edits   *act.Queue
	list    *timeline.Pane
	detail  *diffpane.Pane
	visited bool
	// detailEmpty is set while the diff is out of sight.
	detailEmpty bool

	actions *kit.Actions
}

// Options are what makes a screen of revisions.
type Options struct {
	ID      keymap.ID // of the action that shows it
	Owner   string    // of its jobs
	Scope   keymap.Scope
	Title   string      // of the list
	Empty   string      // nothing to list
	Base    past.Filter // what the list is made of
	Journal *journal.Journal
	// Grouped lists by session first; the list can be sorted.
	Grouped bool
	Marks   *feed.Marks
	Feed    *feed.Feed
}

const textNone = "No change selected"

// Changes are the options of the screen of all revisions.
func Changes(j *journal.Journal) Options {
	return Options{
		ID: keymap.ScreenChanges, Owner: "changes", Scope: keymap.Changes, Journal: j, Grouped: true,
		Title: "changes", Empty: "No changes recorded yet. New edits appear here",
	}
}

// Trash are the options of the screen of what was deleted.
func Trash(j *journal.Journal) Options {
	return Options{
		ID: keymap.ScreenTrash, Owner: "trash", Scope: keymap.Trash, Journal: j, Base: past.Filter{Removed: true},
		Title: "trash", Empty: "No deleted files",
	}
}

// New makes the screen.
func New(env *kit.Env, shell act.Shell, queue *act.Queue, o Options) *Screen {
	s := &Screen{Options: o, env: env, shell: shell, edits: queue}
	list := timeline.Options{
		Title: o.Title, Empty: o.Empty, Owner: o.Owner, Scope: o.Scope, Source: o.Journal, Titles: queue.Titles,
		Feed: o.Feed,
	}
	if o.Grouped {
		list.Order = timeline.BySession
	}
	s.list = timeline.New(env, s, list)
	s.detail = diffpane.New(env, o.Owner+".diff")
	s.detail.Clear(textNone)
	s.actions = kit.NewActions(env, o.Scope, s.bindings()...)
	return s
}

func (s *Screen) bindings() []kit.Action {
	actions := append(kit.ListActions(s.shell, s.list, s.Detail), []kit.Action{
		{ID: s.ID, Run: s.shell.FocusList},
		{ID: keymap.Travel, Run: s.travel},
		{ID: keymap.CallOf, Run: func() tea.Cmd { return s.shell.TraceCall(act.Known(s.traced())) }, Why: s.whyNoCall},
		{ID: keymap.Refresh, Run: s.list.Reread},
		{ID: keymap.RevertHunk, Run: func() tea.Cmd { return s.edits.RevertHunk(s.selected(), s.detail.Hunk()) }, Why: s.whyNoRevert},
		{ID: keymap.RestoreAt, Run: s.restore, Why: s.edits.WhyUnwritable},
		{
			ID: keymap.CopyDiff, Run: func() tea.Cmd { return s.shell.CopyRead("diff", s.detail.TextReader(kit.CopyLimit)) },
			Why: kit.Unless(func() bool { return s.detail.TextReader(kit.CopyLimit) != nil }, "No diff here to copy"),
		},
	}...)
	if !s.Base.Removed { // what is deleted is neither read nor edited
		actions = append(actions, []kit.Action{
			{ID: keymap.Revert, Run: s.revert, Why: s.whyNoRevert},
			{ID: keymap.MarkRead, Run: s.approve, Why: s.Marks.WhyNot},
			{ID: keymap.Edit, Run: s.edit, Why: s.edits.WhyNoWrite},
			{ID: keymap.NextUnread, Run: func() tea.Cmd { return s.review(1) }},
			{ID: keymap.PrevUnread, Run: func() tea.Cmd { return s.review(-1) }},
		}...)
	}
	actions = append(actions, kit.Bind(s.detail.Actions().Run, keymap.SideBySide)...)
	return append(actions, s.rows()...)
}

// rows are what the key table says of the list.
func (s *Screen) rows() []kit.Action {
	if s.Base.Removed {
		return []kit.Action{
			{ID: keymap.Open, Keys: "enter", Help: "open the text of the deleted file", Hint: "text"},
			{ID: keymap.Filter, Keys: "f", Help: "filter by path and terms: actor:agent since:2d", Hint: "filter"},
			{ID: keymap.RestoreAt, Keys: "R", Help: "restore the deleted file or folder", Hint: "restore"},
		}
	}
	return []kit.Action{
		{ID: keymap.Open, Keys: "enter", Help: "open the diff of the change; on a heading, fold or unfold it", Hint: "diff"},
		{ID: keymap.SideBySide, Keys: "s", Help: "split the diff side by side, or join it"},
		{ID: keymap.HunkNext, Keys: "}", Help: "jump to the next heading; in the diff, to the next hunk"},
		{ID: keymap.HunkPrev, Keys: "{", Help: "jump to the previous heading; in the diff, to the previous hunk"},
		{ID: keymap.Filter, Keys: "f", Help: "filter by path and terms: actor:agent command:delete since:2d is:unread", Hint: "filter"},
		{ID: keymap.Revert, Keys: "r", Help: "revert the change or session; later edits stay", Hint: "revert"},
		{ID: keymap.RestoreAt, Keys: "R", Help: "restore the file as of this change"},
	}
}

// selected finds the revision under the cursor; nil: there is none.
func (s *Screen) selected() act.Finder { return act.Known(s.list.Selected()) }

// traced is the revision whose call is looked for: that under the cursor, or the first one of the group whose heading it is that can
// have one.
func (s *Screen) traced() (past.Revision, bool) {
	run, ok := s.list.Run()
	if !ok {
		return s.list.Selected()
	}
	if run.Session != "" { // calls are those of an agent's session
		for _, r := range run.Revisions {
			if s.shell.WhyNoCall(r).Text == "" {
				return r, true
			}
		}
	}
	return run.Revisions[0], true
}

// whyNoCall says why no call can be shown of what is under the cursor.
func (s *Screen) whyNoCall() kit.Say {
	r, ok := s.traced()
	if !ok {
		return kit.Say{Text: textNone}
	}
	return s.shell.WhyNoCall(r)
}

// travel shows the store after the revision under the cursor.
func (s *Screen) travel() tea.Cmd {
	r, ok := s.list.Selected()
	if !ok {
		s.shell.Tell(kit.Info, s.env.Keyed(timeline.TextPresent))
		return nil
	}
	return s.shell.Travel(r)
}

// edit opens the current file of the revision under the cursor.
func (s *Screen) edit() tea.Cmd {
	r, ok := s.list.Selected()
	if n := s.shell.Node(r.Path); !ok || n == nil || n.Kind == memstore.KindDir {
		s.shell.Tell(kit.Info, "No file to edit here")
		return nil
	}
	return s.shell.Edit(r.Path)
}

// whyNoRevert says why nothing can be reverted of what is selected or under the cursor. A group of the user's own changes has no session
// as its limit: it may be all that they ever did.
func (s *Screen) whyNoRevert() kit.Say {
	run, onRun := s.list.Run()
	at, _ := s.list.Selected()
	switch why := s.edits.WhyUnwritable(); {
	case why.Text != "":
		return why
	case s.shell.WhyPast().Text != "":
		return s.shell.WhyPast()
	case len(s.list.Selection()) == 0 && at.UndoneBy != 0 && at.UndoneBy == at.Rev:
		return kit.Say{Text: "Purged: the text of this change is gone"}
	case len(s.list.Selection()) == 0 && at.UndoneBy != 0:
		return kit.Say{Text: "Reverted already. " + s.env.Keyed("{changes/restore} restores the file as of this change")}
	case !onRun || len(s.list.Selection()) > 0:
		return kit.Say{}
	case run.Actor == memstore.Curator && run.Session == "":
		return kit.Say{Text: s.env.Keyed("These are your own changes: {global/undo} undoes the last one, {changes/revert} on a row reverts that one")}
	case s.list.InForce() == 0:
		return kit.Say{Text: "Nothing of it is in force any more"}
	}
	return kit.Say{}
}

// revert reverts what is selected or under the cursor.
func (s *Screen) revert() tea.Cmd {
	list, of := s.list.Chosen()
	_, onRun := s.list.Run()
	all, some := 0, len(s.list.Selection()) > 0
	switch {
	case onRun && !some:
		all = s.list.InForce()
	case len(list) == 0:
		return s.edits.Revert(nil)
	case len(list) == 1:
		return s.edits.Revert(act.Known(list[0], true))
	}
	return s.edits.RevertAll(of, revisionsOf(list), all)
}

// restore restores a file as of the revision under the cursor, or of before a deletion.
func (s *Screen) restore() tea.Cmd { return s.edits.Restore(s.selected()) }

// Revisions is the list.
func (s *Screen) Revisions() *timeline.Pane { return s.list }

// Diff is the diff of it.
func (s *Screen) Diff() *diffpane.Pane { return s.detail }

// Waiting implements [kit.Counted]: it is how many changes the user has not seen.
func (s *Screen) Waiting() int {
	if s.Base.Removed {
		return 0
	}
	return len(s.Feed.Unread())
}

// Visited reports whether the screen was opened.
func (s *Screen) Visited() bool { return s.visited }

// OpenRevision implements [timeline.Host].
func (s *Screen) OpenRevision(past.Revision) tea.Cmd { return s.shell.FocusDetail() }

// RowMoved implements [timeline.Host]: it shows the diff of what is under the cursor of the list.
func (s *Screen) RowMoved() tea.Cmd {
	if run, ok := s.list.Run(); ok {
		s.showRun(&run)
		return nil
	}
	r, ok := s.list.Selected()
	if !ok {
		s.detail.Clear(textNone)
		return nil
	}
	return s.detail.Show(diffpane.OfRevision(s.Journal, r, timeline.HeadingOf(r, s.env.Styles, s.env.Now())))
}

// showRun lists the files that a group of revisions changed.
func (s *Screen) showRun(run *past.Run) {
	of := map[string]*kit.Counts{}
	for _, r := range run.Revisions {
		c := of[r.Path]
		if c == nil {
			c = &kit.Counts{}
			of[r.Path] = c
		}
		c.Added, c.Removed = c.Added+r.Added, c.Removed+r.Removed
	}
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(of)) {
		lines = append(lines, kit.PathText(path)+"  "+of[path].Text(s.env.Styles))
	}
	s.detail.List(s.runTitle(run), lines)
}

// runTitle describes what a group of revisions changed.
func (s *Screen) runTitle(run *past.Run) string {
	parts := []string{kit.WhenSpan(run.First, run.Last, s.env.Now())}
	if run.Actor != "" {
		parts = append(parts, text.Clean(string(run.Actor)))
	}
	counts := kit.Counts{Added: run.Added, Removed: run.Removed}
	parts = append(parts, s.list.RunTitle(), kit.Count(run.Files, "file"), counts.Text(s.env.Styles))
	return strings.Join(parts, "  ")
}

func revisionsOf(list []past.Revision) []int64 {
	revs := make([]int64, len(list))
	for i, r := range list {
		revs[i] = r.Rev
	}
	return revs
}

// DiffInSight implements [kit.Reviewed].
func (s *Screen) DiffInSight() int64 {
	if s.detailEmpty {
		return 0
	}
	return s.detail.Drawn()
}

// review goes to the next unread change, and opens its diff if that is out of sight.
func (s *Screen) review(by int) tea.Cmd {
	switch {
	case !s.list.Review(by):
		s.Marks.TellNoUnread()
		return nil
	case s.detailEmpty:
		return tea.Batch(s.RowMoved(), s.shell.FocusDetail())
	}
	return s.RowMoved()
}

// approve marks what is selected or under the cursor as read.
func (s *Screen) approve() tea.Cmd {
	list, of := s.list.Chosen()
	s.list.ClearSelection()
	return s.Marks.Approve(of, revisionsOf(list)...)
}

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane { return s.list }

// Detail implements [kit.Screen].
func (s *Screen) Detail() kit.Tab { return s.detail }

// Actions implements [kit.Screen].
func (s *Screen) Actions() *kit.Actions { return s.actions }

// Enter implements [kit.Enterer].
func (s *Screen) Enter() tea.Cmd {
	if s.visited {
		return s.list.Reread()
	}
	s.visited = true
	return s.list.SetBase(s.Base)
}

// Resize implements [kit.Screen].
func (s *Screen) Resize(list, detail kit.Rect) tea.Cmd {
	s.list.Resize(list.W, list.H)
	s.detail.Resize(detail.W, detail.H)
	s.detailEmpty = detail.Empty()
	return nil
}

// ListTitle is the title of a list of revisions: name, filter, place.
func (s *Screen) ListTitle(width int) kit.Title {
	title := s.list.Title()
	if s.list.Order() != timeline.ByTime {
		title += " by " + s.list.Order().String()
	}
	return kit.ListTitle(s.env.Styles, title, s.list.Filter(), s.list.Place(), width)
}

// Forget implements [kit.Forgetter].
func (s *Screen) Forget() tea.Cmd {
	s.detail.Clear(textNone)
	if !s.visited {
		return nil
	}
	return s.list.Reread()
}

var _ interface {
	kit.Screen
	kit.Enterer
	kit.Forgetter
} = (*Screen)(nil)
