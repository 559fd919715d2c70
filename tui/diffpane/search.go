package diffpane

import (
	"sort"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// markUpTo is how many bytes of a line are searched for matches to mark; in a longer one only
// those on the screen are looked for.
const markUpTo = 64 << 10

// searchOwner names the search job of a pane with that owner.
func searchOwner(owner string) string { return owner + ".search" }

// finder searches the sheet on a page; the sides of a row are its parts.
type finder struct {
	page   *page
	search kit.Search
	match  diff.Row // the line of the match that was gone to last
}

// Search implements [kit.searchable].
func (p *Pane) Search() kit.Searcher { return &p.find.search }

// searchChunk is how many rows are made at a time for a search.
const searchChunk = 256

// text is what the search looks through.
func (f *finder) text() (of any, scan kit.Scan) {
	if f.page.columns.on == nil {
		return nil, nil
	}
	sheet := f.page.columns.on.fork()
	return f.page.columns.on, func(add func(int, int, []byte) bool, at func(int, int)) {
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

// next goes to the next match or, without a search, to the next hunk.
func (f *finder) next(backward bool) {
	if f.search.Query() == "" {
		f.page.hunk(!backward)
		return
	}
	f.search.Next(backward)
}

// here is where the search continues from.
func (f *finder) here() kit.Match { return kit.Match{Line: f.page.line() - titleRows} }

// onMatch reports whether the cursor is on a match.
func (f *finder) onMatch(m kit.Match) bool { return m.Line == f.page.line()-titleRows }

// show goes to a match and scrolls so that the match itself is on the screen, not only the
// beginning of its line.
func (f *finder) show(m kit.Match) {
	f.page.view.MoveTo(m.Line + titleRows)
	l, ok := f.page.current()
	if !ok {
		return
	}
	f.match = l.sides[m.Part]
	if !f.page.columns.wrap {
		o := f.page.columns.env.Text(0)
		from, to := text.Column(f.match.Text, m.Start, o), text.Column(f.match.Text, m.End, o)
		if room := f.page.columns.room(m.Part) - 1; from < f.page.columns.col || to > f.page.columns.col+room {
			f.page.columns.col = max(0, (from-room/2)/sideways*sideways)
		}
		return
	}
	parts := f.page.columns.parts(f.match, m.Part)
	f.page.view.ShowRow(sort.Search(len(parts), func(k int) bool { return parts[k].End > m.Start }))
}
