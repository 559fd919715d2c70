package rendered

import (
	"fmt"
	"math"
	"sort"

	"memcurator/render/flow"
	"memcurator/render/frontmatter"
	"memcurator/render/text"
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

// block lays out a block, or returns it as it was.
func (p *Pane) block(i int) laid {
	o := p.options()
	if p.layout.blocks == nil || p.layout.options != o || len(p.layout.blocks) >= keepBlocks {
		p.layout = layout{options: o, blocks: map[int]laid{}, heights: p.layout.heights}
	}
	b, ok := p.layout.blocks[i]
	if !ok {
		b.lines = p.doc.body.Render(i, o)
		if i == 0 {
			b.rows = header(p.doc.matter, o, p.env.Styles.Glyphs.Ellipsis)
		}
		b.rows = flow.Rows(b.rows, b.lines, o)
		p.layout.blocks[i] = b
	}
	return b
}

// header is the front matter, one row for each name.
func header(matter []frontmatter.Row, o flow.Options, ellipsis string) []flow.Row {
	if len(matter) == 0 {
		return nil
	}
	shown := matter
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
		value := text.Truncate(text.Clean(m.Value), max(1, o.Width-wide-2), ellipsis)
		add(flow.Own(key, flow.Name), flow.Own(": ", flow.Dim), flow.Own(value, flow.Plain))
	}
	if more := len(matter) - len(shown); more > 0 {
		add(flow.Own(text.Truncate(fmt.Sprintf("%d more in the view", more), o.Width, ellipsis), flow.Dim))
	}
	add(flow.Span{})
	return rows
}

// row returns a row of the rendered text.
func (p *Pane) row(at place) (flow.Row, bool) {
	if at.block < 0 || at.block >= p.doc.body.Blocks() {
		return flow.Row{}, false
	}
	rows := p.block(at.block).rows
	if at.row < 0 || at.row >= len(rows) {
		return flow.Row{}, false
	}
	return rows[at.row], true
}

// below returns the place n rows below another, at most the last one, and how far it came.
func (p *Pane) below(at place, n int) (place, int) {
	moved := 0
	for moved < n {
		left := len(p.block(at.block).rows) - 1 - at.row
		if step := min(left, n-moved); step > 0 {
			at.row += step
			moved += step
			continue
		}
		next := at.block + 1
		for next < p.doc.body.Blocks() && len(p.block(next).rows) == 0 {
			next++
		}
		if next >= p.doc.body.Blocks() {
			break
		}
		at = place{next, 0}
		moved++
	}
	return at, moved
}

// above returns the place n rows above another, at least the first one.
func (p *Pane) above(at place, n int) (place, int) {
	moved := 0
	for moved < n {
		if step := min(at.row, n-moved); step > 0 {
			at.row -= step
			moved += step
			continue
		}
		next := at.block - 1
		for next >= 0 && len(p.block(next).rows) == 0 {
			next--
		}
		if next < 0 {
			break
		}
		at = place{next, len(p.block(next).rows) - 1}
		moved++
	}
	return at, moved
}

// last is the last row of the text.
func (p *Pane) last() place {
	at := p.doc.body.Blocks() - 1
	for at > 0 && len(p.block(at).rows) == 0 {
		at--
	}
	return place{at, max(0, len(p.block(at).rows)-1)}
}

// sourceOf is the line of the file that a row comes from.
func (p *Pane) sourceOf(at place) int {
	r, ok := p.row(at)
	if !ok {
		first, _ := p.doc.body.Lines(min(at.block, p.doc.body.Blocks()-1))
		return first
	}
	return r.Source
}

// rowOf is the first row that comes from a line of the file, or the last one before it.
func (p *Pane) rowOf(line int) place {
	n := p.doc.body.Blocks()
	at := max(0, sort.Search(n, func(i int) bool { first, _ := p.doc.body.Lines(i); return first > line })-1)
	rows := p.block(at).rows
	row := 0
	for i, r := range rows {
		switch {
		case r.Source == line:
			return place{at, i}
		case r.Source < line:
			row = i
		}
	}
	return place{at, row}
}

// total is the estimated number of rows, and how many of them are above a place.
func (p *Pane) total(at place) (above, all int) {
	if p.layout.heights == nil {
		n := p.doc.body.Blocks()
		sums := make([]int, n+1)
		for i := range n {
			sums[i+1] = sums[i] + p.doc.body.Height(i, p.contentWidth())
		}
		p.layout.heights = sums
	}
	sums := p.layout.heights
	inside := min(at.row, sums[at.block+1]-sums[at.block])
	return sums[at.block] + inside, max(1, min(sums[len(sums)-1], math.MaxInt32))
}
