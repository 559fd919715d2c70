package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/watch"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// inboxSize bounds the unread revisions that are kept in mind; there may be more.
const inboxSize = 10_000

// The owners of the inbox's jobs.
const (
	ownerInbox = "inbox"
	ownerMarks = "inbox.marks"
)

// inbox is what the journal has that the user has not seen, from before this start too.
type inbox struct {
	unread []past.Revision // oldest first
	seen   []int64         // read, and not passed on to the journal yet
	from   int64           // older unread ones are not in mind; 0: all are
	last   int64           // the newest revision there was at the last look
}

// read takes the revisions of a path off; pass tells the journal.
func (b *inbox) read(path string) {
	for _, r := range b.unread {
		if r.Path == path {
			b.seen = append(b.seen, r.Rev)
		}
	}
	b.remove(b.seen)
}

func (b *inbox) readAll() {
	for _, r := range b.unread {
		b.seen = append(b.seen, r.Rev)
	}
	b.unread = nil
}

func (b *inbox) paths() map[string]bool {
	out := make(map[string]bool, len(b.unread))
	for _, r := range b.unread {
		out[r.Path] = true
	}
	return out
}

func (b *inbox) remove(revs []int64) {
	if len(revs) == 0 {
		return
	}
	sorted := slices.Sorted(slices.Values(revs))
	b.unread = slices.DeleteFunc(b.unread, func(r past.Revision) bool {
		_, found := slices.BinarySearch(sorted, r.Rev)
		return found
	})
}

// of finds the revisions that stand for a change that was seen live.
func (b *inbox) of(c *watch.Change) []int64 {
	var revs []int64
	for _, r := range b.unread {
		if standsFor(r, c) {
			revs = append(revs, r.Rev)
		}
	}
	return revs
}

// inboxRead is the outcome of a look at what is unread: what came since the look before, or all
// of it where that was not what the journal has.
type inboxRead struct {
	unread []past.Revision
	since  int64 // the newest revision of the look before
	last   int64
	anew   bool
}

// sum is what a look goes on from.
func (b *inbox) sum() journal.UnreadSum { return journal.SumUnread(b.unread, b.from, b.last) }

// take adds the outcome of a look. Another one may have been quicker.
func (b *inbox) take(v inboxRead) {
	switch {
	case v.last < b.last || !v.anew && v.since > b.last: // what it goes on from was forgotten
		return
	case v.anew:
		b.unread, b.from = v.unread, 0
	default:
		for _, r := range v.unread {
			if r.Rev > b.last {
				b.unread = append(b.unread, r)
			}
		}
	}
	b.last = v.last
	if n := len(b.unread); n >= inboxSize {
		b.unread = slices.Clone(b.unread[n-inboxSize:])
		b.from = b.unread[0].Rev
	}
}

// ownerCompare names the job that compares the journal with the disk at the start.
const ownerCompare = "compare"

const labelCompare = "comparing the journal with the disk"

// compareJournal records what happened while nobody watched; a store that is seen for the
// first time is read whole.
func (m *Model) compareJournal() tea.Cmd {
	j := m.options.Journal
	if j == nil || m.options.Emptied != "" {
		return nil
	}
	tree := m.live.snapshot
	if m.live.state != watch.Live && m.live.state != watch.Polling {
		tree = nil
	}
	linger := m.env.Linger
	return m.env.Jobs.Start(ownerCompare, labelCompare, func(ctx context.Context, progress *ui.Progress) (any, error) {
		// The first keys go before it: to read a store for the first time takes a processor.
		if err := ui.Linger(ctx, linger); err != nil {
			return nil, err
		}
		defer giveBack() // what is known of the store, and what was read
		return j.ReconcileTree(ctx, tree, func(p journal.Progress) { progress.Set(int64(p.Done), int64(p.Files)) })
	})
}

