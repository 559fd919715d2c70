package act

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/memstore/upkeep"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
)

// Known is the finder of a revision in memory; nil for none.
func Known(r past.Revision, ok bool) Finder {
	if !ok {
		return nil
	}
	return func(context.Context) (past.Revision, error) { return r, nil }
}

// NoRevision says that the row has no revision to act on.
func (q *Queue) NoRevision() tea.Cmd {
	if q.Journal == nil {
		q.shell.Tell(kit.Info, NoJournalText(q.NoJournal))
	} else {
		q.shell.Tell(kit.Info, "No change selected. Choose one in Changes or in a history")
	}
	return nil
}

// Revert undoes a whole revision.
func (q *Queue) Revert(find Finder) tea.Cmd {
	if find == nil {
		return q.NoRevision()
	}
	return q.runInPresent(nil, func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		r, err := find(ctx)
		if err != nil {
			return nil, err
		}
		return e.PlanRevert(ctx, r.Rev)
	})
}

// RevertAll undoes several revisions as one act, after a question that names whose they are.
func (q *Queue) RevertAll(of string, revs []int64, all int) tea.Cmd {
	ask := func(_ context.Context, p *undo.Plan) (*undoQuestion, error) {
		if len(p.Steps) == 0 {
			return nil, nil
		}
		u := q.question(p)
		what := kit.CountGrouped(len(revs), "change")
		if len(revs) < all {
			what = kit.Number(len(revs)) + " of " + kit.CountGrouped(all, "change")
		}
		u.Title = "Revert " + what + " of " + text.Clean(of) + "?"
		return u, nil
	}
	return q.runInPresent(ask, func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) { return e.PlanRevert(ctx, revs...) })
}

// RevertHunk undoes a hunk of a revision.
func (q *Queue) RevertHunk(find Finder, hunk diffpane.Hunk) tea.Cmd {
	if find == nil {
		return q.NoRevision()
	}
	return q.runInPresent(nil, func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		r, err := find(ctx)
		if err != nil {
			return nil, err
		}
		switch {
		case hunk.Number < 0 && r.Shape != past.Renamed:
			return nil, reason(q.env.Keyed(diffpane.TextNoBlock))
		case hunk.Only || r.Shape != past.Edited: // a created or deleted file is a single hunk
			return e.PlanRevert(ctx, r.Rev)
		}
		return e.PlanHunk(ctx, r.Rev, hunk.Number)
	})
}

// Restore restores a file to its state after a revision, or what the revision removed.
func (q *Queue) Restore(find Finder) tea.Cmd {
	if find == nil {
		return q.NoRevision()
	}
	j := q.Journal
	return q.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		r, err := find(ctx)
		switch {
		case err != nil:
			return nil, err
		case r.Shape != past.Removed:
			return e.PlanRestore(ctx, undo.Restore{Path: r.Path, At: new(r.Rev)})
		case r.Group == 0 && r.Kind == memstore.KindDir: // another program removed it, path by path
			return e.PlanRestore(ctx, undo.Restore{Path: r.Path})
		case r.Group == 0:
			return e.PlanPutBack(ctx, r.Rev)
		}
		// A folder comes back with everything deleted together with it. If nothing stays deleted, so do the lines
		// that indexes had of it.
		var revs, lines []int64
		whole := true
		err = j.List(ctx, past.Filter{Group: r.Group}, func(other past.Revision) bool {
			switch {
			case other.Rev == r.Rev:
				revs = append(revs, r.Rev)
			case other.UndoneBy != 0:
			case other.Command == upkeep.Command && other.Removed > 0: // one that only adds names other notes
				lines = append(lines, other.Rev)
			case other.Shape != past.Removed:
			case strings.HasPrefix(other.Path, r.Path+"/"):
				revs = append(revs, other.Rev)
			default:
				whole = false
			}
			return true
		})
		if err != nil {
			return nil, err
		}
		if whole {
			revs = append(revs, lines...)
		}
		return e.PlanPutBack(ctx, revs...)
	})
}

// RestoreAt restores a file or folder to its state after a revision, 0 for the beginning. Several files are listed first.
func (q *Queue) RestoreAt(path string, rev int64) tea.Cmd {
	ask := func(_ context.Context, p *undo.Plan) (*undoQuestion, error) {
		if len(p.Steps) <= 1 {
			return nil, nil
		}
		u := q.question(p)
		u.Title = "Restore " + kit.CountGrouped(len(p.Steps), "path") + " of " + kit.PathText(path) + fmt.Sprintf(" as of #%d?", rev)
		return u, nil
	}
	return q.runIf(ask, func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		return e.PlanRestore(ctx, undo.Restore{Path: path, At: new(rev)})
	})
}
