package browse

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

// foundOwner is the owner of the search job.
const foundOwner = "found.search"

// state is how the newest search stands.
type state uint8

const (
	none state = iota
	running
	done
	cancelled
	failed
)

// FoundPane is the search tab. Make it with [newFoundPane].
type FoundPane struct {
	env     *ui.Env
	actions *ui.Actions
	w, h    int
	state   state
	matcher *search.Matcher
	feed    *feedFound // of the newest search
	totals  search.Totals
	results results
	stale   bool // the store changed since the search began
	list    ui.List
	moved   bool // the user has chosen a row: it stays under the cursor
}

// newFoundPane makes the tab; it is there once something was searched for.
func newFoundPane(env *ui.Env) *FoundPane {
	p := &FoundPane{env: env}
	p.actions = ui.NewActions(env, ui.Before(func(keymap.ID) {
		p.sync()
		p.fit()
	}, p.bindings())...)
	return p
}

// feedFound is where the job leaves what it finds. Safe for concurrent use.
type feedFound struct {
	mu      sync.Mutex
	waiting []search.Found
	totals  atomic.Pointer[search.Totals]
	some    chan struct{} // closed at the first hit, or when the search ends
	once    sync.Once
}

func (f *feedFound) add(batch []search.Found) {
	f.mu.Lock()
	f.waiting = append(f.waiting, batch...)
	f.mu.Unlock()
	f.tell()
}

func (f *feedFound) tell() { f.once.Do(func() { close(f.some) }) }

func (f *feedFound) take() []search.Found {
	f.mu.Lock()
	defer f.mu.Unlock()
	batch := f.waiting
	f.waiting = nil
	return batch
}

// ended is the outcome of the job.
type ended struct {
	of     *feedFound
	totals search.Totals
	err    error
}

// firstHit makes the screen be drawn when the first hit is there: the clock of running jobs is slower.
type firstHit struct{}

// Search looks for what m looks for in a store; the search before ends. snapshot is the
// tree to search, nil if it is incomplete.
func (p *FoundPane) Search(s *memstore.Store, m *search.Matcher, snapshot *memstore.Snapshot) tea.Cmd {
	f := &feedFound{some: make(chan struct{})}
	f.totals.Store(&search.Totals{})
	p.matcher, p.feed, p.state, p.stale = m, f, running, false
	p.results, p.totals = results{}, search.Totals{}
	p.list, p.moved = ui.List{}, false
	job := p.env.Jobs.Start(foundOwner, ui.LabelFind, func(ctx context.Context, progress *ui.Progress) (any, error) {
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
func (p *FoundPane) Receive(d ui.Done) tea.Cmd {
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
func (p *FoundPane) Failed() { p.state = failed }

// sync takes in what the job has found since.
func (p *FoundPane) sync() {
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
func (p *FoundPane) Matcher() *search.Matcher { return p.matcher }

// Running reports whether a search is under way.
func (p *FoundPane) Running() bool { return p.state == running }

// Peel takes one layer away: a running search is canceled, then the results are cleared.
// It reports which, or neither.
func (p *FoundPane) Peel() (stopped, cleared bool) {
	switch p.state {
	case none:
		return false, false
	case running:
		p.sync()
		p.env.Jobs.Cancel(foundOwner)
		p.state = cancelled
		return true, false
	default:
		*p = FoundPane{env: p.env, actions: p.actions, w: p.w, h: p.h}
		return false, true
	}
}

// Available implements [ui.Optional].
func (p *FoundPane) Available() bool { return p.state != none }

// Title implements [ui.Tab].
func (p *FoundPane) Title() string { return "search" }

// Path implements [ui.Tab].
func (p *FoundPane) Path() string {
	if it, ok := p.current(); ok {
		return it.path()
	}
	return memstore.Root
}

// Place implements [ui.Tab].
func (p *FoundPane) Place() string {
	p.sync()
	if row, ok := p.list.At(); ok {
		return ui.Number(row+1) + "/" + ui.Number(p.results.rows())
	}
	return ""
}

// LineReader implements [ui.Tab].
func (p *FoundPane) LineReader(int) func() (string, error) {
	it, ok := p.current()
	if !ok || it.hit < 0 {
		return nil
	}
	line := string(it.file.hits[it.hit].Text)
	return func() (string, error) { return line, nil }
}

// Actions implements [ui.Pane].
func (p *FoundPane) Actions() *ui.Actions { return p.actions }

func (p *FoundPane) bindings() []ui.Action {
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
func (p *FoundPane) open() {
	it, ok := p.current()
	if !ok {
		return
	}
	p.moved = true
	p.env.Emit(it.match())
}

// stepFile goes to the head of the next or the previous file.
func (p *FoundPane) stepFile(by int) {
	at, _ := p.list.At()
	if row, ok := p.results.fileRow(at, by); ok {
		p.moved = true
		p.list.MoveTo(row)
	}
}

// stepMatch goes to the next or the previous row that is a match, past the heads of files.
func (p *FoundPane) stepMatch(by int) {
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
func (p *FoundPane) current() (item, bool) {
	row, _ := p.list.At()
	return p.results.at(row)
}

// fit sets how many rows the list has, which depends on what is above it.
func (p *FoundPane) fit() { p.list.Resize(p.room()) }

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *FoundPane) Click(row int) (again bool) {
	hit, again := p.list.Click(row - len(p.head()))
	p.moved = p.moved || hit
	return again
}

// Resize implements [ui.Pane].
func (p *FoundPane) Resize(w, h int) { p.w, p.h = w, h; p.fit() }

// Scopes implements [ui.Pane].
func (p *FoundPane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Found} }

// Cursor implements [ui.Pane].
func (p *FoundPane) Cursor() (ui.Point, bool) {
	row, ok := p.list.At()
	if !ok || p.h <= 0 {
		return ui.Point{}, false
	}
	return ui.Point{Y: min(p.h-1, len(p.head())+row-p.list.Top())}, true
}

// Forget drops what was found and what was searched for.
func (p *FoundPane) Forget() {
	p.env.Jobs.Cancel(foundOwner)
	*p = FoundPane{env: p.env, actions: p.actions, w: p.w, h: p.h}
}
