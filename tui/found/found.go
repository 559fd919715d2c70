// Package found is the search tab: what a search of the whole store found, names first,
// then the lines of each file. The search runs in a job (memstore/search) and its hits
// come in while it runs; the list is in the order of the tree whatever the order in which
// they come. The tab opens matches by intents; the root passes it the tree and the changes.
package found

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/search"
	"memcurator/tui/ui"
)

// Owner is the owner of the search job.
const Owner = "found.search"

// state is how the newest search stands.
type state uint8

const (
	none state = iota
	running
	done
	cancelled
	failed
)

// Pane is the search tab. Make it with [New].
type Pane struct {
	env     *ui.Env
	actions *ui.Actions
	w, h    int
	state   state
	matcher *search.Matcher
	feed    *feed // of the newest search
	totals  search.Totals
	results results
	stale   bool // the store changed since the search began
	list    ui.List
	moved   bool // the user has chosen a row: it stays under the cursor
}

// New makes the tab; it is there once something was searched for.
func New(env *ui.Env) *Pane {
	p := &Pane{env: env}
	p.actions = ui.NewActions(env, ui.Before(func(keymap.ID) {
		p.sync()
		p.fit()
	}, p.bindings())...)
	return p
}

// feed is where the job leaves what it finds. Safe for concurrent use.
type feed struct {
	mu      sync.Mutex
	waiting []search.Found
	totals  atomic.Pointer[search.Totals]
	some    chan struct{} // closed at the first hit, or when the search ends
	once    sync.Once
}

func (f *feed) add(batch []search.Found) {
	f.mu.Lock()
	f.waiting = append(f.waiting, batch...)
	f.mu.Unlock()
	f.tell()
}

func (f *feed) tell() { f.once.Do(func() { close(f.some) }) }

func (f *feed) take() []search.Found {
	f.mu.Lock()
	defer f.mu.Unlock()
	batch := f.waiting
	f.waiting = nil
	return batch
}

// ended is the outcome of the job.
type ended struct {
	of     *feed
	totals search.Totals
	err    error
}

// firstHit makes the screen be drawn when the first hit is there: the clock of running jobs is slower.
type firstHit struct{}

// Search looks for what m looks for in a store; the search before ends. snapshot is the
// tree to search, nil if it is incomplete.
func (p *Pane) Search(s *memstore.Store, m *search.Matcher, snapshot *memstore.Snapshot) tea.Cmd {
	f := &feed{some: make(chan struct{})}
	f.totals.Store(&search.Totals{})
	p.matcher, p.feed, p.state, p.stale = m, f, running, false
	p.results, p.totals = results{}, search.Totals{}
	p.list, p.moved = ui.List{}, false
	job := p.env.Jobs.Start(Owner, ui.LabelFind, func(ctx context.Context, progress *ui.Progress) (any, error) {
		defer f.tell()
		totals, err := search.Store(ctx, s, m, search.Options{Snapshot: snapshot, Found: f.add, Progress: func(t search.Totals) {
			f.totals.Store(&t)
			progress.Set(t.Bytes, max(t.AllBytes, 1))
		}})
		return ended{f, totals, err}, nil
	})
	return tea.Batch(job, func() tea.Msg { <-f.some; return firstHit{} })
}

// Receive implements [ui.Pane].
func (p *Pane) Receive(d ui.Done) tea.Cmd {
	v, ok := d.Value.(ended)
	if !ok || v.of != p.feed {
		return nil
	}
	p.sync()
	p.totals, p.state = v.totals, done
	if v.err != nil && !errors.Is(v.err, context.Canceled) {
		p.state = failed
	}
	return nil
}

// Failed is called when the job ended in an error of the program.
func (p *Pane) Failed() { p.state = failed }

// sync takes in what the job has found since.
func (p *Pane) sync() {
	if p.state != running {
		return
	}
	p.totals = *p.feed.totals.Load()
	batch := p.feed.take()
	if len(batch) == 0 {
		return
	}
	row, _ := p.list.At()
	at, kept := p.results.at(row)
	p.results.add(batch)
	if p.moved && kept {
		p.list.Shift(p.results.rowOf(at) - row)
	}
	p.list.SetCount(p.results.rows())
}

