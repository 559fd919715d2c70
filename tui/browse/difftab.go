package browse

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
	"memcurator/tui/timeline"
)

// The owners of the diff tab's jobs.
const (
	ownerDiff   = "diff"
	ownerOfPath = "history.path"
)

// DiffTab decides what the diff tab shows.
type DiffTab struct {
	screen *Screen
	env    *kit.Env
	pane   *diffpane.Pane
	pinned int64 // the revision that it stays with until the user chooses another file or change; 0: the newest of the file at the cursor
}

// SetWrap wraps long lines or cuts them.
func (t *DiffTab) SetWrap(on bool) { t.pane.SetWrap(on) }

// Forget empties the tab, pinned or not, and fills it from what the feed still holds.
func (t *DiffTab) Forget() tea.Cmd {
	t.pinned = 0
	t.pane.Clear("")
	return t.showLast(t.screen.View.Path())
}

// Recheck finds out again whether the change in the tab was reverted.
func (t *DiffTab) Recheck() tea.Cmd { return t.pane.Recheck() }

// Reviewed is the number of the change that the diff tab stays with; 0: none.
func (t *DiffTab) Reviewed() int64 { return t.pinned }

// followsTree reports whether the tab shows the newest change of the file under the tree's cursor.
func (t *DiffTab) followsTree() bool { return t.pinned == 0 }

// showRevision shows a revision and stays with it.
func (t *DiffTab) showRevision(r past.Revision) tea.Cmd {
	t.pinned = r.Rev
	return t.pane.Show(t.recorded(r))
}

// recorded describes a revision to the diff.
func (t *DiffTab) recorded(r past.Revision) diffpane.Comparison {
	return diffpane.OfRevision(t.screen.Journal, r, timeline.HeadingOf(r, t.env.Styles, t.env.Now()))
}

// showLast shows the newest change of a path.
func (t *DiffTab) showLast(path string) tea.Cmd {
	if r, ok := t.screen.Feed.LastOf(path); ok && !t.screen.Away() {
		return t.pane.Show(t.recorded(r))
	}
	if n := t.screen.Files.Node(path); n != nil && n.Kind == memstore.KindDir { // nil: not listed yet
		t.env.Jobs.Cancel(ownerOfPath)
		t.pane.Clear(textFolder)
		return nil
	}
	return t.readLast(path)
}

// lastOfPath is the newest revision of a path, if there is one.
type lastOfPath struct {
	path string
	rows []past.Revision
}

// readLast reads the newest revision of a path itself, not of what is below it.
func (t *DiffTab) readLast(path string) tea.Cmd {
	j, until, wait := t.screen.Journal, t.screen.until(), time.Duration(0)
	if t.screen.Tabs.at != Diff {
		wait = t.env.Debounce // the diff is out of sight, and most paths are only passed
	}
	return kit.Start(t.env.Jobs, kit.Job[lastOfPath]{
		Owner: ownerOfPath, Label: kit.LabelJournal, Done: t.show,
		Work: func(ctx context.Context, _ *kit.Progress) (lastOfPath, error) {
			if err := kit.Debounce(ctx, wait); err != nil {
				return lastOfPath{}, err
			}
			rows, err := past.Revisions(ctx, j, past.Filter{Path: path, Exact: true, Newest: true, Before: until, Limit: 1})
			return lastOfPath{path, rows}, err
		},
	})
}

func (t *DiffTab) show(v lastOfPath) tea.Cmd {
	switch {
	case t.screen.View.Path() != v.path || !t.followsTree():
	case len(v.rows) == 0:
		t.pane.Clear("")
	default:
		return t.pane.Show(t.recorded(v.rows[0]))
	}
	return nil
}

// textFolder stands where the change of a file would be.
const textFolder = "Choose a file to see its last change"

// Revision finds the revision that the pane with the focus is about; nil: there is none.
func (s *Screen) Revision() act.Finder {
	if s.Tabs.at == History {
		return act.Known(s.history.Selected())
	}
	if rev := s.Diff.pane.Revision(); rev != 0 {
		j := s.Journal
		return func(ctx context.Context) (past.Revision, error) { return j.Revision(ctx, rev) }
	}
	return act.Known(s.Feed.LastOf(s.View.Path()))
}

// whyNoCall says why no call can be shown of the revision that the tab in sight is about, as far as that one is read.
func (s *Screen) whyNoCall() kit.Say {
	var r past.Revision
	if s.Tabs.at == History {
		r, _ = s.history.Selected()
	} else if rev := s.Diff.pane.Revision(); rev != 0 {
		r, _ = s.Feed.Find(rev)
	}
	return s.shell.WhyNoCall(r)
}

// openFile opens the file of the diff tab in the view, at the line of the cursor.
func (t *DiffTab) openFile() tea.Cmd {
	s := t.screen
	line := t.pane.FileLine()
	s.Tabs.enter(View)
	if line == 0 {
		return s.shell.FocusDetail()
	}
	return tea.Batch(s.shell.FocusDetail(), s.View.GoTo(line))
}
