package browse

import (
	"fmt"
	"math"
	"sort"

	"memcurator/render/flow"
	"memcurator/render/frontmatter"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// keepBlocks is how many blocks stay laid out. A screen shows a few dozen at most.
const keepBlocks = 512

// headRows is the most that the header of a front matter takes.
const headRows = 6

// layout keeps the blocks that were laid out for the width and the terminal at hand.
type layout struct {
	options flow.Options
	blocks  map[int]laid
	heights []int // sums of the estimated heights before each block, and of all
}

// laid is a block that was laid out.
type laid struct {
	lines []flow.Line
	rows  []flow.Row // those of the header have line -1
}

func (l *layout) forget() { l.blocks, l.heights = nil, nil }

// block lays out a block, or returns it unchanged.
func (p *RenderedPane) block(i int) laid {
	o := p.options()
	if p.layout.blocks == nil || p.layout.options != o || len(p.layout.blocks) >= keepBlocks {
		p.layout = layout{options: o, blocks: map[int]laid{}, heights: p.layout.heights}
	}
	b, ok := p.layout.blocks[i]
	if !ok {
		b.lines = p.doc.body.Render(i, o)
		if i == 0 {
			b.rows = header(p.doc.matter, o, p.env)
		}
		b.rows = flow.Rows(b.rows, b.lines, o)
		p.layout.blocks[i] = b
	}
	return b
}

// header is the front matter, one row for each name.
func header(matter []frontmatter.Row, o flow.Options, env *ui.Env) []flow.Row {
	if len(matter) == 0 {
		return nil
	}
	shown, ellipsis := matter, env.Styles.Glyphs.Ellipsis
	if len(matter) > headRows {
		shown = matter[:headRows-1]
	}
	wide := 0
	for _, m := range shown {
		wide = max(wide, min(text.Width(text.Clean(m.Key)), o.Width/3))
	}
	var rows []flow.Row
	add := func(spans ...flow.Span) {
		spans = flow.Clip(spans, o.Width)
		rows = append(rows, flow.Row{Spans: spans, Width: flow.Width(spans), Line: -1})
	}
	for _, m := range shown {
		key := text.Pad(text.Truncate(text.Clean(m.Key), wide, ellipsis), wide)
		value := text.Truncate(text.Clean(env.MaskedText(m.Value)), max(1, o.Width-wide-2), ellipsis)
		add(flow.Own(key, flow.Name), flow.Own(": ", flow.Dim), flow.Own(value, flow.Plain))
	}
	if more := len(matter) - len(shown); more > 0 {
		add(flow.Own(text.Truncate(fmt.Sprintf("%d more in the view", more), o.Width, ellipsis), flow.Dim))
	}
	add(flow.Span{})
	return rows
}

// row returns a row of the rendered text.
func (p *RenderedPane) row(at ui.Place) (flow.Row, bool) {
	if at.Line < 0 || at.Line >= p.doc.body.Blocks() {
		return flow.Row{}, false
	}
	rows := p.block(at.Line).rows
	if at.Row < 0 || at.Row >= len(rows) {
		return flow.Row{}, false
	}
	return rows[at.Row], true
}

// sourceOf is the line of the file that a row comes from.
func (p *RenderedPane) sourceOf(at ui.Place) int {
	r, ok := p.row(at)
	if !ok {
		first, _ := p.doc.body.Lines(min(at.Line, p.doc.body.Blocks()-1))
		return first
	}
	return r.Source
}

// rowOf is the first row that comes from a line of the file, or the last one before it.
func (p *RenderedPane) rowOf(line int) ui.Place {
	n := p.doc.body.Blocks()
	at := max(0, sort.Search(n, func(i int) bool { first, _ := p.doc.body.Lines(i); return first > line })-1)
	rows := p.block(at).rows
	row := 0
	for i, r := range rows {
		switch {
		case r.Source == line:
			return ui.Place{Line: at, Row: i}
		case r.Source < line:
			row = i
		}
	}
	return ui.Place{Line: at, Row: row}
}

// total is the estimated number of rows, and how many of them are above a place.
func (p *RenderedPane) total(at ui.Place) (above, all int) {
	if p.layout.heights == nil {
		n := p.doc.body.Blocks()
		sums := make([]int, n+1)
		for i := range n {
			sums[i+1] = sums[i] + p.doc.body.Height(i, p.contentWidth())
		}
		p.layout.heights = sums
	}
	sums := p.layout.heights
	inside := min(at.Row, sums[at.Line+1]-sums[at.Line])
	return sums[at.Line] + inside, max(1, min(sums[len(sums)-1], math.MaxInt32))
}
