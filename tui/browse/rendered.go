package browse

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/flow"
	"memcurator/tui/ui"
)

// The owners of the tab's jobs.
const (
	ownerOpen         = "rendered.open"
	ownerLearn        = "rendered.learn"
	renderedOwnerFind = "rendered.find"
	ownerLink         = "rendered.link"
)

// renderedOwners lists them.
func renderedOwners() []string { return []string{ownerOpen, ownerLearn, renderedOwnerFind, ownerLink} }

// lines are the lines of the file at the top of the screen and under the cursor.
type lines struct{ top, cursor int }

// RenderedPane is the rendered tab. Make it with [newRenderedPane].
type RenderedPane struct {
	env     *ui.Env
	actions *ui.Actions
	store   *memstore.Store
	w, h    int
	opening ui.Opening
	doc     *renderedDocument
	layout  layout
	view    ui.TextView // its lines are the blocks
	want    *lines      // where to go when the document is there
	told    lines       // what another tab asked for,
	toldTop ui.Place    // and where that led to
	toldCur ui.Place
	search  ui.Search
	wide    int // that the matches were looked for at
}

// newRenderedPane makes an empty tab.
func newRenderedPane(env *ui.Env, s *memstore.Store) *RenderedPane {
	p := &RenderedPane{env: env, store: s}
	p.actions = ui.NewActions(env, p.bindings()...)
	p.reset()
	return p
}

// reset forgets where the user was and what was searched for.
func (p *RenderedPane) reset() {
	p.view = ui.TextView{
		Count: p.blocks, Height: func(block int) int { return len(p.block(block).rows) },
		ByRow: true, Centre: true, H: p.h,
	}
	p.told = lines{-1, -1}
	p.search = ui.NewSearch(p.env, renderedOwnerFind, ui.Searched{Text: p.text, Here: p.here, On: p.on, Show: p.show})
}

// blocks is how many there are.
func (p *RenderedPane) blocks() int {
	if p.doc == nil || p.doc.body == nil {
		return 0
	}
	return p.doc.body.Blocks()
}

// Title implements [ui.Tab].
func (p *RenderedPane) Title() string { return "rendered" }

// SetStore reads from another store from the next [Pane.Show] or [Pane.Reload] on.
func (p *RenderedPane) SetStore(s *memstore.Store) { p.store = s }

// Path implements [ui.Tab].
func (p *RenderedPane) Path() string { return p.opening.Target }

// Scopes implements [ui.Pane].
func (p *RenderedPane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Rendered} }

// Show implements [ui.FileTab].
func (p *RenderedPane) Show(path string) tea.Cmd {
	if path == p.opening.Target {
		return nil
	}
	p.opening.Target, p.want = path, nil
	return p.open()
}

// ShowMoved implements [ui.FileTab].
func (p *RenderedPane) ShowMoved(path string) tea.Cmd {
	at, ok := p.position()
	p.opening.Target = path
	if ok {
		p.want = &at
	}
	return p.open()
}

// Reload implements [ui.FileTab]. While a file is being opened it is opened again
// afterwards: one that changes faster than it is read would never be shown otherwise.
func (p *RenderedPane) Reload() tea.Cmd {
	if !p.opening.Wanted() {
		return nil
	}
	return p.open()
}

// OpenFailed is called when opening ended in an error, so that the next reload begins afresh.
func (p *RenderedPane) OpenFailed() { p.opening.Fail() }

func (p *RenderedPane) open() tea.Cmd {
	store, path := p.store, p.opening.Begin()
	return p.env.Jobs.Start(ownerOpen, ui.LabelOpen, func(ctx context.Context, progress *ui.Progress) (any, error) {
		d := loadRendered(ctx, store, path, progress)
		return d, ctx.Err()
	})
}

// Receive implements [ui.Pane].
func (p *RenderedPane) Receive(done ui.Done) tea.Cmd {
	switch v := done.Value.(type) {
	case *renderedDocument:
		return p.adopt(v)
	case learned:
		if v.of == p.doc && v.changed {
			p.layout.forget()
		}
	case ui.Found:
		p.search.Receive(v)
	case followed:
		p.follow(v)
	}
	return nil
}

// learned says that drawn blocks may have new colors.
type learned struct {
	of      *renderedDocument
	changed bool
}

