package tui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/watch"
	"memcurator/tui/ui"
)

// The owners of the jobs that record what other programs have done.
const (
	ownerObserve = "observe"
	ownerCompare = "compare"
)

const (
	labelRecord  = "recording changes"
	labelCompare = "comparing the journal with the disk"
)

// recording hands what the watch has seen to the journal, one job at a time and in order.
type recording struct {
	waiting  []journal.Observation
	busy     bool
	compared bool // the comparison with the disk has begun
	stop     context.CancelFunc
}

// record takes changes that the watch has seen.
func (m *Model) record(changes []*watch.Change) tea.Cmd {
	for _, c := range changes {
		if c.Actor == memstore.External {
			m.recording.waiting = append(m.recording.waiting, observation(c))
		}
	}
	return m.handOver()
}

func (m *Model) handOver() tea.Cmd {
	if m.recording.busy || m.quitting || len(m.recording.waiting) == 0 {
		return nil
	}
	list, j := m.recording.waiting, m.options.Journal
	m.recording.waiting, m.recording.busy = nil, true
	leaving, stop := context.WithCancel(context.Background())
	m.recording.stop = stop
	return ui.Start(m.env.Jobs, ui.Job[int]{
		Owner: ownerObserve, Label: labelRecord, Write: true,
		Work: func(context.Context, *ui.Progress) (int, error) {
			defer stop()
			return j.Observe(leaving, list)
		},
		Done: func(int) tea.Cmd {
			m.recording.busy = false
			return m.handOver()
		},
		Failed: func() { m.recording.busy = false }, // what the journal did not take it finds on disk at the next start
	})
}

// recordWithin is how long leaving waits for what other programs have done to be recorded.
const recordWithin = 300 * time.Millisecond

// endRecording lets a hand-over go on for so long, when the user leaves: thousands of changes take
// longer, and the comparison at the next start finds what they have left.
func (m *Model) endRecording(after time.Duration) {
	if stop := m.recording.stop; stop != nil {
		time.AfterFunc(after, stop)
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

// comparison is the outcome of comparing the journal with the disk.
type comparison struct {
	journal.Progress
	last int64 // the newest revision then
}

// compareJournal records what happened while nobody watched; a store that is seen for the
// first time is read whole.
func (m *Model) compareJournal() tea.Cmd {
	j := m.options.Journal
	if m.options.Emptied != "" || m.options.Unlinked {
		return nil
	}
	tree := m.disk.snapshot
	if m.disk.state != watch.Live && m.disk.state != watch.Polling {
		tree = nil
	}
	linger := m.env.Debounce
	work := func(ctx context.Context, progress *ui.Progress) (c comparison, err error) {
		// The first keys go before it: to read a store for the first time takes a processor.
		if err := ui.Debounce(ctx, linger); err != nil {
			return c, err
		}
		defer giveBack() // what is known of the store, and what was read
		c.Progress, err = j.ReconcileTree(ctx, tree, func(p journal.Progress) { progress.Set(int64(p.Done), int64(p.Files)) })
		if err != nil {
			return c, err
		}
		c.last, err = j.Last(ctx)
		return c, err
	}
	return ui.Start(m.env.Jobs, ui.Job[comparison]{Owner: ownerCompare, Label: labelCompare, Work: work, Done: m.compared})
}

// compared says what the comparison found, and what it had to leave out.
func (m *Model) compared(c comparison) tea.Cmd {
	m.feed.Compared(c.last)
	if c.LeftOut > 0 && m.kept() != nil {
		m.tell(ui.Info, leftOutText(c.LeftOut))
	}
	if c.Revisions > 0 {
		m.tell(ui.Info, m.env.Keyed(whileAwayText(c.Revisions)))
	}
	return m.curate.Replan()
}

// whileAwayText says what the comparison with the disk has found.
func whileAwayText(n int) string {
	return ui.Count(n, "change") + " made while nobody watched: {global/changes} shows " + map[bool]string{true: "it", false: "them"}[n == 1]
}

// leftOutText says what the journal could not keep.
func leftOutText(n int) string {
	return "the bytes of " + ui.Count(n, "file") + " are too large for the journal: their first change cannot be taken back"
}
