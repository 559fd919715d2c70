// Package loaded is the load tab: the exact text that an agent loads of the store when a session starts, with the size and the tokens of
// each file and where its limit cuts it. The Stores screen shows the same page for the store under its cursor. Files are read in jobs.
package loaded

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/backend"
	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Options hold what a page depends on.
type Options struct {
	// Owner begins the names of its jobs, where a screen has a page of its own.
	Owner string
	// Open opens a file at a line, from 1; nil: enter does nothing.
	Open func(agentPath string, line int) tea.Cmd
}

// Owners lists the owners of the jobs of a page.
func Owners(owner string) []string { return []string{owner + ".read", owner + ".find"} }

// Reader reads what a session starts with. It is called in a job.
type Reader func(ctx context.Context) (*load.Start, error)

// Pane is the page. Make it with [New].
type Pane struct {
	env     *ui.Env
	options Options
	actions *ui.Actions
	w, h    int
	of      string // which store is shown
	start   *load.Start
	rows    []row
	view    ui.TextView
	search  ui.Search
}

// New makes an empty page.
func New(env *ui.Env, o Options) *Pane {
	p := &Pane{env: env, options: o}
	p.actions = ui.NewActions(env, p.bindings()...)
	p.reset()
	return p
}

func (p *Pane) reset() {
	p.view = ui.TextView{Count: func() int { return len(p.rows) }, Height: p.height, H: p.h}
	p.search = ui.NewSearch(p.env, Owners(p.options.Owner)[1], ui.Searched{Text: p.text, Here: p.here, On: p.on, Show: p.show})
}

// Show reads what a session with a store starts with. Of the store that is shown already, the place stays.
func (p *Pane) Show(of string, read Reader) tea.Cmd {
	return ui.Start(p.env.Jobs, ui.Job[*load.Start]{
		Owner: Owners(p.options.Owner)[0], Label: "reading what a session starts with",
		Work: func(ctx context.Context, _ *ui.Progress) (*load.Start, error) { return read(ctx) },
		Done: func(s *load.Start) tea.Cmd { return p.Set(of, s) },
	})
}

// Set shows what was read.
func (p *Pane) Set(of string, s *load.Start) tea.Cmd {
	if of != p.of {
		p.view.Top, p.view.Cursor = ui.Place{}, ui.Place{}
	}
	p.of, p.start = of, s
	p.rows = layout(s)
	p.view.Reveal()
	return p.search.List()
}

// Start is the last one read; nil: none.
func (p *Pane) Start() *load.Start { return p.start }

// Forget drops what was read.
func (p *Pane) Forget() {
	for _, owner := range Owners(p.options.Owner) {
		p.env.Jobs.Cancel(owner)
	}
	p.of, p.start, p.rows = "", nil, nil
	p.reset()
}

// Available implements [ui.Optional]: an agent that reads on demand loads nothing.
func (p *Pane) Available() bool { return p.start != nil && !p.start.Rule.OnDemand() }

// Title implements [ui.Tab].
func (p *Pane) Title() string { return "load" }

// Path implements [ui.Tab]: the file that the row under the cursor is of.
func (p *Pane) Path() string {
	if r := p.current(); r != nil && r.file >= 0 {
		return backend.AgentPath(p.start.Files[r.file].Name)
	}
	return ""
}

// Place implements [ui.Tab].
func (p *Pane) Place() string {
	if len(p.rows) == 0 {
		return ""
	}
	return strconv.Itoa(p.view.Cursor.Line+1) + "/" + strconv.Itoa(len(p.rows))
}

// LineReader implements [ui.Tab].
func (p *Pane) LineReader(limit int) func() (string, error) {
	if r := p.current(); r != nil {
		return ui.LineOf(r.text, limit)
	}
	return nil
}

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Load} }

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	return append(append(p.view.Bindings(), p.search.Bindings()...),
		ui.Action{ID: keymap.Open, Run: p.open},
		ui.On(keymap.HunkNext, func() { p.stepFile(1) }),
		ui.On(keymap.HunkPrev, func() { p.stepFile(-1) }),
	)
}

// open opens the file at the line under the cursor.
func (p *Pane) open() tea.Cmd {
	r := p.current()
	if r == nil || r.file < 0 || p.options.Open == nil {
		p.env.Emit(ui.Say{Level: ui.Info, Text: "No file on this row"})
		return nil
	}
	return p.options.Open(p.Path(), r.line)
}

// stepFile goes to the beginning of the next or the previous file.
func (p *Pane) stepFile(by int) {
	for at := p.view.Cursor.Line + by; at >= 0 && at < len(p.rows); at += by {
		if p.rows[at].kind == title {
			p.view.MoveTo(at)
			return
		}
	}
	p.env.Emit(ui.Say{Level: ui.Info, Text: "No more files in this direction"})
}

// Receive implements [ui.Pane].
func (p *Pane) Receive(done ui.Done) tea.Cmd {
	if v, ok := done.Value.(ui.Found); ok {
		p.search.Receive(v)
	}
	return nil
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) {
	p.w, p.h, p.view.H = w, h, h
	p.view.Reveal()
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	return ui.Point{Y: p.view.CursorRow()}, len(p.rows) > 0
}

// Click implements [ui.Clickable].
func (p *Pane) Click(y int) bool {
	_, again := p.view.Click(y)
	return again
}

// current is the row under the cursor, nil if there is none.
func (p *Pane) current() *row {
	if at := p.view.Cursor.Line; at < len(p.rows) {
		return &p.rows[at]
	}
	return nil
}

// Search implements [ui.searchable].
func (p *Pane) Search() ui.Searcher { return &p.search }

func (p *Pane) text() (of any, scan ui.Scan) {
	if len(p.rows) == 0 {
		return nil, nil
	}
	rows := p.rows
	return p.start, func(add func(int, int, []byte) bool, at func(int, int)) {
		for i := range rows {
			if !add(i, 0, rows[i].text) {
				break
			}
			at(i, len(rows))
		}
	}
}

func (p *Pane) here() ui.Match     { return ui.Match{Line: p.view.Cursor.Line} }
func (p *Pane) on(m ui.Match) bool { return m.Line == p.view.Cursor.Line }
func (p *Pane) show(m ui.Match)    { p.view.MoveTo(m.Line) }

// height is how many rows of the screen a row takes.
func (p *Pane) height(at int) int { return len(p.parts(&p.rows[at])) }

// parts are those rows.
func (p *Pane) parts(r *row) (out []text.Row) {
	b := r.text[:min(len(r.text), wrapUpTo)]
	width := p.w - p.indent(r)
	if r.kind == gauge && p.w >= barFrom && p.start.Gauge().Level() != loadlimit.Unlimited {
		width -= loadlimit.BarCells + 2
	}
	if out = text.Wrap(nil, b, max(1, width), p.env.Text(0)); len(out) == 0 {
		return []text.Row{{}}
	}
	return out
}
