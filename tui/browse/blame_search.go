package browse

import (
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Search implements [ui.searchable].
func (p *BlamePane) Search() ui.Searcher { return &p.search }

// text is what the search looks through.
func (p *BlamePane) text() (of any, scan ui.Scan) {
	if p.lines() == 0 {
		return nil, nil
	}
	d := p.doc
	return d, func(add func(int, int, []byte) bool, at func(int, int)) {
		for i := range d.lines {
			if !add(i, 0, d.text(i)) {
				break
			}
			at(i, len(d.lines))
		}
	}
}

// here is where the search continues from.
func (p *BlamePane) here() ui.Match { return ui.Match{Line: p.cursor()} }

// on reports whether the cursor is on a match.
func (p *BlamePane) on(m ui.Match) bool { return m.Line == p.cursor() }

// show goes to a match; cut lines are scrolled sideways until it is on the screen.
func (p *BlamePane) show(m ui.Match) {
	p.view.MoveTo(m.Line)
	if p.wrap {
		return
	}
	line, o := p.doc.text(m.Line), p.env.Text(0)
	from, to := text.Column(line, m.Start, o), text.Column(line, m.End, o)
	if from < p.col || to > p.col+p.textWidth()-1 {
		p.col = max(0, from-p.textWidth()/2)
		if to <= p.textWidth()-1 {
			p.col = 0
		}
	}
}
