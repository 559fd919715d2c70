package tui

import (
	"context"
	"errors"
	"path"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/tui/edits"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// revisionFinder returns what finds the revision that the pane with the focus is about, in a
// job; nil: there is none.
func (m *Model) revisionFinder() func(context.Context) (past.Revision, error) {
	known := func(r past.Revision, ok bool) func(context.Context) (past.Revision, error) {
		if !ok {
			return nil
		}
		return func(context.Context) (past.Revision, error) { return r, nil }
	}
	j := m.kept()
	switch b := m.board(); {
	case j == nil:
		return nil
	case b != nil:
		return known(b.Selected())
	case m.mainTab() == ui.Tab(m.history):
		return known(m.history.Selected())
	case m.pinned.pair != nil:
		return nil
	}
	if rev, ok := revOf(m.diff.Shown()); ok {
		return func(ctx context.Context) (past.Revision, error) { return j.Revision(ctx, rev) }
	}
	return known(m.feed.LastOf(m.viewer.Path()))
}

// revOf is the number of the revision that a diff shows.
func revOf(key string) (int64, bool) {
	number, ok := strings.CutPrefix(key, "revision ")
	if !ok {
		return 0, false
	}
	return parseRev(number)
}

// parseRev reads the number of a revision.
func parseRev(number string) (int64, bool) {
	n, err := strconv.ParseInt(number, 10, 64)
	return n, err == nil && n > 0
}

// revert takes back the whole revision that is shown.
func (m *Model) revert() tea.Cmd {
	find := m.revisionFinder()
	if find == nil {
		return m.noRevision()
	}
	return m.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		r, err := find(ctx)
		if err != nil {
			return nil, err
		}
		return e.PlanRevert(ctx, r.Rev)
	})
}

func (m *Model) noRevision() tea.Cmd {
	if m.kept() == nil {
		m.tell(ui.Info, edits.NoJournalText(m.options.NoJournal))
	} else {
		m.tell(ui.Info, "no change is chosen here; the Changes screen and the history list them")
	}
	return nil
}

// revertHunk takes back the hunk under the cursor of the diff.
func (m *Model) revertHunk() tea.Cmd {
	find, shown := m.revisionFinder(), m.diff
	if b := m.board(); b != nil {
		shown = b.Diff()
	}
	if find == nil {
		return m.noRevision()
	}
	hunk := shown.HunkFinder()
	if hunk == nil {
		m.tell(ui.Info, "the cursor is on no hunk of a change")
		return nil
	}
	return m.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		r, err := find(ctx)
		if err != nil {
			return nil, err
		}
		if r.Shape != past.Edited {
			return e.PlanRevert(ctx, r.Rev) // a file that came or went is one hunk
		}
		at, options, ok := hunk()
		if !ok {
			return nil, &past.Error{Op: "revert", Err: past.ErrNoRevision}
		}
		return e.PlanHunk(ctx, r.Rev, at, options)
	})
}

// restoreAt puts the file back as it was after the revision that is shown; what is in the trash
// comes back as it was before it was deleted.
func (m *Model) restoreAt() tea.Cmd {
	find := m.revisionFinder()
	if find == nil {
		return m.noRevision()
	}
	if b := m.board(); b != nil {
		r, ok := b.Selected()
		if !ok {
			return m.noRevision() // the list is being filtered
		}
		if r.Shape == past.Removed {
			return m.restoreRemoved(r)
		}
	}
	return m.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		r, err := find(ctx)
		if err != nil {
			return nil, err
		}
		return e.PlanRestore(ctx, undo.Restore{Path: r.Path, At: r.Rev})
	})
}

// restoreRemoved puts back what a revision took away, or asks for another name.
func (m *Model) restoreRemoved(r past.Revision) tea.Cmd {
	if n := m.node(r.Path); n != nil && n.Kind != memstore.KindDir {
		m.askRestoreAs()
		m.tell(ui.Info, edits.TextNameTaken)
		return nil
	}
	j := m.kept()
	return m.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		if r.Group == 0 && r.Kind == memstore.KindDir { // another program has removed it, path by path
			return e.PlanRestore(ctx, undo.Restore{Path: r.Path})
		}
		revs := []int64{r.Rev}
		if r.Group != 0 && r.Kind == memstore.KindDir {
			// A folder was deleted with what it held: all of that comes back.
			revs = nil
			err := j.List(ctx, past.Filter{Group: r.Group, Path: r.Path}, func(r past.Revision) bool {
				if r.Shape == past.Removed && r.UndoneBy == 0 {
					revs = append(revs, r.Rev)
				}
				return true
			})
			if err != nil {
				return nil, err
			}
		}
		return e.PlanPutBack(ctx, revs...)
	})
}

// removedHere is the deletion under the cursor of the Trash screen.
func (m *Model) removedHere() (past.Revision, bool) {
	if m.screen != onTrash {
		return past.Revision{}, false
	}
	return m.board().Selected()
}

const textRestoreAsHere = "choose in the Trash screen what to put back"

// askRestoreAs asks for the name under which to put something back.
func (m *Model) askRestoreAs() {
	r, ok := m.removedHere()
	if !ok {
		m.tell(ui.Info, textRestoreAsHere)
		return
	}
	ext := path.Ext(r.Path)
	if ext == path.Base(r.Path) {
		ext = "" // a dot name
	}
	m.line.Open(prompt.Command, string(keymap.RestoreAs)+" "+prompt.Quote(strings.TrimSuffix(r.Path, ext)+".restored"+ext))
}

// restoreAs puts the deletion under the cursor back under another name.
func (m *Model) restoreAs(as string) tea.Cmd {
	r, ok := m.removedHere()
	if !ok {
		m.tell(ui.Info, textRestoreAsHere)
		return nil
	}
	if _, err := memstore.ParsePath(as); err != nil {
		m.tell(ui.Warn, edits.TextBadPath)
		return nil
	}
	at := r.Rev - 1
	if r.Group != 0 {
		at = r.Group - 1
	}
	return m.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		p, err := e.PlanRestore(ctx, undo.Restore{Path: r.Path, At: at, As: backendPath(as)})
		if errors.Is(err, past.ErrNotThere) && at == 0 {
			return e.PlanRevert(ctx, r.Rev) // the first revision of all: what was before it is in it
		}
		return p, err
	})
}
