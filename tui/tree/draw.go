package tree

import (
	"strings"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// listedDepth is how far below a directory the agent's listing looks (the
// documentation's view); deeper rows are dimmed because that listing does not name them.
const listedDepth = 2

const textNoMatch = "no name matches; {global/back} clears the filter"

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	out := make([]string, 0, p.h)
	if len(p.rows) == 0 {
		out = append(out, p.env.Styles.Dim.Apply(text.Pad(" "+"reading the directory...", p.w)))
	}
	for i := p.list.Top(); i < len(p.rows) && len(out) < p.h; i++ {
		out = append(out, p.drawRow(i, focused))
	}
	if p.filter.active() && len(p.rows) == 1 && len(out) < p.h {
		out = append(out, p.env.Styles.Dim.Apply(text.Pad(" "+p.env.Keyed(textNoMatch), p.w)))
	}
	return ui.FillRows(out, p.w, p.h)
}

func (p *Pane) drawRow(i int, focused bool) string {
	st := p.env.Styles
	r := p.rows[i]
	flags := p.flags(i)
	size := ""
	if r.node.Kind != memstore.KindDir && r.node.Kind != memstore.KindLink && p.w >= 24 {
		size = memstore.FormatSize(p.dialect, r.node.Size)
	}
	tail := padLeft(size, 7)
	if p.w < 24 {
		tail = ""
	}
	nameWidth := max(0, p.w-1-text.Width(tail)-3)
	name := text.Truncate(p.label(r), nameWidth, st.Glyphs.Ellipsis)
	body := text.Pad(name, nameWidth) + text.Pad(flags, 2) + tail + " "
	cursor := " "
	if i == p.cursor() {
		cursor = st.Glyphs.Cursor
	}
	if mark := p.markGlyph(i); mark != "" {
		// Every row but the root's begins with its indentation; the root has no mark.
		body = mark + strings.TrimPrefix(body, " ")
	}
	line := text.Pad(cursor+body, p.w)
	return p.paint(i, focused).Apply(line)
}

func (p *Pane) label(r row) string {
	st := p.env.Styles
	indent := strings.Repeat("  ", min(int(r.depth), max(0, p.w/4)))
	if r.depth == 0 {
		return p.fold(r, memstore.Root) + " " + memstore.Root
	}
	name := text.Clean(r.node.Name)
	switch r.node.Kind {
	case memstore.KindDir:
		return indent + p.fold(r, "") + " " + name + "/"
	case memstore.KindLink:
		return indent + "  " + name + " " + st.Glyphs.Link
	default:
		return indent + "  " + name
	}
}

func (p *Pane) fold(r row, path string) string {
	if path == "" {
		path = p.pathOf(r)
	}
	if p.filter.active() || p.shape.expanded[path] {
		return p.env.Styles.Glyphs.Expanded
	}
	return p.env.Styles.Glyphs.Collapsed
}

// pathOf builds the agent path of a row that is about to be drawn.
func (p *Pane) pathOf(r row) string {
	return p.rows.path(int(r.parent)) + "/" + r.node.Name
}

// flags are what is to be known of a row, in two signs at most: what it is or that it has changed, and that sensitive
// values were found in it; a folded folder is marked for what is in it.
func (p *Pane) flags(i int) string {
	path := p.rows.path(i)
	if p.findings[path] > 0 || p.found[path] && !p.shape.expanded[path] {
		return p.flag(i) + p.env.Styles.Glyphs.Sensitive
	}
	return p.flag(i)
}

func (p *Pane) flag(i int) string {
	r := p.rows[i]
	g := p.env.Styles.Glyphs
	path := p.rows.path(i)
	switch {
	case r.node.Problem != nil:
		return g.Denied
	case p.unread[path] > 0, r.node.Kind == memstore.KindDir && p.inside[path] && !p.shape.expanded[path]:
		return g.Unread
	case p.due[path]:
		return g.Due
	case r.node.Hidden:
		return g.HiddenMark
	default:
		return ""
	}
}

func (p *Pane) paint(i int, focused bool) theme.Paint {
	st := p.env.Styles
	r := p.rows[i]
	switch {
	case i == p.cursor() && focused:
		return st.Selected
	case i == p.cursor():
		return st.SelectedBlur
	case p.markGlyph(i) != "":
		return st.Marked
	case r.node.Problem != nil:
		return st.Warning
	case p.unread[p.rows.path(i)] > 0:
		return st.Unread
	case r.node.Hidden || int(r.depth) > listedDepth:
		return st.Hidden
	case r.node.Kind == memstore.KindDir:
		return st.Directory
	case r.node.Kind == memstore.KindLink:
		return st.Link
	default:
		return st.Text
	}
}

func padLeft(s string, w int) string {
	if n := w - len(s); n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}
