package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"memcurator/render/flow"
)

// columnLeast is the minimum width of a table's column, in cells. A table that doesn't fit is laid out row by row, as names and values.
const columnLeast = 6

// grid is a table being laid out.
type grid struct {
	head   []flow.Line
	rows   [][]flow.Line
	align  []extast.Alignment
	widths []int
}

// table lays out a table in columns, wrapping cells if there isn't enough room.
func (w *writer) table(n *extast.Table) {
	g := grid{align: n.Alignments}
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		look := flow.Span{}
		_, isHead := r.(*extast.TableHeader)
		if isHead {
			look = flow.Span{Role: flow.Heading, Attr: flow.Bold}
		}
		var cells []flow.Line
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, w.cell(c, look))
		}
		if isHead {
			g.head = cells
			continue
		}
		g.rows = append(g.rows, cells)
	}
	if len(g.head) == 0 {
		return
	}
	room := w.o.Width - max(flow.Width(w.prefix), flow.Width(w.hang))
	if !g.fit(room) {
		w.records(&g)
		return
	}
	w.tableRow(&g, g.head)
	w.tableRule(&g)
	for _, row := range g.rows {
		w.tableRow(&g, row)
	}
}

func (w *writer) cell(n ast.Node, look flow.Span) flow.Line {
	w.begin()
	w.inline(n, look, 0)
	return w.cur.Line()
}

// fit chooses the widths of the columns; false: they would be too narrow to read.
func (g *grid) fit(room int) bool {
	g.widths = make([]int, len(g.head))
	for _, row := range append([][]flow.Line{g.head}, g.rows...) {
		for i := range row {
			if i < len(g.widths) {
				g.widths[i] = max(g.widths[i], flow.Width(row[i].Spans), 1)
			}
		}
	}
	room -= 3 * (len(g.widths) - 1)
	for total := sum(g.widths); total > room; total = sum(g.widths) {
		// The widest columns shrink to the next narrower one.
		order := slices.Sorted(slices.Values(g.widths))
		widest := order[len(order)-1]
		next := columnLeast
		for _, v := range order {
			if v < widest {
				next = max(next, v)
			}
		}
		count := 0
		for _, v := range g.widths {
			if v == widest {
				count++
			}
		}
		if widest <= columnLeast {
			return false
		}
		by := min(widest-next, max(1, (total-room+count-1)/count))
		for i, v := range g.widths {
			if v == widest {
				g.widths[i] = v - by
			}
		}
	}
	return true
}

func sum(v []int) int {
	n := 0
	for _, x := range v {
		n += x
	}
	return n
}

// tableRow puts the cells of a row side by side, in as many lines as the tallest needs.
func (w *writer) tableRow(g *grid, cells []flow.Line) {
	columns := make([][]flow.Row, len(g.widths))
	height := 1
	for i := range columns {
		if i < len(cells) {
			columns[i] = flow.Rows(nil, []flow.Line{cells[i].Masked(w.o)}, flow.Options{Width: g.widths[i], Text: w.o.Text})
			height = max(height, len(columns[i]))
		}
	}
	for y := range height {
		var l flow.Line
		for i, column := range columns {
			if i > 0 {
				l.Spans = append(l.Spans, flow.Own(w.glyph(" │ ", " | "), flow.Rule))
			}
			var r flow.Row
			if y < len(column) {
				r = column[y]
			}
			left, right := pads(g.align[min(i, len(g.align)-1)], g.widths[i]-r.Width)
			if i+1 == len(columns) {
				right = 0
			}
			l.Spans = appendBlank(l.Spans, left)
			for _, s := range r.Spans {
				if s.Link > 0 {
					l.Links = append(l.Links, r.Links[s.Link-1])
					s.Link = len(l.Links)
				}
				l.Spans = append(l.Spans, s)
			}
			l.Spans = appendBlank(l.Spans, right)
		}
		w.emit(l)
	}
}

func pads(a extast.Alignment, room int) (left, right int) {
	room = max(0, room)
	switch a {
	case extast.AlignRight:
		return room, 0
	case extast.AlignCenter:
		return room / 2, room - room/2
	default:
		return 0, room
	}
}

func appendBlank(spans []flow.Span, n int) []flow.Span {
	if n <= 0 {
		return spans
	}
	return append(spans, flow.Own(strings.Repeat(" ", n), flow.Plain))
}

func (w *writer) tableRule(g *grid) {
	dash := w.glyph("─", "-")
	parts := make([]string, len(g.widths))
	for i, n := range g.widths {
		parts[i] = strings.Repeat(dash, n)
	}
	w.emit(flow.Line{Spans: []flow.Span{flow.Own(strings.Join(parts, w.glyph("─┼─", "-+-")), flow.Rule)}})
}

// records lays out a table as names and values, for panes that are too narrow for columns.
func (w *writer) records(g *grid) {
	for k, row := range g.rows {
		if k > 0 && len(row) > 0 {
			w.blank()
		}
		for i := range row {
			l := flow.Line{Links: row[i].Links}
			if i < len(g.head) {
				for _, s := range g.head[i].Spans {
					s.Link = 0
					l.Spans = append(l.Spans, s)
				}
			}
			l.Spans = append(l.Spans, flow.Own(": ", flow.Dim))
			l.Spans = append(l.Spans, row[i].Spans...)
			l.Hang = []flow.Span{flow.Own("  ", flow.Plain)}
			w.emit(l)
		}
	}
	if len(g.rows) == 0 {
		for i := range g.head {
			w.emit(g.head[i])
		}
	}
}
