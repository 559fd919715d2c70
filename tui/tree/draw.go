package tree

import (
	"strings"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// listedDepth is how far below a directory the agent's listing looks (the
// documentation's view); deeper rows are dimmed because that listing does not name them.
const listedDepth = 2

const textNoMatch = "No names match. {global/back} clears the filter"

// sizesFrom is the width from which on the rows have sizes.
const sizesFrom = 24

// Rows implements [kit.Pane].
func (p *Pane) Rows(focused bool) []string {
	out := make([]string, 0, p.h)
	if len(p.view.rows) == 0 {
		out = append(out, p.env.Styles.Dim.Apply(text.Pad(" "+"reading the directory...", p.w)))
	}
	d := &painter{
		env: p.env, rows: p.view.rows, w: p.w, cursor: p.view.cursor(), focused: focused, dialect: p.dialect, badges: &p.Badges,
		selection: &p.Selection, unfolded: p.shape.expanded, filtered: p.filtering(),
	}
	for i := p.view.list.Top(); i < len(p.view.rows) && len(out) < p.h; i++ {
		out = append(out, d.row(i))
	}
	if p.filtering() && len(p.view.rows) == 1 && len(out) < p.h {
		out = append(out, p.env.Styles.Dim.Apply(text.Pad(" "+p.env.Keyed(textNoMatch), p.w)))
	}
	return kit.FillRows(out, p.w, p.h)
}

// painter draws the rows of the tree.
type painter struct {
	env       *kit.Env
	rows      rows
	w, cursor int
	focused   bool
	dialect   memstore.Dialect
	badges    *Badges
	selection *Selection
	unfolded  map[string]bool
	filtered  bool
}

func (d *painter) row(i int) string {
	st := d.env.Styles
	r, path := d.rows[i], d.rows.path(i)
	state, secret := d.badges.signs(path, r.node, d.unfolded[path], st)
	size := ""
	if r.node.Kind != memstore.KindDir && r.node.Kind != memstore.KindLink && d.w >= sizesFrom {
		size = memstore.FormatSize(d.dialect, r.node.Size)
		if at, ok := d.badges.expiring[path]; ok {
			size, _ = kit.Left(at.Sub(d.env.Now()))
		}
	}
	signs, size := d.end(state.text+secret.text, size)
	nameWidth := max(0, d.w-2-text.Width(signs+size))
	name := text.Pad(text.Truncate(d.label(r, path), nameWidth, st.Glyphs.Ellipsis), nameWidth)
	cursor := " "
	if i == d.cursor {
		cursor = st.Glyphs.Cursor
	}
	mark := d.selection.glyph(i, st.Glyphs)
	if mark != "" {
		// Every row but the root's begins with its indentation; the root has no mark.
		name = mark + strings.TrimPrefix(name, " ")
	}
	paint := d.paint(i, path)
	if i == d.cursor || mark != "" {
		state.paint, secret.paint = paint, paint
	}
	row := kit.Row{Room: d.w}
	row.Put(cursor+name, paint)
	if signs != "" {
		row.Put(" ", paint)
		row.Put(state.text, state.paint)
		row.Put(secret.text, secret.paint)
		row.Put(strings.Repeat(" ", max(0, text.Width(signs)-1-text.Width(state.text+secret.text))), paint)
	}
	row.Put(size+" ", paint)
	return row.String()
}

// sizeCells hold most sizes and the blank before them; a longer one moves the signs of its row.
const sizeCells = 6

// end is what stands behind a name: the signs in their column with a blank before them, and the size. Without signs the
// name gets their cells, and the blanks before the size.
func (d *painter) end(signs, size string) (string, string) {
	cells := 0
	if d.w >= sizesFrom {
		cells = max(sizeCells, 1+text.Width(size))
	}
	if signs != "" {
		return " " + text.Pad(signs, 2), text.PadLeft(size, cells)
	}
	return "", text.PadLeft(size, min(cells, 1+text.Width(size)))
}

// textRepository says of git's folder what it is: without its files it would look empty.
const textRepository = "git repository"

// label is the name of a row behind its indentation, with the sign that a folder is folded or not.
func (d *painter) label(r row, path string) string {
	g := d.env.Styles.Glyphs
	fold := g.Collapsed
	if d.filtered || d.unfolded[path] {
		fold = g.Expanded
	}
	if r.depth == 0 {
		return fold + " " + memstore.Root
	}
	indent := strings.Repeat("  ", min(int(r.depth), max(0, d.w/4)))
	name := d.env.MaskedText(text.Clean(r.node.Name))
	switch {
	case r.node.Kind == memstore.KindDir && memstore.InGit(r.node.Name): // its files aren't listed
		return indent + "  " + name + "/ " + textRepository
	case r.node.Kind == memstore.KindDir:
		return indent + fold + " " + name + "/"
	case r.node.Kind == memstore.KindLink:
		return indent + "  " + name + " " + g.Link
	default:
		return indent + "  " + name
	}
}

func (d *painter) paint(i int, path string) theme.Paint {
	st := d.env.Styles
	r := d.rows[i]
	switch {
	case i == d.cursor && d.focused:
		return st.Selected
	case i == d.cursor:
		return st.SelectedBlur
	case d.selection.glyph(i, st.Glyphs) != "":
		return st.Marked
	case r.node.Problem != nil:
		return st.Warning
	case d.badges.unread[path] > 0:
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
