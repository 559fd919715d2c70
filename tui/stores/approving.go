package stores

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

// ownerMark begins the owners of the jobs that mark a change.
const ownerMark = "stores.mark"

// approve marks the change under the cursor as read; in the list of stores, it fixes the index of one.
func (s *Screen) approve() tea.Cmd {
	r := s.changes()
	if r == nil {
		return s.fix()
	}
	h, _ := r.Current()
	row, listed := s.row()
	if !listed || !h.isUnread() {
		return nil
	}
	rev := h.change().Rev
	undo := func() tea.Cmd { return s.mark(row, false, rev) }
	redo := func() tea.Cmd { return s.mark(row, true, rev) }
	marked := s.mark(row, true, rev)
	if s.Undoable == nil {
		return marked
	}
	return tea.Batch(marked, s.Undoable(undo, redo))
}

// whyNotApprove is the reason why nothing can be approved.
func (s *Screen) whyNotApprove() kit.Say {
	r := s.changes()
	if r == nil {
		return s.whyNotFix()
	}
	switch h, ok := r.Current(); {
	case !ok:
		return kit.Say{Text: "No change under the cursor to approve"}
	case s.Mark == nil:
		return kit.Say{Text: s.env.Keyed("Can't approve here. {stores/open} opens the store at the change")}
	case !h.isUnread():
		return kit.Say{Text: "This change is read already"}
	}
	return kit.Say{}
}

// mark marks a change as read, or as unread, in the list at once and then in its store.
func (s *Screen) mark(row Row, read bool, rev int64) tea.Cmd {
	s.marked(row.Path, read, rev)
	mark := s.Mark
	return kit.Start(s.env.Jobs, kit.Job[error]{
		Owner: fmt.Sprintf("%s %s %d", ownerMark, row.Path, rev), Label: kit.LabelJournal, Write: true,
		Work: func(ctx context.Context, _ *kit.Progress) (error, error) { return mark(ctx, row, read, rev), nil },
		Done: func(err error) tea.Cmd {
			if err != nil {
				s.marked(row.Path, !read, rev)
				s.shell.Tell(kit.Fail, err.Error())
			}
			return s.detail.refresh()
		},
	})
}

// marked shows a change as read or as unread, in its own row and in the count of its store.
func (s *Screen) marked(path string, read bool, rev int64) {
	by := 1
	if read {
		by = -1
	}
	if r := s.changes(); r != nil {
		for _, of := range r.searched {
			for i := range of.Matches {
				if c := of.Matches[i].Change; of.Store == path && c.Rev == rev {
					changed := *c
					changed.Unread = !read
					of.Matches[i].Change = &changed
				}
			}
		}
	}
	if row, listed := s.list.rowOf(path); listed && row.Unread != nil {
		n := max(0, *row.Unread+by)
		row.Unread = &n
		if r := s.changes(); r != nil {
			r.asOf[path] = conditionOf(row)
		}
		s.list.take([]Row{row})
	}
}
