package feed

import (
	"context"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/past"
)

// Message is the outcome of the command under way.
type Message struct {
	query  int
	batch  past.Batch
	unread []past.Revision
	moves  []past.Revision // renames since the oldest of unread
	reread bool            // unread is complete
	err    error
}

// request is what a command asks the record for, by value: the feed changes meanwhile.
type request struct {
	source Source
	seen   past.State
	begun  bool
	reread bool
}

// retryAfter is the pause before an unreadable record is tried again.
const retryAfter = 2 * time.Second

// newsEvery is the pause before the record is queried again: each news is drawn.
const newsEvery = 30 * time.Millisecond

// waitForNews returns the command that waits for news, and ends the one before.
func (f *Feed) waitForNews() tea.Cmd {
	f.stop()
	ctx, stop := context.WithCancel(f.life)
	f.stop = stop
	f.query++
	query, q := f.query, request{f.source, f.state, f.begun, f.reread}
	return func() tea.Msg {
		if q.begun {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(newsEvery):
			}
		}
		m, err := q.answer(ctx)
		if err != nil {
			m = Message{err: err}
			select {
			case <-ctx.Done():
			case <-time.After(retryAfter):
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		m.query = query
		return m
	}
}

// answer queries the record. It does I/O, and waits.
func (q *request) answer(ctx context.Context) (m Message, err error) {
	if !q.begun || q.reread {
		// The state is older than the list: marks made in between are reported again.
		if m.batch.Next, err = q.source.State(ctx); err != nil {
			return m, err
		}
		m.batch.Newest = m.batch.Next.Last
		if q.begun {
			m.batch.Next.Last, m.batch.Next.Damaged, m.batch.Next.Purges = q.seen.Last, q.seen.Damaged, q.seen.Purges
		}
		return m, m.readUnread(ctx, q.source)
	}
	m.batch, err = q.source.Follow(ctx, q.seen, batchSize)
	return m, err
}

func (m *Message) readUnread(ctx context.Context, source Source) (err error) {
	m.reread = true
	m.unread, err = past.Revisions(ctx, source, past.Filter{Unread: true, Newest: true, Limit: mostUnread})
	slices.Reverse(m.unread)
	if err == nil && len(m.unread) > 0 {
		m.moves, err = past.Revisions(ctx, source, past.Filter{Commands: past.Renaming, After: m.unread[0].Rev})
	}
	return err
}

// News is what a message reports.
type News struct {
	// Revisions are new, oldest first.
	Revisions []past.Revision
	Flags     bool  // recorded revisions were marked, or something was undone
	Purges    int64 // their number, if there was a purge since the message before; 0: there was none
	Damaged   bool  // the record was found to be damaged
	Err       error // the record could not be read; it will be tried again
}

// Take takes a message, and returns the command that delivers the next one.
func (f *Feed) Take(m Message) (News, tea.Cmd) {
	if m.query != f.query {
		return News{}, nil
	}
	if m.err != nil {
		return News{Err: m.err}, f.waitForNews()
	}
	next, was := m.batch.Next, f.state
	news := News{Revisions: m.batch.Revisions, Damaged: next.Damaged && !was.Damaged}
	if f.begun {
		news.Flags = next.Flags > was.Flags
		if next.Purges > was.Purges {
			news.Purges = next.Purges
		}
	}
	f.state = next
	f.reread = news.Flags && !m.reread
	switch {
	case !f.begun:
		f.begun, f.start = true, next.Last
	case news.Purges > 0:
		f.forget(was.Last)
	}
	f.arrive(m.batch.Revisions)
	if m.reread {
		f.unread.set(slices.DeleteFunc(m.unread, func(r past.Revision) bool { return f.isRead(r, m.query) }), m.moves)
		maps.DeleteFunc(f.read, func(_ int64, until int) bool { return until < m.query })
	}
	for _, r := range m.batch.Revisions {
		f.unread.rename(&r)
		if r.Unread && !f.isRead(r, m.query) {
			f.unread.add(r)
		}
	}
	return news, f.waitForNews()
}

// arrive appends new revisions, and drops the oldest.
func (f *Feed) arrive(list []past.Revision) {
	for _, r := range list {
		if r.Rev > f.start && (r.Note != past.NoteUnseen || r.Rev > f.unseen) { // not from before the start
			f.arrived = append(f.arrived, r)
		}
	}
	f.arrived = slices.Delete(f.arrived, 0, max(0, len(f.arrived)-most))
}
