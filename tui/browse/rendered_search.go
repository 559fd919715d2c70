package browse

import (
	"sort"

	"memcurator/render/flow"
	"memcurator/tui/ui"
)

// Search implements [ui.searchable].
func (p *RenderedPane) Search() ui.Searcher { return &p.search }

// text is what the search looks through. The parts of a block are its lines.
func (p *RenderedPane) text() (of any, scan ui.Scan) {
	p.wide = p.contentWidth()
	if p.blocks() == 0 {
		return nil, nil
	}
	d, o := p.doc, p.options()
	return d, func(add func(int, int, []byte) bool, at func(int, int)) {
		for i := range d.body.Blocks() {
			for k, line := range d.body.Render(i, o) {
				if !add(i, k, []byte(line.Content())) {
					return
				}
			}
			at(i, d.body.Blocks())
		}
	}
}

// here is where the search continues from.
func (p *RenderedPane) here() ui.Match {
	if p.blocks() == 0 {
		return ui.Match{}
	}
	row, _ := p.row(p.view.Cursor)
	return ui.Match{Line: p.view.Cursor.Line, Part: row.Line, Start: row.Start}
}

// on reports whether the cursor is on a match.
func (p *RenderedPane) on(m ui.Match) bool { return p.placeOf(m) == p.view.Cursor }

// show goes to a match.
func (p *RenderedPane) show(m ui.Match) {
	p.view.Cursor = p.placeOf(m)
	p.view.Reveal()
}

// placeOf is the row that a match begins on.
func (p *RenderedPane) placeOf(m ui.Match) ui.Place {
	rows := p.block(m.Line).rows
	at := sort.Search(len(rows), func(i int) bool {
		return rows[i].Line > m.Part || rows[i].Line == m.Part && rows[i].End > m.Start
	})
	return ui.Place{Line: m.Line, Row: min(at, len(rows)-1)}
}

// marks returns the matches on a row, and which of them was gone to last. They are looked for
// again, because the row is on the screen before all of the text was searched.
func (p *RenderedPane) marks(at ui.Place, row flow.Row) (marks [][2]int, current int) {
	if p.search.Query() == "" || row.Line < 0 {
		return nil, -1
	}
	current = -1
	line := p.block(at.Line).lines[row.Line]
	for _, m := range p.search.In([]byte(line.Content())) {
		if m[0] >= row.End || m[1] <= row.Start {
			continue
		}
		if k := p.search.Current; k >= 0 && p.search.Matches[k] == (ui.Match{Line: at.Line, Part: row.Line, Start: m[0], End: m[1]}) {
			current = len(marks)
		}
		marks = append(marks, m)
	}
	return marks, current
}
