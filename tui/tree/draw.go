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

const textNoMatch = "No names match. {global/back} clears the filter"

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
	r, path := p.rows[i], p.rows.path(i)
	flags := p.badges.signs(path, r.node, p.shape.expanded[path], st.Glyphs)
	size := ""
	if r.node.Kind != memstore.KindDir && r.node.Kind != memstore.KindLink && p.w >= 24 {
		size = memstore.FormatSize(p.dialect, r.node.Size)
	}
	tail := text.PadLeft(size, 7)
	if p.w < 24 {
		tail = ""
	}
	nameWidth := max(0, p.w-1-text.Width(tail)-3)
	name := text.Truncate(p.label(r, path), nameWidth, st.Glyphs.Ellipsis)
	body := text.Pad(name, nameWidth) + text.Pad(flags, 2) + tail + " "
	cursor := " "
	if i == p.cursor() {
		cursor = st.Glyphs.Cursor
	}
	if mark := p.markGlyph(i, path); mark != "" {
		// Every row but the root's begins with its indentation; the root has no mark.
		body = mark + strings.TrimPrefix(body, " ")
	}
	return p.paint(i, path, focused).Apply(text.Pad(cursor+body, p.w))
}

// label is the name of a row behind its indentation, with the sign that a folder is folded or not.
func (p *Pane) label(r row, path string) string {
	g := p.env.Styles.Glyphs
	fold := g.Collapsed
	if p.filter.active() || p.shape.expanded[path] {
		fold = g.Expanded
	}
	if r.depth == 0 {
		return fold + " " + memstore.Root
	}
	indent := strings.Repeat("  ", min(int(r.depth), max(0, p.w/4)))
	name := text.Clean(r.node.Name)
	switch r.node.Kind {
	case memstore.KindDir:
		return indent + fold + " " + name + "/"
	case memstore.KindLink:
		return indent + "  " + name + " " + g.Link
	default:
		return indent + "  " + name
	}
}

func (p *Pane) paint(i int, path string, focused bool) theme.Paint {
	st := p.env.Styles
	r := p.rows[i]
	switch {
	case i == p.cursor() && focused:
		return st.Selected
	case i == p.cursor():
		return st.SelectedBlur
	case p.markGlyph(i, path) != "":
		return st.Marked
	case r.node.Problem != nil:
		return st.Warning
	case p.badges.unread[path] > 0:
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
