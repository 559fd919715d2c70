package feed

import (
	"context"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

// ownerMarks names the jobs that record marks.
const ownerMarks = "marks"

// Record is where marks of read revisions are kept, as in a journal.
type Record interface {
	MarkRead(ctx context.Context, read bool, revs ...int64) error
	MarkAllRead(ctx context.Context, last int64) error
}

// List is a list of revisions that shows which of them are unread.
type List interface {
	// Mark marks its rows, and those that are still being read. The list may keep the mark in its [Pending].
	Mark(m *Mark)
}

// Marks records which revisions the user has read, in jobs, and shows it immediately. All methods run on the Bubble Tea goroutine.
type Marks struct {
	// Undoable lets undo reach an act; nil: it can't.
	Undoable func(undo func() tea.Cmd) tea.Cmd

	feed     *Feed
	env      *kit.Env
	shell    kit.Shell
	record   Record
	lists    func() []List
	reverted map[int64]bool // revisions that were unread when the user reverted them
	count    int            // jobs so far, to name them
	last     chan struct{}  // closed when the newest job has ended; nil: none was started
}

// NewMarks makes the marks of a feed's record; lists returns the lists that show them.
func NewMarks(f *Feed, env *kit.Env, shell kit.Shell, record Record, lists func() []List) *Marks {
	return &Marks{feed: f, env: env, shell: shell, record: record, lists: lists, reverted: map[int64]bool{}}
}

// TextNoUnread says that everything was seen; it goes through [kit.Env.Keyed].
const TextNoUnread = "All read. {global/follow} follows the agent"

// TellNoUnread says that everything was seen.
func (m *Marks) TellNoUnread() { m.shell.Tell(kit.Info, m.env.Keyed(TextNoUnread)) }

// Unread marks revisions as unread again; the feed learns it from the record.
func (m *Marks) Unread(revs ...int64) tea.Cmd {
	revs = slices.Sorted(slices.Values(revs))
	m.feed.markUnread(revs)
	return m.start(&Mark{Revs: revs, Unread: true})
}

// Approve marks revisions as read and says so; of names what they are changes of.
func (m *Marks) Approve(of string, revs ...int64) tea.Cmd {
	return m.approved(of, m.feed.Read(revs...))
}

// ApprovePaths is Approve for the revisions of paths and of what is or was below them.
func (m *Marks) ApprovePaths(paths ...string) tea.Cmd {
	of := kit.Count(len(paths), "path")
	if len(paths) == 1 {
		of = kit.PathText(paths[0])
	}
	return m.approved(of, m.feed.ReadBelow(paths...))
}

// ApproveAll marks every revision as read that is recorded now, at least those up to last.
func (m *Marks) ApproveAll(last int64) tea.Cmd {
	var revs []int64
	for _, r := range m.feed.Unread() {
		revs = append(revs, r.Rev)
	}
	if len(revs) == 0 {
		m.TellNoUnread()
		return nil
	}
	last = max(last, m.feed.Newest())
	return tea.Batch(m.start(m.feed.UnmarkedUpTo(last)), m.approved("", revs))
}

// approved says how many changes of something were approved, "" for all, and lets undo reach that.
func (m *Marks) approved(of string, revs []int64) tea.Cmd {
	if len(revs) == 0 {
		m.shell.Tell(kit.Info, "No unread changes of "+of)
		return nil
	}
	m.shell.Tell(kit.Info, m.env.Keyed(approvedText(len(revs), of)))
	if m.Undoable == nil {
		return nil
	}
	return m.Undoable(func() tea.Cmd {
		m.shell.Tell(kit.Info, "Unread again: "+kit.CountGrouped(len(revs), "change"))
		return m.Unread(revs...)
	})
}

// approvedText says how many changes of something were approved, "" for all; it goes through [kit.Env.Keyed].
func approvedText(n int, of string) string {
	said := "Approved " + kit.CountGrouped(n, "change")
	if of != "" {
		said += " of " + of
	}
	return said + ". {global/undo} undoes"
}

// Reverted marks revisions as read, which the user has reverted. If that is no longer in force, those that were unread are again.
func (m *Marks) Reverted(inForce bool, revs ...int64) tea.Cmd {
	if inForce {
		for _, rev := range m.feed.Read(revs...) {
			m.reverted[rev] = true
		}
		return nil
	}
	var again []int64
	for _, rev := range revs {
		if m.reverted[rev] {
			again = append(again, rev)
			delete(m.reverted, rev)
		}
	}
	if len(again) == 0 {
		return nil
	}
	return m.Unread(again...)
}

// Flush records what was read since the last call.
func (m *Marks) Flush() tea.Cmd {
	mark := m.feed.Unmarked()
	if mark == nil {
		return nil
	}
	return m.start(mark)
}

// start shows a mark and records it, after those before it: an undo and its redo must not overtake each other.
func (m *Marks) start(mark *Mark) tea.Cmd {
	for _, list := range m.lists() {
		list.Mark(mark)
	}
	m.count++
	before, own := m.last, make(chan struct{})
	m.last = own
	revs, unread, upTo := mark.Revs, mark.Unread, mark.upTo // the feed may change the mark
	return kit.Start(m.env.Jobs, kit.Job[struct{}]{
		Owner: ownerMarks + strconv.Itoa(m.count), Label: kit.LabelJournal, Write: true,
		Work: func(ctx context.Context, _ *kit.Progress) (none struct{}, err error) {
			defer close(own)
			if before != nil {
				select {
				case <-before:
				case <-ctx.Done():
					return none, ctx.Err()
				}
			}
			if upTo > 0 {
				return none, m.record.MarkAllRead(ctx, upTo)
			}
			return none, m.record.MarkRead(ctx, !unread, revs...)
		},
		Done:   func(struct{}) tea.Cmd { m.feed.Marked(mark, true); return nil },
		Failed: func() { m.feed.Marked(mark, false) },
	})
}
