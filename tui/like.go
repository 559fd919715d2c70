package tui

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/blame"
	"memcurator/tui/diffpane"
	"memcurator/tui/overlay"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// ownerLike names the job that reads what a recorded change resembles.
const ownerLike = "like"

// likeUpTo is the size, in bytes, from which on the sides of a recorded change are not
// compared; the watch draws the same line.
const likeUpTo = 1 << 20

const (
	textNoRevision = "no change is recorded yet; edits show up here as they are made"
	textLikePair   = "two files are compared; no memory command made the one out of the other"
)

// showLike shows the memory command that a change by another program comes nearest to: the
// one under the cursor of a list, or the one that the diff shows.
func (m *Model) showLike() tea.Cmd {
	if b := m.board(); b != nil {
		if r, ok := b.Selected(); ok {
			return m.readLike(func(context.Context) (past.Revision, error) { return r, nil })
		}
		m.tell(ui.Info, textNoRevision)
		return nil
	}
	if r, ok := m.strip.Selected(); m.focus == onStrip && ok {
		return m.readLike(func(context.Context) (past.Revision, error) { return r, nil })
	}
	if r, ok := m.history.Selected(); ok && m.tab == tabHistory {
		return m.readLike(func(context.Context) (past.Revision, error) { return r, nil })
	}
	if m.pinned.pair != nil {
		m.tell(ui.Info, textLikePair)
		return nil
	}
	return m.readLike(m.revisionInDiff())
}

// revisionInDiff finds the revision that the diff tab shows: the pinned one, else the newest of the path.
func (m *Model) revisionInDiff() func(context.Context) (past.Revision, error) {
	j, rev, path := m.options.Journal, m.pinned.revision, m.viewer.Path()
	return func(ctx context.Context) (past.Revision, error) {
		if rev != 0 {
			return j.Revision(ctx, rev)
		}
		rows, err := past.Revisions(ctx, j, past.Filter{Path: path, Exact: true, Newest: true, Limit: 1})
		if err != nil || len(rows) == 0 {
			return past.Revision{}, err
		}
		return rows[0], nil
	}
}

// likeness is a revision and the memory command that makes the one side out of the other.
type likeness struct {
	past.Revision
	like past.Resemblance
}

// readLike reads the sides of a revision, and what makes the one out of the other.
func (m *Model) readLike(find func(context.Context) (past.Revision, error)) tea.Cmd {
	j := m.options.Journal
	return m.env.Jobs.Start(ownerLike, timeline.LabelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		r, err := find(ctx)
		l := likeness{Revision: r}
		if err != nil || r.Rev == 0 || r.Actor != memstore.External {
			return l, err
		}
		switch r.Command {
		case memstore.CmdCreate, memstore.CmdDelete, memstore.CmdRename:
			l.like.Command = r.Command
			return l, nil
		}
		if !r.Before.Kept || !r.After.Kept || r.Before.Size >= likeUpTo || r.After.Size >= likeUpTo {
			return l, nil
		}
		before, err := j.Bytes(ctx, r.Before)
		if err != nil {
			return nil, err
		}
		after, err := j.Bytes(ctx, r.After)
		if err == nil {
			l.like = past.Resemble(before, after)
		}
		return l, err
	})
}

func (m *Model) likeReceived(done ui.Done) tea.Cmd {
	l, ok := done.Value.(likeness)
	switch {
	case !ok: // it failed, which was said
	case l.Rev == 0 && m.kept() == nil:
		m.tell(ui.Info, diffpane.TextNoChangeFile)
	case l.Rev == 0:
		m.tell(ui.Info, blame.TextNoHistory)
	default:
		m.openLike(l)
	}
	return nil
}

const textNotLike = "nothing is known of this change beyond its diff: a side is not kept, is no text, or has 1 MiB or more"

func (m *Model) openLike(c likeness) {
	title, body := "resembles "+c.like.Command, likeText(c)
	switch {
	case c.Actor != memstore.External:
		title, body = c.Command, "this change was made by the memory command "+c.Command+" itself; the diff shows it"
	case c.like.Command == "":
		title, body = c.Command, textNotLike
	}
	t := overlay.NewText(m.env, "like", title, body, false)
	t.SetFooter(m.env.Keyed("{overlay/overlay-copy} copies, {overlay/close} closes"))
	m.open(t)
}

const textLikeLong = "(longer than 8 KiB: see the diff)"

// likeText lists the arguments that the command would have had.
func likeText(c likeness) string {
	like := c.like
	out := "path\n" + c.Path
	field := func(name, value, none string) {
		if value == "" {
			value = none
		}
		out += "\n\n" + name + "\n" + value
	}
	switch like.Command {
	case memstore.CmdStrReplace:
		field("old_str", like.OldStr, textLikeLong)
		if like.OldStr != "" {
			field("new_str", like.NewStr, "(empty: old_str is deleted)")
		}
	case memstore.CmdInsert:
		field("insert_line", strconv.Itoa(like.InsertLine), "")
		field("insert_text", like.InsertText, textLikeLong)
	case memstore.CmdRename:
		out = "old_path\n" + c.OldPath + "\n\nnew_path\n" + c.Path
	}
	return out
}
