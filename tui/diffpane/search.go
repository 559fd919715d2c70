package diffpane

import (
	"sort"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// markUpTo is how many bytes of a line are searched for matches to mark; in a longer one only
// those on the screen are looked for.
const markUpTo = 64 << 10

// searchOwner names the search job of a pane with that owner.
func searchOwner(owner string) string { return owner + ".search" }

// Query implements [ui.Searcher].
func (p *Pane) Query() string { return p.search.Query() }

// SetQuery implements [ui.Searcher].
func (p *Pane) SetQuery(query string) tea.Cmd { return p.search.SetQuery(query) }

// SearchState implements [ui.Searcher].
func (p *Pane) SearchState() string { return p.search.PlaceState() }

// searchChunk is how many rows are made at a time for a search.
const searchChunk = 256

// text is what the search looks through.
func (p *Pane) text() (of any, scan ui.Scan) {
	if p.columns.on == nil {
		return nil, nil
	}
	sheet := p.columns.on.fork()
	return p.columns.on, func(add func(int, int, []byte) bool, at func(int, int)) {
		for row := 0; row < sheet.Len(); {
			lines := sheet.lines(row, searchChunk)
			for i, l := range lines {
				if !l.searched(func(side int, text []byte) bool { return add(row+i, side, text) }) {
					return
				}
			}
			row += len(lines)
			at(row, sheet.Len())
		}
	}
}

// searched hands over the texts of a row that are searched. A line that is the same on both
// sides counts once.
func (l line) searched(add func(side int, text []byte) bool) bool {
	if l.whole() || l.kind == diff.NoNewline {
		return true
	}
	for side, r := range l.sides {
		if r.Text == nil || l.kind == diff.Context && side == 0 && string(r.Text) == string(l.sides[1].Text) {
			continue
		}
		if !add(side, r.Text) {
			return false
		}
	}
	return true
}

// Jump implements [ui.Searcher]: the first match from the cursor on.
func (p *Pane) Jump() tea.Cmd {
	p.search.Jump()
	return nil
}

// next goes to the next match or, without a search, to the next hunk.
func (p *Pane) next(backward bool) {
	if p.search.Query() == "" {
		p.hunk(!backward)
		return
	}
	p.search.Next(backward)
}

// here is where the search goes on from.
func (p *Pane) here() ui.Match { return ui.Match{Line: p.line() - titleRows} }

// onMatch reports whether the cursor is on a match.
func (p *Pane) onMatch(m ui.Match) bool { return m.Line == p.line()-titleRows }

// show goes to a match and scrolls so that the match itself is on the screen, not only the
// beginning of its line.
func (p *Pane) show(m ui.Match) {
	p.view.MoveTo(m.Line + titleRows)
	l, ok := p.current()
	if !ok {
		return
	}
	p.match = l.sides[m.Part]
	if !p.columns.wrap {
		o := p.env.Text(0)
		from, to := text.Column(p.match.Text, m.Start, o), text.Column(p.match.Text, m.End, o)
		if room := p.columns.room(m.Part) - 1; from < p.columns.col || to > p.columns.col+room {
			p.columns.col = max(0, (from-room/2)/sideways*sideways)
		}
		return
	}
	parts := p.columns.parts(p.match, m.Part)
	p.view.ShowRow(sort.Search(len(parts), func(k int) bool { return parts[k].End > m.Start }))
}