// adopt puts a freshly loaded document on the screen.
func (p *RenderedPane) adopt(d *renderedDocument) tea.Cmd {
	if !p.opening.End(d.path) {
		return nil
	}
	at, same := p.position()
	same = same && p.doc.path == d.path
	p.doc = d
	p.layout.forget()
	p.view.Top, p.view.Cursor = ui.Place{}, ui.Place{}
	p.told = lines{-1, -1}
	switch {
	case p.want != nil:
		p.goTo(*p.want)
	case same:
		p.goTo(at)
	}
	p.want = nil
	cmds := []tea.Cmd{p.learn(), p.search.List()}
	if p.opening.Again() {
		cmds = append(cmds, p.open())
	}
	return tea.Batch(cmds...)
}

// learn finds out in the background what the parts of a large file begin in.
func (p *RenderedPane) learn() tea.Cmd {
	d := p.doc
	p.env.Jobs.Cancel(ownerLearn)
	if d.body == nil || d.learn == nil || d.body.Blocks() < 2 {
		return nil
	}
	return p.env.Jobs.Start(ownerLearn, ui.LabelOpen, func(ctx context.Context, progress *ui.Progress) (any, error) {
		changed, err := d.learn(ctx, func(done, total int) { progress.Set(int64(done), int64(total)) })
		return learned{d, changed}, err
	})
}

// Resize implements [ui.Pane].
func (p *RenderedPane) Resize(w, h int) {
	if w == p.w && h == p.h {
		return
	}
	at, ok := p.position()
	wide := w != p.w
	p.w, p.h, p.view.H = w, h, h
	if !ok {
		return
	}
	if wide {
		p.layout.forget()
		p.told = lines{-1, -1}
		p.goTo(at)
	}
	p.view.Reveal()
}

// Settle implements [ui.Settler]: matches are counted again for another width, because
// lines and tables break elsewhere.
func (p *RenderedPane) Settle() tea.Cmd {
	if p.search.Query() == "" || p.wide == p.contentWidth() {
		return nil
	}
	return p.search.List()
}

func (p *RenderedPane) options() flow.Options {
	o := flow.Options{Width: p.contentWidth(), Text: p.env.Text(0)}
	if m := p.env.Mask; m != nil {
		o.Mask, o.Masks = m, m.Version()
	}
	return o
}

// contentWidth is the width beside the gutter and the scroll bar.
func (p *RenderedPane) contentWidth() int { return max(1, p.w-2) }

// Lines implements [ui.Lined].
func (p *RenderedPane) Lines() (top, cursor int, ok bool) {
	at, ok := p.position()
	return at.top, at.cursor, ok
}

// ShowLines implements [ui.Lined].
func (p *RenderedPane) ShowLines(top, cursor int) tea.Cmd {
	to := lines{top, cursor}
	if p.doc == nil || p.doc.path != p.opening.Target || p.opening.Busy() {
		p.want = &to
		return nil
	}
	if at, ok := p.position(); ok && at != to {
		p.goTo(to)
	}
	return nil
}

// position returns the lines of the file that are on the screen: those that were asked for,
// as long as the user has not moved since.
func (p *RenderedPane) position() (lines, bool) {
	if p.doc == nil || p.doc.body == nil {
		return lines{}, false
	}
	if p.told.top >= 0 && p.view.Top == p.toldTop && p.view.Cursor == p.toldCur {
		return p.told, true
	}
	return lines{p.sourceOf(p.view.Top), p.sourceOf(p.view.Cursor)}, true
}

// goTo shows lines of the file.
func (p *RenderedPane) goTo(to lines) {
	if p.doc.body == nil {
		return
	}
	p.view.Top, p.view.Cursor = p.rowOf(to.top), p.rowOf(max(to.top, to.cursor))
	p.view.Reveal()
	p.told, p.toldTop, p.toldCur = to, p.view.Top, p.view.Cursor
}

// LineReader implements [ui.Tab]: the line of the file that the cursor's row comes from.
func (p *RenderedPane) LineReader(limit int) func() (string, error) {
	if p.doc == nil || p.doc.body == nil {
		return nil
	}
	doc, number := p.doc, p.sourceOf(p.view.Cursor)
	return func() (string, error) {
		line := doc.line(number)
		if len(line) > limit {
			return "", errors.New(ui.TextLineTooLong)
		}
		return string(line), nil
	}
}

// Forget drops the document and the search, as if nothing had been shown.
func (p *RenderedPane) Forget() {
	for _, owner := range renderedOwners() {
		p.env.Jobs.Cancel(owner)
	}
	*p = RenderedPane{env: p.env, actions: p.actions, store: p.store, w: p.w, h: p.h}
	p.reset()
}
