package rendered

import (
	"context"
	"sort"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/bigfile"
	"memcurator/render/flow"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// hitsMost bounds the matches that are kept.
const hitsMost = 100_000

// hit is a match in the rendered text: bytes of a line of a block.
type hit struct {
	block, line int
	start, end  int
}

func (a hit) before(b hit) bool {
	switch {
	case a.block != b.block:
		return a.block < b.block
	case a.line != b.line:
		return a.line < b.line
	default:
		return a.start < b.start
	}
}

// search is the state of "/" in the rendered text.
type search struct {
	query bigfile.Query
	width int // that the matches were looked for at
	hits  []hit
	walk  ui.Walk
	so    *atomic.Int64 // matches so far, written by the job
}

// found is the outcome of a search.
type found struct {
	of    *document
	query bigfile.Query
	hits  []hit
}

// matcher finds matches as the view does; it holds no text.
var matcher = bigfile.New(bigfile.Bytes(nil))

// Query implements [ui.Searcher].
func (p *Pane) Query() string { return p.search.query.Text }

// SetQuery implements [ui.Searcher]; capitals make the search exact, as in the view.
func (p *Pane) SetQuery(query string) tea.Cmd {
	q := bigfile.SmartCase(query)
	if q == p.search.query {
		return nil
	}
	p.search = search{query: q, walk: ui.NewWalk()}
	return p.recount()
}

// SearchState implements [ui.Searcher].
func (p *Pane) SearchState() string {
	s := &p.search
	if s.query.Text == "" || s.so == nil {
		return ""
	}
	return ui.MatchText(text.Clean(s.query.Text), int(s.so.Load()), !s.walk.Done)
}

// recount looks for all matches in the background.
func (p *Pane) recount() tea.Cmd {
	p.env.Jobs.Cancel(OwnerFind)
	s := &p.search
	s.hits, s.walk, s.so, s.width = nil, ui.NewWalk(), nil, p.contentWidth()
	if s.query.Text == "" || p.doc == nil || p.doc.body == nil {
		return nil
	}
	s.so = &atomic.Int64{}
	d, q, o, so := p.doc, s.query, p.options(), s.so
	return p.env.Jobs.Start(OwnerFind, ui.LabelSearch, func(ctx context.Context, progress *ui.Progress) (any, error) {
		v := found{of: d, query: q}
		n := d.body.Blocks()
		for i := range n {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			v.hits = append(v.hits, matches(i, d.body.Render(i, o), q)...)
			so.Store(int64(len(v.hits)))
			progress.Set(int64(i), int64(n))
			if len(v.hits) > hitsMost {
				break
			}
		}
		return v, nil
	})
}

func matches(block int, lines []flow.Line, q bigfile.Query) []hit {
	var out []hit
	for i := range lines {
		for _, m := range matcher.Matches([]byte(lines[i].Content()), q) {
			out = append(out, hit{block, i, m[0], m[1]})
		}
	}
	return out
}

func (p *Pane) received(v found) {
	s := &p.search
	if v.of != p.doc || v.query != s.query {
		return
	}
	s.hits = v.hits
	p.jump(s.walk.Known())
}

// Jump implements [ui.Searcher].
func (p *Pane) Jump() tea.Cmd {
	if p.search.query.Text != "" {
		p.jump(ui.Here)
	}
	return nil
}

func (p *Pane) next(back bool) tea.Cmd {
	if p.search.query.Text == "" {
		p.env.Emit(ui.Say{Level: ui.Warn, Text: p.env.Keyed(ui.TextNoSearch)})
		return nil
	}
	p.jump(ui.StepBy(back))
	return nil
}

// jump goes to a match, now or when they are known.
func (p *Pane) jump(step ui.Step) {
	s := &p.search
	if p.doc == nil || p.doc.body == nil || !s.walk.Go(p.env, step, s.query.Text, len(s.hits), p.nearest) {
		return
	}
	p.cursor = p.placeOf(s.hits[s.walk.Current])
	p.reveal()
}

// nearest is the place in hits to go to; outside of them behind the end or before the start.
func (p *Pane) nearest(to ui.Step) int {
	s := &p.search
	if s.walk.Current >= 0 && s.walk.Current < len(s.hits) && p.placeOf(s.hits[s.walk.Current]) == p.cursor && to != ui.Here {
		if to == ui.Backward {
			return s.walk.Current - 1
		}
		return s.walk.Current + 1
	}
	row, _ := p.row(p.cursor)
	from := hit{block: p.cursor.block, line: row.Line, start: row.Start}
	at := sort.Search(len(s.hits), func(i int) bool { return !s.hits[i].before(from) })
	if to == ui.Backward {
		return at - 1
	}
	return at
}

// placeOf is the row that a match begins on.
func (p *Pane) placeOf(h hit) place {
	rows := p.block(h.block).rows
	at := sort.Search(len(rows), func(i int) bool {
		return rows[i].Line > h.line || rows[i].Line == h.line && rows[i].End > h.start
	})
	return place{h.block, min(at, len(rows)-1)}
}

// marks returns the matches on a row.
func (p *Pane) marks(at place, row flow.Row) []mark {
	s := &p.search
	if s.query.Text == "" || row.Line < 0 {
		return nil
	}
	line := p.block(at.block).lines[row.Line]
	var out []mark
	for _, m := range matcher.Matches([]byte(line.Content()), s.query) {
		if m[0] >= row.End || m[1] <= row.Start {
			continue
		}
		h := hit{at.block, row.Line, m[0], m[1]}
		current := s.walk.Current >= 0 && s.walk.Current < len(s.hits) && s.hits[s.walk.Current] == h
		out = append(out, mark{m[0], m[1], current})
	}
	return out
}