// Matcher is what was searched for last; nil before the first search and after it was cleared.
func (p *Pane) Matcher() *search.Matcher { return p.matcher }

// Running reports whether a search is under way.
func (p *Pane) Running() bool { return p.state == running }

// Peel takes one layer away: a running search is canceled, then the results are cleared.
// It reports which, or neither.
func (p *Pane) Peel() (stopped, cleared bool) {
	switch p.state {
	case none:
		return false, false
	case running:
		p.sync()
		p.env.Jobs.Cancel(Owner)
		p.state = cancelled
		return true, false
	default:
		*p = Pane{env: p.env, actions: p.actions, w: p.w, h: p.h}
		return false, true
	}
}

// Available implements [ui.Optional].
func (p *Pane) Available() bool { return p.state != none }

// Title implements [ui.Tab].
func (p *Pane) Title() string { return "search" }

// Path implements [ui.Tab].
func (p *Pane) Path() string {
	if it, ok := p.current(); ok {
		return it.path()
	}
	return memstore.Root
}

// Place implements [ui.Tab].
func (p *Pane) Place() string {
	p.sync()
	if row, ok := p.list.At(); ok {
		return ui.Number(row+1) + "/" + ui.Number(p.results.rows())
	}
	return ""
}

// LineReader implements [ui.Tab].
func (p *Pane) LineReader(int) func() (string, error) {
	it, ok := p.current()
	if !ok || it.hit < 0 {
		return nil
	}
	line := string(it.file.hits[it.hit].Text)
	return func() (string, error) { return line, nil }
}

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	return append(p.list.Bindings(func(keymap.ID) tea.Cmd {
		p.moved = true
		return nil
	}),
		ui.On(keymap.Open, p.open),
		ui.On(keymap.SearchNext, func() { p.stepMatch(1) }),
		ui.On(keymap.SearchPrev, func() { p.stepMatch(-1) }),
		ui.On(keymap.HunkNext, func() { p.stepFile(1) }),
		ui.On(keymap.HunkPrev, func() { p.stepFile(-1) }),
	)
}

// open asks for the match under the cursor.
func (p *Pane) open() {
	it, ok := p.current()
	if !ok {
		return
	}
	p.moved = true
	p.env.Emit(it.match())
}

// stepFile goes to the head of the next or the previous file.
func (p *Pane) stepFile(by int) {
	at, _ := p.list.At()
	if row, ok := p.results.fileRow(at, by); ok {
		p.moved = true
		p.list.MoveTo(row)
	}
}

// stepMatch goes to the next or the previous row that is a match, past the heads of files.
func (p *Pane) stepMatch(by int) {
	at, _ := p.list.At()
	for row := at + by; row >= 0 && row < p.results.rows(); row += by {
		if it, ok := p.results.at(row); ok && (it.hit >= 0 || it.name) {
			p.moved = true
			p.list.MoveTo(row)
			return
		}
	}
}

// current is what is under the cursor.
func (p *Pane) current() (item, bool) {
	row, _ := p.list.At()
	return p.results.at(row)
}

// fit sets how many rows the list has, which depends on what is above it.
func (p *Pane) fit() { p.list.Resize(p.room()) }

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Pane) Click(row int) (again bool) {
	hit, again := p.list.Click(row - len(p.head()))
	p.moved = p.moved || hit
	return again
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h; p.fit() }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Found} }

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	row, ok := p.list.At()
	if !ok || p.h <= 0 {
		return ui.Point{}, false
	}
	return ui.Point{Y: min(p.h-1, len(p.head())+row-p.list.Top())}, true
}

// Forget drops what was found and what was searched for.
func (p *Pane) Forget() {
	p.env.Jobs.Cancel(Owner)
	*p = Pane{env: p.env, actions: p.actions, w: p.w, h: p.h}
}
