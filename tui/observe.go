package tui

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/watch"
	"memcurator/tui/ui"
)

// ownerObserve names the job that tells the journal what other programs have done.
const ownerObserve = "observe"

// observer hands what the watch has seen to the journal, one job at a time and in order,
// and then reads what the journal made of it.
type observer struct {
	waiting  []*watch.Change
	busy     bool
	compared bool // the comparison with the disk has begun
	stop     context.CancelFunc
}

// observed is the outcome of a hand-over.
type observed struct {
	inbox   inboxRead
	changes []*watch.Change
	numbers map[int]int64
}

// observe takes changes that the watch has seen.
func (m *Model) observe(changes []*watch.Change) tea.Cmd {
	if m.options.Journal == nil {
		return nil
	}
	m.observer.waiting = append(m.observer.waiting, changes...)
	return m.handOver()
}

func (m *Model) handOver() tea.Cmd {
	if m.observer.busy || m.quitting || len(m.observer.waiting) == 0 {
		return nil
	}
	changes := m.observer.waiting
	m.observer.waiting, m.observer.busy = nil, true
	j, have := m.options.Journal, m.inbox.sum()
	numbered := slices.Concat(m.live.before(changes[0].Seq, numberAgain), changes)
	leaving, stop := context.WithCancel(context.Background())
	m.observer.stop = stop
	return m.env.Jobs.StartWrite(ownerObserve, "recording", func(ctx context.Context, _ *ui.Progress) (any, error) {
		defer stop()
		var list []journal.Observation
		for _, c := range changes {
			if c.Actor == memstore.External {
				list = append(list, observation(c))
			}
		}
		out := observed{changes: changes}
		if _, err := j.Observe(leaving, list); err != nil {
			return out, err
		}
		var err error
		if out.inbox, err = lookIntoInbox(ctx, j, have); err != nil {
			return out, err
		}
		out.numbers, err = numbersOf(ctx, j, numbered)
		return out, err
	})
}

// observeWithin is how long leaving waits for what other programs have done to be recorded.
const observeWithin = 300 * time.Millisecond

// endObserving lets a hand-over go on for so long, when the user leaves: thousands of changes take
// longer, and the comparison at the next start finds what they have left.
func (m *Model) endObserving(after time.Duration) {
	if stop := m.observer.stop; stop != nil {
		time.AfterFunc(after, stop)
	}
}

// observeEnded takes the outcome, even of a failure: what the journal did not take it finds
// on disk at the next start.
func (m *Model) observeEnded(done ui.Done) tea.Cmd {
	m.observer.busy = false
	cmds := []tea.Cmd{m.handOver()}
	if v, ok := done.Value.(observed); ok && done.Err == nil {
		m.inbox.take(v.inbox)
		m.numbersRead(v.numbers)
		for _, c := range v.changes {
			if !m.live.isUnread(c) { // seen before the journal had it
				m.inbox.seen = append(m.inbox.seen, m.inbox.of(c)...)
			}
		}
		m.inbox.remove(m.inbox.seen)
		m.tree.SetUnread(m.unreadPaths())
		m.watchLosses()
		for _, list := range m.openLists() {
			cmds = append(cmds, list.Refresh())
		}
		cmds = append(cmds, m.curate.Replan())
		m.stale[tabBlame] = true // what the lines were written by is known only now
	}
	return tea.Batch(cmds...)
}

// Makers returns what tells a watcher which changes another process of ours has made, as the
// journal knows it; nil without a journal. warn is told when the journal cannot be read.
func Makers(j *journal.Journal, warn func(error)) func(context.Context, []*watch.Change) {
	if j == nil {
		return nil
	}
	return func(ctx context.Context, list []*watch.Change) {
		observations := make([]journal.Observation, len(list))
		for i, c := range list {
			observations[i] = observation(c)
		}
		makers, err := j.Attribute(ctx, observations)
		if err != nil {
			if ctx.Err() == nil {
				warn(err)
			}
			return
		}
		for i, m := range makers {
			if m.Actor == "" {
				continue
			}
			list[i].Actor = m.Actor
			switch m.Command {
			case memstore.CmdCreate, memstore.CmdStrReplace, memstore.CmdInsert, memstore.CmdDelete, memstore.CmdRename:
				list[i].Command = m.Command // an undo keeps the word for what it did to the path
			}
		}
	}
}

// observation is a change as the journal takes it.
func observation(c *watch.Change) journal.Observation {
	o := journal.Observation{Time: c.Time, Command: c.Command, Kind: c.Kind, Path: c.Path, OldPath: c.OldPath, Before: seenVersion(c.Before), After: seenVersion(c.After)}
	o.Made = c.Kind == memstore.KindDir && c.Command != watch.CmdDelete
	return o
}

func seenVersion(v *watch.Version) *journal.Seen {
	if v == nil {
		return nil
	}
	s := &journal.Seen{Digest: v.Digest(), Size: v.Size()}
	if ok, _ := v.Kept(); ok {
		s.Read = func() ([]byte, error) {
			data := make([]byte, v.Size())
			n, err := v.ReadAt(data, 0)
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, err
			}
			if int64(n) != v.Size() {
				return nil, io.ErrUnexpectedEOF
			}
			return data, nil
		}
	}
	return s
}
