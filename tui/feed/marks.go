package feed

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/ui"
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
	SetUnread(unread bool, revs ...int64)
	SetAllRead(last int64)
}

// Marks records which revisions the user has read, in jobs, and shows it immediately. All methods run on the Bubble Tea goroutine.
type Marks struct {
	feed   *Feed
	env    *ui.Env
	shell  *ui.Shell
	record Record
	lists  func() []List
	count  int // jobs so far, to name them
}

// NewMarks makes the marks of a feed's record; lists returns the lists that show them.
func NewMarks(f *Feed, env *ui.Env, shell *ui.Shell, record Record, lists func() []List) *Marks {
	return &Marks{feed: f, env: env, shell: shell, record: record, lists: lists}
}

// TextNoUnread says that everything was seen; it goes through [ui.Env.Keyed].
const TextNoUnread = "All read. {global/follow} follows the agent"

// TellNoUnread says that everything was seen.
func (m *Marks) TellNoUnread() { m.shell.Tell(ui.Info, m.env.Keyed(TextNoUnread)) }

// Unread marks revisions as unread again.
func (m *Marks) Unread(revs ...int64) tea.Cmd {
	for _, list := range m.lists() {
		list.SetUnread(true, revs...)
	}
	return m.start(func(ctx context.Context) error { return m.record.MarkRead(ctx, false, revs...) }, nil)
}

// Approve marks revisions as read and says so; of names what they are changes of.
func (m *Marks) Approve(of string, revs ...int64) { m.told(m.feed.Read(revs...), of) }

// ApprovePath is Approve for the revisions of a path and of what is or was below it.
func (m *Marks) ApprovePath(path string) { m.told(m.feed.ReadBelow(path), ui.PathText(path)) }

// ApproveAll is Approve for all revisions that the feed knows.
func (m *Marks) ApproveAll() {
	if n := m.feed.ReadAll(); n > 0 {
		m.shell.Tell(ui.Info, approvedText(n, ""))
		return
	}
	m.TellNoUnread()
}

// told says how many changes of something were approved.
func (m *Marks) told(n int, of string) {
	if n == 0 {
		m.shell.Tell(ui.Info, "No unread changes of "+of)
		return
	}
	m.shell.Tell(ui.Info, approvedText(n, of))
}

// approvedText says how many changes of something were approved; "" for all.
func approvedText(n int, of string) string {
	if of == "" {
		return "Approved " + ui.CountGrouped(n, "change")
	}
	return "Approved " + ui.CountGrouped(n, "change") + " of " + of
}

// ApproveRecorded marks every revision as read that is recorded now, at least those up to last.
func (m *Marks) ApproveRecorded(last int64) tea.Cmd {
	n := len(m.feed.Unread())
	if n == 0 {
		m.TellNoUnread()
		return nil
	}
	last = max(last, m.feed.Newest())
	mark := m.feed.UnmarkedUpTo(last)
	m.shell.Tell(ui.Info, approvedText(n, ""))
	for _, list := range m.lists() {
		list.SetAllRead(last)
	}
	return m.start(func(ctx context.Context) error { return m.record.MarkAllRead(ctx, last) }, mark)
}

// Flush records what was read since the last call. changed: there was something.
func (m *Marks) Flush() (cmd tea.Cmd, changed bool) {
	mark := m.feed.Unmarked()
	if mark == nil {
		return nil, false
	}
	for _, list := range m.lists() {
		list.SetUnread(false, mark.Revs...)
	}
	return m.start(func(ctx context.Context) error { return m.record.MarkRead(ctx, true, mark.Revs...) }, mark), true
}

// start records a mark; nil: of revisions as unread.
func (m *Marks) start(work func(context.Context) error, mark *Mark) tea.Cmd {
	ended := func(ok bool) {
		if mark != nil {
			m.feed.Marked(mark, ok)
		}
	}
	m.count++
	return ui.Start(m.env.Jobs, ui.Job[struct{}]{
		Owner: ownerMarks + strconv.Itoa(m.count), Label: ui.LabelJournal, Write: true,
		Work:   func(ctx context.Context, _ *ui.Progress) (none struct{}, err error) { return none, work(ctx) },
		Done:   func(struct{}) tea.Cmd { ended(true); return nil },
		Failed: func() { ended(false) },
	})
}
