package stores

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// ownerNear is the owner of the job that reads the lines around a match.
const ownerNear = "stores.near"

// nearby are the lines around a match of a search of all stores.
type nearby struct {
	of    Match
	lines []string // with their secrets masked
	first int      // the number of the first of them
	why   string   // they could not be read
}

// match is the match under the cursor of what a search found, if it is a line.
func (r *results) match() (m Match, ok bool) {
	if r == nil || r.matcher == nil {
		return m, false
	}
	h, _ := r.Current()
	if h.match == nil || h.match.Line == 0 {
		return m, false
	}
	return *h.match, true
}

// readNear reads the lines around the match under the cursor once that rests.
func (p *page) readNear(row Row) tea.Cmd {
	s := p.screen
	m, ok := s.found.match()
	if !ok {
		p.env.Jobs.Cancel(ownerNear)
		return nil
	}
	if p.near != nil && p.near.of == m {
		return nil
	}
	wait, read := p.env.Debounce, s.Source.Near
	return kit.Start(p.env.Jobs, kit.Job[nearby]{
		Owner: ownerNear, Label: "reading the lines around a match",
		Work: func(ctx context.Context, _ *kit.Progress) (out nearby, err error) {
			out.of = m
			if err := kit.Debounce(ctx, wait); err != nil {
				return out, err
			}
			if out.lines, out.first, err = read(ctx, row, m.Path, m.Line); err != nil {
				out.why = err.Error()
			}
			return out, ctx.Err()
		},
		Done: func(near nearby) tea.Cmd {
			p.near = &near
			p.fill()
			return nil
		},
	})
}

// around are the lines around the match under the cursor, below its path; before they are read, the line alone.
func (p *page) around() (lines []kit.Line) {
	m, ok := p.screen.found.match()
	if !ok {
		return nil
	}
	lines = append(lines, sentence(dim, kit.PathText(m.Path)+":"+strconv.Itoa(m.Line)))
	near := p.near
	if near != nil && near.of == m && near.why != "" {
		lines = append(lines, sentence(warned, near.why))
	}
	if near == nil || near.of != m || len(near.lines) == 0 {
		near = &nearby{lines: []string{m.Text}, first: m.Line}
	}
	for i, said := range near.lines {
		number := near.first + i
		one := kit.Line{Text: []byte(said), Look: dim, Of: text.PadLeft(strconv.Itoa(number), numberWidth-1) + " "}
		found := func(st *theme.Styles, base theme.Paint) theme.Paint { return base.With(st.Match) }
		if number == m.Line {
			one.Look, found = nil, func(st *theme.Styles, base theme.Paint) theme.Paint { return base.With(st.MatchCurrent) }
		}
		for _, span := range p.screen.found.matcher.Spans(nil, one.Text) {
			one.Spans = append(one.Spans, kit.Span{Start: span.Start, End: span.End, Look: found})
		}
		lines = append(lines, one)
	}
	return append(lines, sentence(nil, ""))
}
