package stores

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
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
	_, at, ok := r.selected()
	if !ok || at == nil || at.Line == 0 {
		return m, false
	}
	return *at, true
}

// readNear reads the lines around the match under the cursor once that rests.
func (p *page) readNear(row Row) tea.Cmd {
	s := p.screen
	m, ok := s.found.match()
	if !ok || s.Near == nil {
		p.env.Jobs.Cancel(ownerNear)
		return nil
	}
	if p.near != nil && p.near.of == m {
		return nil
	}
	wait, read := p.env.Debounce, s.Near
	return ui.Start(p.env.Jobs, ui.Job[nearby]{
		Owner: ownerNear, Label: "reading the lines around a match",
		Work: func(ctx context.Context, _ *ui.Progress) (out nearby, err error) {
			out.of = m
			if err := ui.Debounce(ctx, wait); err != nil {
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
func (p *page) around() (lines []line) {
	m, ok := p.screen.found.match()
	if !ok {
		return nil
	}
	lines = append(lines, line{says: ui.PathText(m.Path) + ":" + strconv.Itoa(m.Line), look: dim})
	near := p.near
	if near == nil || near.of != m || near.why != "" || len(near.lines) == 0 {
		if near != nil && near.of == m && near.why != "" {
			lines = append(lines, line{says: near.why, look: warned})
		}
		near = &nearby{lines: []string{m.Text}, first: m.Line}
	}
	for i, said := range near.lines {
		number := near.first + i
		one := line{word: strconv.Itoa(number), says: said, look: beside}
		if number == m.Line {
			one.look = matched
		}
		lines = append(lines, one)
	}
	return append(lines, line{})
}

// putMatches draws part of a text with what the search found in it. A match may begin before the part, or end after it.
func (r *results) putMatches(row *ui.Row, line string, part text.Row, plain, found theme.Paint) {
	from := part.Start
	for _, span := range r.matcher.Spans(nil, []byte(line)) {
		start, end := max(span.Start, from), min(span.End, part.End)
		if start >= end {
			continue
		}
		row.Put(line[from:start], plain)
		row.Put(line[start:end], found)
		from = end
	}
	row.Put(line[from:part.End], plain)
}
