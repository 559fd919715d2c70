package hexdump

import (
	"fmt"
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// offsetDigits is how many digits the offsets of the file take; even, at least 8 where
// there is room.
func (p *Pane) offsetDigits() int {
	digits := 4
	if p.w >= 60 {
		digits = 8
	}
	if p.doc != nil {
		for size := p.doc.size >> (4 * digits); size > 0; size >>= 8 {
			digits += 2
		}
	}
	return digits
}

// groupOf is how many bytes form a group.
const groupOf = 4

// perRow is how many bytes a row shows: as many as fit of 16, 8 or 4.
func (p *Pane) perRow() int {
	for _, n := range []int{16, 8} {
		if width(n, p.offsetDigits()) <= p.w-1 {
			return n
		}
	}
	return 4
}

// width is the cells of a row: gutter, offset, bytes in groups, characters.
func width(n, digits int) int { return 1 + digits + 2 + hexWidth(n) + 2 + n }

// hexWidth is the cells of n bytes: two digits and a space each, one more between groups.
func hexWidth(n int) int { return 3*n - 1 + (n-1)/groupOf }

// hexColumn is the cell of a byte within the bytes of its row.
func hexColumn(i int) int { return 3*i + i/groupOf }

// byteColumn is the cell of a byte in the pane.
func (p *Pane) byteColumn(i int) int { return 1 + p.offsetDigits() + 2 + hexColumn(i) }

// glyph is the character of a byte, one cell wide.
func glyph(b byte, ascii bool) string {
	switch {
	case b >= 0x20 && b < 0x7f:
		return string(rune(b))
	case ascii:
		return "."
	default:
		return "·"
	}
}

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	note := ui.TextOpening
	if p.doc != nil {
		note = p.doc.note
	}
	if note != "" {
		return ui.FillRows(ui.Notice(p.env, note, p.w), p.w, p.h)
	}
	out, bar := make([]string, 0, p.h), p.scrollbar()
	hidden := p.secrets()
	for at := p.top; len(out) < p.h && at < p.doc.size; at += int64(p.perRow()) {
		out = append(out, p.row(at, focused, hidden)+bar(len(out)))
	}
	return ui.FillRows(out, p.w, p.h)
}

// bytes returns those of a row that were read.
func (p *Pane) bytes(at int64) []byte {
	g := p.page
	from := at - g.offset
	if g.of != p.doc || from < 0 || from >= int64(len(g.data)) {
		return nil
	}
	return g.data[from:min(from+int64(p.perRow()), int64(len(g.data)))]
}

// besideScreen is how much of the bytes above and below the screen is searched for secrets that are in sight in part.
const besideScreen = 4 << 10

// secrets returns what reports whether a byte on the screen is part of a secret.
func (p *Pane) secrets() func(at int64) bool {
	g := p.page
	first := max(g.offset, p.top-besideScreen)
	last := min(g.offset+int64(len(g.data)), p.top+int64(p.h*p.perRow())+besideScreen)
	if g.of != p.doc || first >= last {
		return func(int64) bool { return false }
	}
	data := g.data[first-g.offset : last-g.offset]
	masked, any := p.env.Masked(data)
	return func(at int64) bool {
		i := at - first
		return any && i >= 0 && i < int64(len(data)) && text.IsHidden(masked[i]) && masked[i] != data[i]
	}
}

// cells collects the painted parts of a row and cuts them at its width.
type cells struct {
	b    strings.Builder
	room int
}

func (c *cells) add(s string, paint theme.Paint) {
	s = text.Truncate(s, c.room, "")
	c.room -= text.Width(s)
	c.b.WriteString(paint.Apply(s))
}

// row paints the row that begins at an offset, without the cell of the scroll bar.
func (p *Pane) row(at int64, focused bool, hidden func(at int64) bool) string {
	st := p.env.Styles
	n := p.perRow()
	data := p.bytes(at)
	onRow := p.cursor >= at && p.cursor < at+int64(n)
	base := st.Text
	if onRow && focused {
		base = st.Selected
	}
	c := cells{room: max(0, p.w-1)}
	if onRow && focused {
		c.add(st.Glyphs.Cursor, st.Accent)
	} else {
		c.add(" ", st.Text)
	}
	c.add(fmt.Sprintf("%0*x", p.offsetDigits(), at), base.With(st.Number))
	c.add("  ", base)
	for i := range n {
		if i > 0 {
			c.add(strings.Repeat(" ", hexColumn(i)-hexColumn(i-1)-2), base)
		}
		if i < len(data) {
			shown := fmt.Sprintf("%02x", data[i])
			if hidden(at + int64(i)) {
				shown = strings.Repeat(p.env.Text(0).Dot(), 2)
			}
			c.add(shown, p.bytePaint(at+int64(i), data[i], base))
		} else {
			c.add("  ", base)
		}
	}
	c.add("  ", base)
	for i, b := range data {
		shown := glyph(b, p.env.ASCII)
		if hidden(at + int64(i)) {
			shown = p.env.Text(0).Dot()
		}
		c.add(shown, p.bytePaint(at+int64(i), b, base))
	}
	c.add(strings.Repeat(" ", c.room), base)
	return c.b.String()
}

// bytePaint distinguishes matches, the byte under the cursor, and bytes that are not plain characters.
func (p *Pane) bytePaint(at int64, b byte, base theme.Paint) theme.Paint {
	st := p.env.Styles
	switch s := &p.search; {
	case s.has && at >= s.start && at < s.end:
		return st.MatchCurrent
	case at == p.cursor:
		return base.With(st.Curator).With(st.Strong)
	case b == 0:
		return base.With(st.Dim)
	case b < 0x20 || b == 0x7f:
		return base.With(st.Warning)
	case b >= 0x80:
		return base.With(st.Code)
	default:
		return base
	}
}

// plainRow is a row without paint, for the clipboard.
func plainRow(at int64, data []byte, n, digits int, o text.Options, hidden func(at int64) bool) string {
	var hex, chars strings.Builder
	for i, b := range data {
		if i > 0 {
			hex.WriteString(strings.Repeat(" ", hexColumn(i)-hexColumn(i-1)-2))
		}
		if hidden(at + int64(i)) {
			hex.WriteString(strings.Repeat(o.Dot(), 2))
			chars.WriteString(o.Dot())
			continue
		}
		fmt.Fprintf(&hex, "%02x", b)
		chars.WriteString(glyph(b, o.ASCII))
	}
	return fmt.Sprintf("%0*x  %s  %s", digits, at, text.Pad(hex.String(), hexWidth(n)), chars.String())
}

// scrollbar returns the cell of the right margin for each screen row.
func (p *Pane) scrollbar() func(i int) string {
	n := int64(p.perRow())
	rows, h := (p.doc.size+n-1)/n, int64(p.h)
	if rows <= h {
		return ui.NoScrollbar
	}
	size := max(1, h*h/rows)
	return ui.Scrollbar(p.env.Styles, int(float64(h-size)*float64(p.top/n)/float64(rows-h)), int(size))
}

// Place implements [ui.Tab]: the byte under the cursor and the size.
func (p *Pane) Place() string {
	if p.doc == nil || p.doc.file == nil {
		return ""
	}
	return fmt.Sprintf("0x%x/0x%x", p.cursor, p.doc.size)
}
