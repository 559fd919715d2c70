package browse

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/ui"
)

// The owners of the tab's jobs.
const (
	ownerRead = "blame.read"
	ownerFind = "blame.find"
)

// blameOwners lists them.
func blameOwners() []string { return []string{ownerRead, ownerFind} }

// openBlamed is the intent of enter: show the revision that wrote the line under the cursor.
type openBlamed struct{ Revision past.Revision }

// blameSource is what the lines come from; [journal.Journal] is one.
type blameSource interface {
	Blame(ctx context.Context, agentPath string, rev int64) (*past.Blame, error)
}

// BlamePane is the blame tab: for each line of the open file the revision that wrote it, who made it, by which command and how long ago.
// The journal is read in a job, and only while the tab is seen; a row is laid out when it is drawn. Make it with [newBlamePane].
type BlamePane struct {
	env     *ui.Env
	actions *ui.Actions
	store   *memstore.Store
	source  blameSource // nil: no journal
	rev     int64       // the state of the store that is shown; 0: the newest
	w, h    int
	opening ui.Opening
	doc     *document
	view    ui.TextView
	col     int // first cell shown of each line
	wrap    bool
	want    *[2]int // top and cursor to go to when the lines are there
	search  ui.Search
}

// newBlamePane makes an empty tab; with a nil source it is not available.
func newBlamePane(env *ui.Env, s *memstore.Store, source blameSource) *BlamePane {
	p := &BlamePane{env: env, store: s, source: source}
	p.actions = ui.NewActions(env, p.bindings()...)
	p.reset()
	return p
}

// reset forgets where the user was and what was searched for.
func (p *BlamePane) reset() {
	p.view = ui.TextView{Count: p.lines, Height: p.height, H: p.h}
	p.search = ui.NewSearch(p.env, ownerFind, ui.Searched{Text: p.text, Here: p.here, On: p.on, Show: p.show})
}

// Available implements [ui.Optional].
func (p *BlamePane) Available() bool { return p.source != nil }

// Title implements [ui.Tab].
func (p *BlamePane) Title() string { return "blame" }

// Path implements [ui.Tab].
func (p *BlamePane) Path() string { return p.opening.Target }

// Scopes implements [ui.Pane].
func (p *BlamePane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Blame} }

// Show implements [ui.FileTab].
func (p *BlamePane) Show(path string) tea.Cmd {
	if path == p.opening.Target {
		return nil
	}
	p.opening.Target, p.want, p.doc = path, nil, nil
	p.view.Top, p.view.Cursor, p.col = ui.Place{}, ui.Place{}, 0
	return p.read()
}

// ShowMoved implements [ui.FileTab].
func (p *BlamePane) ShowMoved(path string) tea.Cmd {
	p.opening.Target = path
	return p.read()
}

// Reload implements [ui.FileTab].
func (p *BlamePane) Reload() tea.Cmd {
	if !p.opening.Wanted() {
		return nil
	}
	return p.read()
}

// SetStore shows the same path of another state of the store from now on, when it is shown
// or reloaded next: that after revision rev, 0 for the newest.
func (p *BlamePane) SetStore(s *memstore.Store, rev int64) { p.store, p.rev = s, rev }

// Failed is called when reading ended in an error, so that the next reload begins afresh.
func (p *BlamePane) Failed() { p.opening.Fail() }

func (p *BlamePane) read() tea.Cmd {
	if p.source == nil {
		return nil
	}
	store, source, path, rev := p.store, p.source, p.opening.Begin(), p.rev
	return p.env.Jobs.Start(ownerRead, "reading who wrote each line", func(ctx context.Context, _ *ui.Progress) (any, error) {
		d, err := loadBlame(ctx, store, source, path, rev)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return d, err
	})
}

// Receive implements [ui.Pane].
func (p *BlamePane) Receive(done ui.Done) tea.Cmd {
	switch v := done.Value.(type) {
	case *document:
		return p.adopt(v)
	case ui.Found:
		p.search.Receive(v)
	}
	return nil
}

// adopt puts what was read on the screen; the cursor stays on its line.
func (p *BlamePane) adopt(d *document) tea.Cmd {
	if !p.opening.End(d.path) {
		return nil
	}
	old := p.doc
	p.doc = d
	switch {
	case p.want != nil:
		p.view.Top, p.view.Cursor = ui.Place{Line: p.want[0]}, ui.Place{Line: p.want[1]}
	case old != nil && len(old.lines) > 0:
		at := d.same(old, p.cursor())
		p.view.Top.Line += at - p.cursor()
		p.view.Cursor.Line = at
	}
	p.want = nil
	p.view.Reveal()
	cmds := []tea.Cmd{p.search.List()}
	if p.opening.Again() {
		cmds = append(cmds, p.read())
	}
	return tea.Batch(cmds...)
}

// Resize implements [ui.Pane].
func (p *BlamePane) Resize(w, h int) {
	p.w, p.h, p.view.H = w, h, h
	p.view.Reveal()
}

// cursor is the line under the cursor.
func (p *BlamePane) cursor() int { return p.view.Cursor.Line }

// lines is how many there are on the screen and beyond.
func (p *BlamePane) lines() int {
	if p.doc == nil {
		return 0
	}
	return len(p.doc.lines)
}

// Place implements [ui.Tab].
func (p *BlamePane) Place() string {
	if p.lines() == 0 {
		return ""
	}
	return strconv.Itoa(p.cursor()+1) + "/" + strconv.Itoa(p.lines())
}

// Lines implements [ui.Lined].
func (p *BlamePane) Lines() (top, cursor int, ok bool) {
	return p.view.Top.Line, p.cursor(), p.lines() > 0
}

// ShowLines implements [ui.Lined].
func (p *BlamePane) ShowLines(top, cursor int) tea.Cmd {
	if p.doc == nil || p.opening.Busy() {
		p.want = &[2]int{top, cursor}
		return nil
	}
	p.view.Top = ui.Place{Line: top}
	p.view.MoveTo(cursor)
	return nil
}

// LineReader implements [ui.Tab].
func (p *BlamePane) LineReader(limit int) func() (string, error) {
	if p.cursor() >= p.lines() {
		return nil
	}
	return ui.LineOf(p.doc.text(p.cursor()), limit)
}

// Forget drops the lines and the search, as if nothing had been shown.
func (p *BlamePane) Forget() {
	for _, owner := range blameOwners() {
		p.env.Jobs.Cancel(owner)
	}
	*p = BlamePane{env: p.env, actions: p.actions, store: p.store, source: p.source, rev: p.rev, w: p.w, h: p.h, wrap: p.wrap}
	p.reset()
}
