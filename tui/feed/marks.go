package feed

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/journal"
	"memcurator/tui/kit"
)

// ownerMarks names the jobs that record marks.
const ownerMarks = "marks"

// Undo reaches acts that the journal does not hold.
type Undo interface {
	AddUnrecorded(owner string, undo, redo func() tea.Cmd) tea.Cmd
}

// Marks records which revisions the user has read, in jobs, and shows it immediately. All methods run on the Bubble Tea goroutine.
type Marks struct {
	OnlyLooks bool // the user only looks: what they see stays unread

	feed   *Feed
	env    *kit.Env
	shell  kit.Shell
	record *journal.Journal
	undo   Undo
	count  int           // jobs so far, to name them
	last   chan struct{} // closed when the newest job has ended; nil: none was started
}

// NewMarks makes the marks of a feed's record.
func NewMarks(f *Feed, env *kit.Env, shell kit.Shell, record *journal.Journal, undo Undo) *Marks {
	return &Marks{feed: f, env: env, shell: shell, record: record, undo: undo}
}

// textNoUnread says that everything was seen; it goes through [kit.Env.Keyed].
const textNoUnread = "All read. {global/follow} follows the agent"

// TellNoUnread says that everything was seen.
func (m *Marks) TellNoUnread() { m.shell.Tell(kit.Info, m.env.Keyed(textNoUnread)) }

// unread marks revisions as unread again; the feed learns it from the record.
func (m *Marks) unread(revs []int64) tea.Cmd {
	m.feed.unsee(revs)
	return m.start(false, revs)
}

// Approve marks revisions as read and says so; of names what they are changes of.
func (m *Marks) Approve(of string, revs ...int64) tea.Cmd {
	return m.approved(of, m.feed.Read(revs...))
}

// WhyNot says why nothing can be approved: the user only looks.
func (m *Marks) WhyNot() kit.Say {
	if m.OnlyLooks {
		return kit.Say{Text: "Read-only: changes stay unread"}
	}
	return kit.Say{}
}

// ApprovePaths is Approve for the revisions of paths and of what is or was below them.
func (m *Marks) ApprovePaths(paths ...string) tea.Cmd {
	of := kit.Count(len(paths), "path")
	if len(paths) == 1 {
		of = kit.PathText(paths[0])
	}
	return m.approved(of, m.feed.ReadBelow(paths...))
}

// approved says how many changes of something were approved, and lets undo reach that.
func (m *Marks) approved(of string, revs []int64) tea.Cmd {
	if len(revs) == 0 {
		m.shell.Tell(kit.Info, m.env.Keyed("Already read. {global/next-unread} goes to the next unread change"))
		return nil
	}
	what := kit.CountGrouped(len(revs), "change") + " of " + of
	if len(revs) == 1 {
		what = fmt.Sprintf("#%d", revs[0])
	}
	m.shell.Tell(kit.Info, m.env.Keyed("Approved "+what+". {global/undo} undoes"))
	return m.undo.AddUnrecorded("", func() tea.Cmd {
		m.shell.Tell(kit.Info, m.env.Keyed("Unread again: "+what+". {global/redo} redoes"))
		return m.unread(revs)
	}, func() tea.Cmd {
		m.feed.Read(revs...)
		m.shell.Tell(kit.Info, m.env.Keyed("Approved "+what+". {global/undo} undoes"))
		return nil
	})
}

// Flush records what was read.
func (m *Marks) Flush() tea.Cmd {
	revs := m.feed.unmarked
	if m.feed.unmarked = nil; len(revs) == 0 {
		return nil
	}
	return m.start(true, revs)
}

// start records marks in a job, after those before it.
func (m *Marks) start(read bool, revs []int64) tea.Cmd {
	m.count++
	before, own := m.last, make(chan struct{})
	m.last = own
	recorded := func() {
		if read {
			m.feed.recorded(revs)
		}
	}
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
			return none, m.record.MarkRead(ctx, read, revs...)
		},
		Done:   func(struct{}) tea.Cmd { recorded(); return nil },
		Failed: recorded,
	})
}
