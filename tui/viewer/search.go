package viewer

import (
	"context"
	"math"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/bigfile"
	"memcurator/render/text"
	"memcurator/tui/pane"
)

// search is the state of "/" in the open file.
type search struct {
	query bigfile.Query
	hits  *atomic.Int64 // matches counted so far, written by the count job
	exact bool          // hits is the whole number
	// The match under the cursor: bytes of a body line, so that it keeps its meaning
	// when the file changes above it.
	has        bool
	line       int
	start, end int64
}

// forget drops the match under the cursor.
func (s *search) forget() { s.has = false }

type found struct {
	of       *document
	query    bigfile.Query
	hit      bigfile.Hit
	ok       bool
	around   bool // the search went around the end of the file
	backward bool
	err      error
}

type counted struct {
	of    *document
	query bigfile.Query
	hits  int
	err   error
}

func (s *search) counted(v counted) {
	if v.query == s.query && s.hits != nil {
		s.hits.Store(int64(v.hits))
		s.exact = v.err == nil
	}
}

// SetQuery highlights text and counts its matches; capitals in it make the search
// exact, as in other pagers. Empty ends the search.
func (p *Pane) SetQuery(query string) tea.Cmd {
	q := bigfile.Query{Text: query, Fold: query == strings.ToLower(query)}
	if q == p.search.query {
		return nil
	}
	p.search = search{query: q}
	p.env.Jobs.Cancel(OwnerFind)
	return p.recount()
}

// Query returns the text searched for.
func (p *Pane) Query() string { return p.search.query.Text }

// SearchState describes the search for the status line; empty: none.
func (p *Pane) SearchState() string {
	if p.search.query.Text == "" || p.search.hits == nil {
		return ""
	}
	return pane.MatchText(text.Clean(p.search.query.Text), int(p.search.hits.Load()), !p.search.exact)
}

func (p *Pane) recount() tea.Cmd {
	p.env.Jobs.Cancel(OwnerCount)
	p.search.hits, p.search.exact = nil, false
	if p.search.query.Text == "" || p.doc == nil || p.doc.body == nil {
		return nil
	}
	hits := &atomic.Int64{}
	p.search.hits = hits
	d, q := p.doc, p.search.query
	return p.env.Jobs.Start(OwnerCount, pane.LabelSearch, func(ctx context.Context, progress *pane.Progress) (any, error) {
		n, err := d.body.Count(ctx, q, func(n int, done int64) {
			hits.Store(int64(n))
			progress.Set(done, d.info.Size)
		})
		return counted{d, q, n, err}, ctx.Err()
	})
}

// Jump goes to the first match at or after the cursor: what enter does in the search line.
func (p *Pane) Jump() tea.Cmd {
	if p.doc == nil || p.doc.body == nil || p.search.query.Text == "" {
		return nil
	}
	return p.find(p.pos.line-p.doc.headRows(), 0, false)
}

// next goes to the next match as seen from the one under the cursor or, when the
// cursor was moved away from it, from the cursor's line.
func (p *Pane) next(backward bool) tea.Cmd {
	if p.search.query.Text == "" {
		p.env.Emit(pane.Say{Level: pane.Warn, Text: pane.TextNoSearch})
		return nil
	}
	if p.doc == nil || p.doc.body == nil {
		return nil
	}
	line := p.pos.line - p.doc.headRows()
	switch {
	case !p.search.has || p.search.line != line:
		return p.find(line, 0, backward)
	case backward:
		return p.find(line, p.search.start, true)
	default:
		return p.find(line, p.search.end, false)
	}
}

// find looks for the next match from a byte of a body line and goes around the end once.
func (p *Pane) find(line int, offset int64, backward bool) tea.Cmd {
	d, q := p.doc, p.search.query
	return p.env.Jobs.Start(OwnerFind, pane.LabelSearch, func(ctx context.Context, _ *pane.Progress) (any, error) {
		v := found{of: d, query: q, backward: backward}
		from := offset
		if line > 0 {
			if at, ok := d.body.LineStart(line); ok {
				from += at
			}
		}
		v.hit, v.ok, v.err = d.body.Find(ctx, q, from, backward)
		if v.err == nil && !v.ok {
			v.around, from = true, 0
			if backward {
				from = math.MaxInt64 / 2
			}
			v.hit, v.ok, v.err = d.body.Find(ctx, q, from, backward)
		}
		if v.ok && v.err == nil {
			v.err = d.place(ctx, &v.hit)
		}
		return v, ctx.Err()
	})
}

// place finds out in which line a match is, as soon as the lines are counted that far.
func (d *document) place(ctx context.Context, hit *bigfile.Hit) error {
	if hit.Line >= 0 {
		return nil
	}
	if err := d.body.Index(ctx, nil); err != nil { // waits for the index job
		return err
	}
	line, ok := d.body.LineAt(hit.Start)
	if !ok {
		return bigfile.ErrNotIndexed
	}
	hit.Line = line
	if hit.Offset, ok = d.body.LineStart(line); !ok {
		return bigfile.ErrNotIndexed
	}
	return nil
}

func (p *Pane) foundHit(v found) tea.Cmd {
	if v.of != p.doc || v.query != p.search.query {
		return nil
	}
	switch {
	case v.err != nil:
		p.env.Emit(pane.Say{Level: pane.Fail, Text: pane.TextRestUnreadable})
		return nil
	case !v.ok:
		p.env.Emit(pane.Say{Level: pane.Warn, Text: pane.NotFoundText(v.query.Text)})
		return nil
	case v.around:
		p.env.Emit(pane.Say{Text: pane.WrappedText(v.backward)})
	}
	s := &p.search
	s.has, s.line, s.start, s.end = true, v.hit.Line, v.hit.Start-v.hit.Offset, v.hit.End-v.hit.Offset
	p.moveTo(p.doc.headRows() + s.line)
	p.aimAt(aim{kind: aimSeen, offset: s.start, length: int(s.end - s.start)})
	return p.ensure()
}
