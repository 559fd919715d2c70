package stores

import (
	"context"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/overview"
	"memcurator/tui/ui"
)

// look lists the stores, unless that is under way.
func (s *Screen) look(parts overview.Part) tea.Cmd {
	if s.env.Jobs.Running(ownerList) {
		return nil
	}
	s.env.Jobs.Cancel(ownerWatch)
	s.env.Jobs.Cancel(ownerCount)
	f := &finding{news: make(chan struct{}, 1), rows: map[string]Row{}}
	s.finding = f
	find := s.Options.List
	job := ui.Start(s.env.Jobs, ui.Job[struct{}]{
		Owner: ownerList, Label: "finding stores",
		Work: func(ctx context.Context, _ *ui.Progress) (struct{}, error) {
			defer close(f.news)
			return struct{}{}, find(ctx, parts, f.report)
		},
		Done: func(struct{}) tea.Cmd {
			s.sync()
			if s.known = true; parts == overview.Everything {
				s.read = s.env.Now()
			}
			s.list.keep(func(r Row) bool { return f.seen[r.Path] })
			s.count()
			s.wanted = ""
			if s.acted {
				return tea.Batch(s.detail.refresh(), s.Acted())
			}
			return tea.Batch(s.detail.refresh(), s.follow(), s.watch())
		},
		Failed: func() { s.known = true },
	})
	return tea.Batch(job, waitForNews(f))
}

// Acted lists the stores again after an act that may have changed one: an index that is in step or not shows at once, while what reads all
// files waits for the watch.
func (s *Screen) Acted() tea.Cmd {
	s.acted = s.env.Jobs.Running(ownerList) // it may have read that store before
	return s.look(overview.Everything &^ overview.SecretsPart)
}

// Reread lists the stores again, with the cursor on the one at path if it is among them.
func (s *Screen) Reread(path string) tea.Cmd {
	s.wanted = path
	s.env.Jobs.Cancel(ownerList)
	return s.look(overview.Everything)
}

// ownerWatch is the owner of the job that watches the stores.
const ownerWatch = "stores.watch"

// watch keeps the rows up to date until they are listed again.
func (s *Screen) watch() tea.Cmd {
	if s.Watch == nil {
		return nil
	}
	f := &finding{news: make(chan struct{}, 1), rows: map[string]Row{}}
	s.finding = f
	watch, rows := s.Watch, slices.Clone(s.list.rows)
	job := ui.Start(s.env.Jobs, ui.Job[struct{}]{
		Owner: ownerWatch, Label: "watching stores",
		Work: func(ctx context.Context, _ *ui.Progress) (struct{}, error) {
			defer close(f.news)
			watch(ctx, rows, f.report)
			return struct{}{}, ctx.Err()
		},
	})
	return tea.Batch(job, waitForNews(f))
}

// finding is where the job leaves what it found. Safe for concurrent use.
type finding struct {
	mu    sync.Mutex
	order []string       // the paths of rows
	rows  map[string]Row // what was reported since the last sync
	news  chan struct{}  // gets a value when there are rows; closed at the end of the job

	seen map[string]bool // the paths that were reported; only for sync
}

func (f *finding) report(row Row) {
	f.mu.Lock()
	if _, again := f.rows[row.Path]; !again {
		f.order = append(f.order, row.Path)
	}
	f.rows[row.Path] = row
	f.mu.Unlock()
	select {
	case f.news <- struct{}{}:
	default: // the one before is still to be taken
	}
}

// Message reports that there is more to show, or that an age has changed. It belongs to the screen, not to the interface of a store.
type Message struct {
	of      *finding
	results *results
	aged    bool
}

// drawEvery is how long the screen waits from one batch of news to the next, so that many rows that fill in don't hold up the keys.
const drawEvery = 30 * time.Millisecond

// waitForNews delivers the next news of a finding.
func waitForNews(f *finding) tea.Cmd {
	return func() tea.Msg {
		if _, more := <-f.news; !more {
			return nil
		}
		return Message{of: f}
	}
}

// Take shows what was found, and waits for more.
func (s *Screen) Take(msg Message) tea.Cmd {
	if r := msg.results; r != nil {
		if r != s.found {
			return nil
		}
		r.sync()
		return tea.Batch(s.detail.refresh(), r.wait(drawEvery))
	}
	if msg.aged || msg.of != s.finding {
		return nil
	}
	s.sync()
	next := waitForNews(msg.of)
	return tea.Batch(s.detail.refresh(), s.follow(), func() tea.Msg {
		time.Sleep(drawEvery)
		return next()
	})
}

// sync lists what was found so far.
func (s *Screen) sync() {
	f := s.finding
	f.mu.Lock()
	var rows []Row
	for _, path := range f.order {
		rows = append(rows, f.rows[path])
	}
	f.order = nil
	clear(f.rows)
	f.mu.Unlock()
	if len(rows) == 0 {
		return
	}
	if s.known = true; f.seen == nil {
		f.seen = map[string]bool{}
	}
	for _, r := range rows {
		f.seen[r.Path] = true
	}
	s.list.take(rows)
	if s.fresh && s.list.goToReal(s.Opened()) {
		s.fresh, s.wanted = false, ""
	}
	if _, listed := s.list.rowOf(s.wanted); listed && f.seen[s.wanted] {
		s.list.goTo(s.wanted)
		s.wanted = ""
	}
}
