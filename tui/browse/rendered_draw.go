package browse

import (
	"strconv"
	"strings"

	"memcurator/render/flow"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Rows implements [ui.Pane].
func (p *RenderedPane) Rows(focused bool) []string {
	out := make([]string, 0, p.h)
	switch {
	case p.doc == nil:
		out = ui.Notice(p.env, ui.TextOpening, p.w)
	case p.doc.body == nil:
		out = ui.Notice(p.env, p.doc.note, p.w)
	default:
		bar := p.scrollbar()
		for at, n := p.view.Top, 1; len(out) < p.h && n > 0; {
			row, ok := p.row(at)
			if !ok {
				break
			}
			out = append(out, p.draw(at, row, focused && at == p.view.Cursor)+bar(len(out)))
			at, n = p.view.Below(at, 1)
		}
	}
	return ui.FillRows(out, p.w, p.h)
}

// draw paints one row: gutter and content.
func (p *RenderedPane) draw(at ui.Place, row flow.Row, cursor bool) string {
	st := p.env.Styles
	base := st.Text
	if cursor {
		base = st.Selected
	}
	marks, current := p.marks(at, row)
	var b strings.Builder
	switch {
	case cursor:
		b.WriteString(st.Accent.Apply(st.Glyphs.Cursor))
	case len(marks) > 0:
		b.WriteString(st.Match.Apply(">"))
	default:
		b.WriteString(" ")
	}
	offset, content := row.Start, p.masked(at, row)
	for i, s := range row.Spans {
		paint := p.paint(s, base)
		if i < row.Lead || content == nil {
			b.WriteString(paint.Apply(p.env.MaskedText(s.Text)))
			continue
		}
		p.marked(&b, string(content[offset:offset+len(s.Text)]), offset, paint, marks, current)
		offset += len(s.Text)
	}
	if room := p.contentWidth() - row.Width; room > 0 {
		b.WriteString(base.Apply(strings.Repeat(" ", room)))
	}
	return b.String()
}

// masked is the text of the line of a row with its secrets hidden; nil where the row is of the header.
func (p *RenderedPane) masked(at ui.Place, row flow.Row) []byte {
	lines := p.block(at.Line).lines
	if row.Line < 0 || row.Line >= len(lines) {
		return nil
	}
	content, _ := p.env.Masked([]byte(lines[row.Line].Content()))
	return content
}

// marked paints a span that begins at a byte of the line, with the matches in it.
func (p *RenderedPane) marked(b *strings.Builder, s string, offset int, paint theme.Paint, marks [][2]int, current int) {
	at, o := 0, p.env.Text(0)
	for i, m := range marks {
		from, to := max(at, m[0]-offset), min(len(s), m[1]-offset)
		if from >= to {
			continue
		}
		hit := p.env.Styles.Match
		if i == current {
			hit = p.env.Styles.MatchCurrent
		}
		b.WriteString(paint.Apply(text.Dots(s[at:from], o)))
		b.WriteString(hit.Apply(text.Dots(s[from:to], o)))
		at = to
	}
	b.WriteString(paint.Apply(text.Dots(s[at:], o)))
}

// paint is the look of a span in a row.
func (p *RenderedPane) paint(s flow.Span, base theme.Paint) theme.Paint {
	st := p.env.Styles
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
	case flow.Inserted:
		paint = base.With(st.Added)
	case flow.Deleted:
		paint = base.With(st.Removed)
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

// scrollbar returns the cell of the right margin for each screen row. The heights of what was
// not laid out yet are estimated.
func (p *RenderedPane) scrollbar() func(i int) string {
	above, total := p.total(p.view.Top)
	if _, n := p.view.Below(ui.Place{}, p.h); n < p.h {
		return ui.NoScrollbar
	}
	size := max(1, min(p.h, p.h*p.h/total))
	at := (p.h - size) * min(above, total) / total
	if end, n := p.view.Below(p.view.Top, p.h); n < p.h || end == p.view.Last() {
		at = p.h - size
	}
	return ui.Scrollbar(p.env.Styles, at, size)
}

// Place implements [ui.Tab]: lines of the file, as in the view.
func (p *RenderedPane) Place() string {
	at, ok := p.position()
	if !ok {
		return ""
	}
	return strconv.Itoa(at.cursor+1) + "/" + strconv.Itoa(p.doc.lines)
}
