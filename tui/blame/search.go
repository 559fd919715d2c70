package blame

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Query implements [ui.Searcher].
func (p *Pane) Query() string { return p.search.Query() }

// SetQuery implements [ui.Searcher].
func (p *Pane) SetQuery(query string) tea.Cmd { return p.search.SetQuery(query) }

// SearchState implements [ui.Searcher].
func (p *Pane) SearchState() string { return p.search.State() }

// Jump implements [ui.Searcher].
func (p *Pane) Jump() tea.Cmd {
	p.search.Jump()
	return nil
}

// text is what the search looks through.
func (p *Pane) text() (of any, scan ui.Scan) {
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
func (p *Pane) here() ui.Match { return ui.Match{Line: p.cursor()} }

// on reports whether the cursor is on a match.
func (p *Pane) on(m ui.Match) bool { return m.Line == p.cursor() }

// show goes to a match; cut lines are scrolled sideways until it is on the screen.
func (p *Pane) show(m ui.Match) {
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
