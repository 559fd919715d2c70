package browse

import (
	"context"
	"slices"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/flow"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// The owners of the tab's jobs.
const (
	ownerRendered = "rendered"
	ownerLink     = "rendered.link"
)

// renderedPane is the rendered tab: Markdown laid out, other texts with colors. A row of the pane is a row of the laid out text. Make it
// with [newRenderedPane].
type renderedPane struct {
	*kit.Text
	screen *Screen
	env    *kit.Env
	store  *memstore.Store
	doc    *rendered    // nil: nothing was read yet
	rows   []flow.Row   // of doc
	laid   flow.Options // what they were laid out for
}

// newRenderedPane makes an empty tab.
func newRenderedPane(s *Screen) *renderedPane {
	p := &renderedPane{screen: s, env: s.Env, store: s.Store}
	p.Text = kit.NewText(s.Env, kit.TextSpec{
		Title: "rendered", Scope: keymap.Rendered, Owner: ownerRendered, Label: kit.LabelOpen, Read: p.read, Shown: p.shown,
		More: []kit.Action{{ID: keymap.OpenLink, Keys: "enter", Help: "open the file that the link leads to", Hint: "link",
			Run: p.openLink}},
	})
	return p
}

// SetStore implements [stateTab].
func (p *renderedPane) SetStore(s *memstore.Store, _ int64) { p.store = s }

func (p *renderedPane) read(path string) func(context.Context) (*kit.Doc, error) {
	store := p.store
	return func(ctx context.Context) (*kit.Doc, error) {
		d := loadRendered(store, path)
		return &kit.Doc{Note: d.note, Of: d}, ctx.Err()
	}
}

// shown lays a file out that was just read.
func (p *renderedPane) shown(doc *kit.Doc, _ bool) {
	if d, ok := doc.Of.(*rendered); ok { // else it is laid out already
		p.doc, p.rows, p.laid = d, nil, flow.Options{}
		p.lay()
	}
}

// lay makes the rows for the width and the terminal at hand.
func (p *renderedPane) lay() {
	o := flow.Options{Width: max(1, p.Width()-2), Text: p.env.Text(0)}
	if m := p.env.Mask; m != nil {
		o.Mask, o.Masks = m, m.Version()
	}
	if p.doc == nil || p.doc.body == nil || o == p.laid {
		return
	}
	p.rows = nil
	for _, line := range p.doc.body(o) {
		p.rows = flow.Rows(p.rows, []flow.Line{line.Masked(o)}, o)
	}
	p.laid = o
	shown := make([]kit.Line, len(p.rows))
	for i := range p.rows {
		shown[i] = lineOf(&p.rows[i])
	}
	p.Set(p.Text.Path(), kit.Lines(shown))
}

// lineOf is a row as a line of a text.
func lineOf(r *flow.Row) kit.Line {
	var l kit.Line
	for _, s := range r.Spans {
		from := len(l.Text)
		l.Text = append(l.Text, s.Text...)
		l.Spans = append(l.Spans, kit.Span{Start: from, End: len(l.Text), Look: func(st *theme.Styles, base theme.Paint) theme.Paint {
			return spanPaint(s, st, base)
		}})
	}
	return l
}

// Resize implements [kit.Pane].
func (p *renderedPane) Resize(w, h int) {
	p.Text.Resize(w, h)
	p.lay()
}

// Scopes implements [kit.Pane]: what is laid out for the width is neither wrapped nor scrolled sideways.
func (p *renderedPane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Rendered} }

// Rows implements [kit.Pane]. What is hidden may have changed since the text was laid out.
func (p *renderedPane) Rows(focused bool) []string {
	p.lay()
	return p.Text.Rows(focused)
}

// Forget drops the document and the search, as if nothing had been shown.
func (p *renderedPane) Forget() {
	p.env.Jobs.Cancel(ownerLink)
	p.doc, p.rows = nil, nil
	p.Text.Forget()
}

// links are the targets of the links on the cursor's row.
func (p *renderedPane) links() (targets []string) {
	_, cursor, ok := p.Text.Lines()
	if !ok || cursor >= len(p.rows) {
		return nil
	}
	r := &p.rows[cursor]
	for _, s := range r.Spans {
		if s.Link > 0 && s.Link <= len(r.Links) && !slices.Contains(targets, r.Links[s.Link-1]) {
			targets = append(targets, r.Links[s.Link-1])
		}
	}
	return targets
}

// spanPaint is the look of a span in a row.
func spanPaint(s flow.Span, st *theme.Styles, base theme.Paint) theme.Paint {
	paint := base
	switch s.Role {
	case flow.Dim, flow.Comment:
		paint = base.With(st.Dim)
	case flow.Heading:
		paint = base.With(st.Heading)
	case flow.Marker:
		paint = base.With(st.Marker)
	case flow.Code:
		paint = base.With(st.Code)
	case flow.Link:
		paint = base.With(st.Link)
	case flow.Target:
		paint = base.With(st.Target)
	case flow.HTML:
		paint = base.With(st.Markup)
	case flow.Rule:
		paint = base.With(st.Border)
	case flow.Control:
		paint = base.With(st.Control)
	case flow.Invalid:
		paint = base.With(st.Invalid)
	case flow.Keyword:
		paint = base.With(st.Keyword)
	case flow.Name:
		paint = base.With(st.Key)
	case flow.String:
		paint = base.With(st.Quoted)
	case flow.Number:
		paint = base.With(st.Literal)
	}
	for _, a := range []struct {
		attr flow.Attr
		adds theme.Paint
	}{{flow.Bold, st.Strong}, {flow.Italic, st.Emphasis}, {flow.Strike, st.Struck}} {
		if s.Attr&a.attr != 0 {
			paint = paint.With(a.adds)
		}
	}
	return paint
}
