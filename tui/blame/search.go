package blame

import (
	"context"
	"sort"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/bigfile"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// hitsMost bounds the matches that are kept.
const hitsMost = 100_000

// hit is a match: bytes of a line.
type hit struct{ line, start, end int }

// search is the state of "/" in the lines.
type search struct {
	query bigfile.Query
	hits  []hit
	walk  ui.Walk
}

// found is the outcome of a search.
type found struct {
	of    *document
	query bigfile.Query
	hits  []hit
}

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
	if s.query.Text == "" || p.lines() == 0 {
		return ""
	}
	return ui.MatchText(text.Clean(s.query.Text), len(s.hits), !s.walk.Done)
}

// recount looks for all matches in the background.
func (p *Pane) recount() tea.Cmd {
	p.env.Jobs.Cancel(OwnerFind)
	s := &p.search
	s.hits, s.walk = nil, ui.NewWalk()
	if s.query.Text == "" || p.lines() == 0 {
		return nil
	}
	d, q := p.doc, s.query
	return p.env.Jobs.Start(OwnerFind, ui.LabelSearch, func(ctx context.Context, progress *ui.Progress) (any, error) {
		v, match := found{of: d, query: q}, q.Matcher()
		for i := range d.lines {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, m := range match(d.text(i)) {
				v.hits = append(v.hits, hit{i, m[0], m[1]})
			}
			progress.Set(int64(i), int64(len(d.lines)))
			if len(v.hits) > hitsMost {
				break
			}
		}
		return v, nil
	})
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
	if p.lines() == 0 || !s.walk.Go(p.env, step, s.query.Text, len(s.hits), p.nearest) {
		return
	}
	h := s.hits[s.walk.Current]
	p.moveTo(h.line)
	p.showHit(h)
}

// showHit scrolls cut lines sideways until the match is on the screen.
func (p *Pane) showHit(h hit) {
	if p.wrap {
		return
	}
	line, o := p.doc.text(h.line), p.env.Text(0)
	from, to := text.Column(line, h.start, o), text.Column(line, h.end, o)
	if from < p.col || to > p.col+p.textWidth()-1 {
		p.col = max(0, from-p.textWidth()/2)
		if to <= p.textWidth()-1 {
			p.col = 0
		}
	}
}

// nearest is the place in hits to go to; outside of them behind the end or before the start.
func (p *Pane) nearest(to ui.Step) int {
	s := &p.search
	if s.walk.Current >= 0 && s.walk.Current < len(s.hits) && s.hits[s.walk.Current].line == p.cursor && to != ui.Here {
		if to == ui.Backward {
			return s.walk.Current - 1
		}
		return s.walk.Current + 1
	}
	at := sort.Search(len(s.hits), func(i int) bool { return s.hits[i].line >= p.cursor })
	if to == ui.Backward {
		return at - 1
	}
	return at
}

// mark is a match in a line, in bytes.
type mark struct {
	start, end int
	current    bool
}

// marks returns the matches in a line.
func (p *Pane) marks(line int) []mark {
	s := &p.search
	from := sort.Search(len(s.hits), func(i int) bool { return s.hits[i].line >= line })
	var out []mark
	for i := from; i < len(s.hits) && s.hits[i].line == line; i++ {
		out = append(out, mark{s.hits[i].start, s.hits[i].end, i == s.walk.Current})
	}
	return out
}
