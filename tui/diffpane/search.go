package diffpane

import (
	"context"
	"sort"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/bigfile"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Limits of a search: the matches that are kept to go through, about 40 MB, and the
// bytes of a line within which all matches are marked; in a longer one only those on the
// screen are looked for.
const (
	matchesUpTo = 1 << 20
	markUpTo    = 64 << 10
)

// searchOwner names the search job of a pane with that owner.
func searchOwner(owner string) string { return owner + ".search" }

// hit is one match: bytes [start, end) of the line on a side of a row of the sheet.
type hit struct {
	row, side  int
	start, end int
}

func (h hit) before(o hit) bool {
	if h.row != o.row {
		return h.row < o.row
	}
	if h.side != o.side {
		return h.side < o.side
	}
	return h.start < o.start
}

// search is the state of "/" in the diff.
type search struct {
	query   bigfile.Query
	matcher func([]byte) [][2]int
	count   *atomic.Int64 // matches so far, written by the job
	hits    []hit         // in the order of the sheet, when the job has ended
	done    bool
	more    bool     // there are more than matchesUpTo
	at      int      // place in hits of the match under the cursor, -1: none
	line    diff.Row // the line of that match
	jump    bool     // go to the first match from the cursor on as soon as they are known
}

// matches is the outcome of the search job.
type matches struct {
	of    sheet
	query bigfile.Query
	hits  []hit
	more  bool
}

// Query implements [ui.Searcher].
func (p *Pane) Query() string { return p.search.query.Text }

// SetQuery implements [ui.Searcher]; capitals in the query make the search exact.
func (p *Pane) SetQuery(query string) tea.Cmd {
	q := bigfile.SmartCase(query)
	if q == p.search.query {
		return nil
	}
	p.search = search{query: q, matcher: q.Matcher(), at: -1}
	return p.recount()
}

// SearchState implements [ui.Searcher].
func (p *Pane) SearchState() string {
	s := &p.search
	if s.query.Text == "" || s.count == nil {
		return ""
	}
	query := text.Clean(s.query.Text)
	if s.done && s.at >= 0 {
		return ui.MatchPlaceText(query, s.at+1, len(s.hits), s.more)
	}
	return ui.MatchText(query, int(s.count.Load()), !s.done)
}

// recount looks for the query in the sheet that is shown.
func (p *Pane) recount() tea.Cmd {
	s := &p.search
	p.env.Jobs.Cancel(searchOwner(p.owner))
	s.hits, s.done, s.more, s.at, s.count = nil, false, false, -1, nil
	if s.query.Text == "" || p.on == nil {
		return nil
	}
	count := &atomic.Int64{}
	s.count = count
	of, sheet, query, find := p.on, p.on.fork(), s.query, s.matcher
	return p.env.Jobs.Start(searchOwner(p.owner), ui.LabelSearch, func(ctx context.Context, progress *ui.Progress) (any, error) {
		out := matches{of: of, query: query}
		for row := 0; row < sheet.Len() && ctx.Err() == nil && !out.more; {
			lines := sheet.lines(row, searchChunk)
			for i, l := range lines {
				out.add(l, row+i, find)
			}
			row += len(lines)
			count.Store(int64(len(out.hits)))
			progress.Set(int64(row), int64(sheet.Len()))
		}
		return out, ctx.Err()
	})
}

// searchChunk is how many rows are searched between two looks at whether to go on.
const searchChunk = 256

// add finds the matches in a row. A line that is the same on both sides counts once.
func (m *matches) add(l line, row int, find func([]byte) [][2]int) {
	if l.whole() || l.kind == diff.NoNewline {
		return
	}
	for side, r := range l.sides {
		if r.Text == nil || l.kind == diff.Context && side == 0 && string(r.Text) == string(l.sides[1].Text) {
			continue
		}
		for _, span := range find(r.Text) {
			if len(m.hits) == matchesUpTo {
				m.more = true
				return
			}
			m.hits = append(m.hits, hit{row, side, span[0], span[1]})
		}
	}
}

func (p *Pane) found(m matches) {
	s := &p.search
	if m.of != p.on || m.query != s.query {
		return
	}
	s.hits, s.more, s.done = m.hits, m.more, true
	s.count.Store(int64(len(m.hits)))
	if s.jump {
		s.jump = false
		p.goFrom(hit{row: p.pos.line - titleRows}, false)
	}
}

// Jump implements [ui.Searcher]: the first match from the cursor on.
func (p *Pane) Jump() tea.Cmd {
	switch s := &p.search; {
	case s.query.Text == "" || p.on == nil:
	case !s.done:
		s.jump = true
	default:
		p.goFrom(hit{row: p.pos.line - titleRows}, false)
	}
	return nil
}

// next goes to the next match as seen from the one under the cursor or, when the cursor
// was moved away from it, from the cursor's row. Without a search it goes to the next hunk.
func (p *Pane) next(backward bool) {
	s := &p.search
	row := p.pos.line - titleRows
	switch {
	case s.query.Text == "":
		p.hunk(!backward)
	case p.on == nil || !s.done:
	case s.at < 0 || s.hits[s.at].row != row:
		p.goFrom(hit{row: row}, backward)
	case backward:
		p.goTo(s.at-1, true)
	default:
		p.goTo(s.at+1, false)
	}
}

// goFrom goes to the first match at or behind a place, or to the last before it.
func (p *Pane) goFrom(from hit, backward bool) {
	hits := p.search.hits
	k := sort.Search(len(hits), func(k int) bool { return !hits[k].before(from) })
	if backward {
		k--
	}
	p.goTo(k, backward)
}

// goTo puts the cursor on a match, around the ends if need be.
func (p *Pane) goTo(k int, backward bool) {
	s := &p.search
	if len(s.hits) == 0 {
		p.env.Emit(ui.Say{Level: ui.Warn, Text: ui.NotFoundText(text.Clean(s.query.Text))})
		return
	}
	if k < 0 || k >= len(s.hits) {
		p.env.Emit(ui.Say{Text: ui.WrappedText(backward)})
		k = (k + len(s.hits)) % len(s.hits)
	}
	s.at = k
	p.moveTo(s.hits[k].row + titleRows)
	if l, ok := p.current(); ok {
		s.line = l.sides[s.hits[k].side]
		p.aim(s.hits[k])
	}
}

// aim scrolls so that the match itself is on the screen, not only the beginning of its line.
func (p *Pane) aim(h hit) {
	row := p.search.line
	if !p.wrap {
		from, to := text.Column(row.Text, h.start, p.env.Text(0)), text.Column(row.Text, h.end, p.env.Text(0))
		if room := p.room(h.side) - 1; from < p.col || to > p.col+room {
			p.col = max(0, (from-room/2)/sideways*sideways)
		}
		return
	}
	parts := p.parts(row, h.side)
	k := sort.Search(len(parts), func(k int) bool { return parts[k].End > h.start })
	if y := p.screenY(p.on) + k; y >= p.h || y < 0 {
		p.shift(y - p.h/2)
	}
}

// marks are the matches in the bytes [from, to) of a row, and the one under the cursor.
func (p *Pane) marks(row diff.Row, from, to, side int) (all, current [][2]int) {
	s := &p.search
	if s.query.Text == "" {
		return nil, nil
	}
	base, end := 0, len(row.Text)
	if end > markUpTo {
		margin := 4 * len(s.query.Text)
		base, end = max(0, from-margin), min(end, to+margin)
	}
	for _, span := range s.matcher(row.Text[base:end]) {
		all = append(all, [2]int{base + span[0], base + span[1]})
	}
	if s.at >= 0 && s.hits[s.at].side == side && s.line.ANumber == row.ANumber && s.line.BNumber == row.BNumber {
		current = [][2]int{{s.hits[s.at].start, s.hits[s.at].end}}
	}
	return all, current
}