// compared says what the comparison found, and what it had to leave out.
func (m *Model) compared(done ui.Done) tea.Cmd {
	p, ok := done.Value.(journal.Progress)
	if !ok {
		return nil
	}
	if p.LeftOut > 0 {
		m.tell(ui.Info, leftOutText(p.LeftOut))
	}
	if p.Revisions > 0 {
		m.tell(ui.Info, m.env.Keyed(whileAwayText(p.Revisions)))
	}
	cmds := []tea.Cmd{m.readInbox(), m.curate.Replan()}
	for _, list := range m.openLists() {
		cmds = append(cmds, list.Refresh())
	}
	return tea.Batch(cmds...)
}

// whileAwayText says what the comparison with the disk has found.
func whileAwayText(n int) string {
	return ui.Count(n, "change") + " made while nobody watched: {global/changes} shows " + map[bool]string{true: "it", false: "them"}[n == 1]
}

// leftOutText says what the journal could not keep.
func leftOutText(n int) string {
	return "the bytes of " + ui.Count(n, "file") + " are too large for the journal: their first change cannot be taken back"
}

// readInbox reads what was recorded while nobody looked.
func (m *Model) readInbox() tea.Cmd {
	j := m.options.Journal
	if j == nil {
		return nil
	}
	have := m.inbox.sum()
	return m.env.Jobs.Start(ownerInbox, timeline.LabelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		return lookIntoInbox(ctx, j, have)
	})
}

func lookIntoInbox(ctx context.Context, j *journal.Journal, have journal.UnreadSum) (v inboxRead, err error) {
	v.since = have.Last
	v.unread, v.last, v.anew, err = j.UnreadSince(ctx, have, inboxSize)
	return v, err
}

func (m *Model) inboxReceived(done ui.Done) tea.Cmd {
	if v, ok := done.Value.(inboxRead); ok {
		return m.takeInbox(v)
	}
	return nil
}

// takeInbox takes the outcome of a look, and has the lists read what is new.
func (m *Model) takeInbox(v inboxRead) tea.Cmd {
	was := m.inbox.last
	m.inbox.take(v)
	m.tree.SetUnread(m.unreadPaths())
	m.watchLosses()
	if m.inbox.last == was {
		return nil
	}
	m.stale[tabBlame] = true
	var cmds []tea.Cmd
	for _, list := range m.openLists() {
		cmds = append(cmds, list.Refresh())
	}
	return tea.Batch(cmds...)
}

// unreadCount is how many changes the user has not seen.
func (m *Model) unreadCount() int {
	if m.options.Journal != nil {
		return len(m.inbox.unread)
	}
	return len(m.live.unread)
}

func (m *Model) unreadPaths() map[string]bool {
	if m.options.Journal != nil {
		return m.inbox.paths()
	}
	return m.live.unreadPaths()
}

// markRevisions notes that the user has, or has not, seen revisions.
func (m *Model) markRevisions(read bool, revs ...int64) tea.Cmd {
	j := m.options.Journal
	if j == nil || len(revs) == 0 {
		return nil
	}
	if read {
		m.inbox.remove(revs)
		m.tree.SetUnread(m.unreadPaths())
		m.watchLosses()
	}
	for _, list := range m.openLists() {
		list.SetUnread(!read, revs...)
	}
	m.commands++
	return m.env.Jobs.StartWrite(ownerMarks+revText(int64(m.commands)), timeline.LabelRevisions, func(context.Context, *ui.Progress) (any, error) {
		return marked{}, j.MarkRead(read, revs...)
	})
}

// passOnRead tells the journal what the user has seen since the last message.
func (m *Model) passOnRead() tea.Cmd {
	if m.options.Journal == nil {
		m.live.justRead = nil
		return nil
	}
	for _, c := range m.live.justRead {
		m.inbox.seen = append(m.inbox.seen, m.inbox.of(c)...)
	}
	revs := m.inbox.seen
	m.live.justRead, m.inbox.seen = nil, nil
	return m.markRevisions(true, revs...)
}

// marked is the outcome of marking.
type marked struct{}
