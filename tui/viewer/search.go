package viewer

import (
	"context"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/bigfile"
	"memcurator/tui/pane"
)

// search is the state of "/" in the open file.
type search struct {
	query   bigfile.Query
	hits    *atomic.Int64 // matches counted so far, written by the count job
	exact   bool          // hits is the whole number
	at      bigfile.Hit   // match under the cursor
	hasHit  bool
	pending bool // at is found but its line is not counted yet
}

type found struct {
	of       *document
	query    bigfile.Query
	hit      bigfile.Hit
	ok       bool
	around   bool // the search went around the end of the file
	backward bool
}

type counted struct {
	of    *document
	query bigfile.Query
	hits  int
}

func (s *search) counted(v counted) {
	if v.query == s.query && s.hits != nil {
		s.hits.Store(int64(v.hits))
		s.exact = true
	}
}

// SetQuery highlights text and counts its matches; capitals in it make the search
// exact, as in other pagers. Empty ends the search.
func (p *Pane) SetQuery(query string) tea.Cmd {
	p.search = search{query: bigfile.Query{Text: query, Fold: query == strings.ToLower(query)}}
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
	return pane.MatchText(p.search.query.Text, int(p.search.hits.Load()), !p.search.exact)
}

func (p *Pane) recount() tea.Cmd {
	p.env.Jobs.Cancel(OwnerCount)
	if p.search.query.Text == "" || p.doc == nil || p.doc.body == nil {
		return nil
	}
	hits := &atomic.Int64{}
	p.search.hits, p.search.exact, p.search.hasHit = hits, false, false
	d, q := p.doc, p.search.query
	return p.env.Jobs.Start(OwnerCount, pane.LabelSearch, func(ctx context.Context, progress *pane.Progress) (any, error) {
		n, err := d.body.Count(ctx, q, func(n int, done int64) {
			hits.Store(int64(n))
			progress.Set(done, d.info.Size)
		})
		return counted{d, q, n}, err
	})
}

// Jump goes to the first match at or after the cursor: what enter does in the search line.
func (p *Pane) Jump() tea.Cmd {
	if p.doc == nil || p.doc.body == nil || p.search.query.Text == "" {
		return nil
	}
	from := int64(0)
	if at, ok := p.doc.body.LineStart(max(0, p.pos.line-p.doc.headRows())); ok {
		from = at
	}
	return p.find(from, false)
}

func (p *Pane) next(backward bool) tea.Cmd {
	if p.search.query.Text == "" {
		p.env.Emit(pane.Say{Level: pane.Warn, Text: pane.TextNoSearch})
		return nil
	}
	if p.doc == nil || p.doc.body == nil {
		return nil
	}
	switch {
	case !p.search.hasHit:
		return p.Jump()
	case backward:
		return p.find(p.search.at.Start, true)
	default:
		return p.find(p.search.at.End, false)
	}
}

// find looks for the next match from a byte offset and goes around the end once.
func (p *Pane) find(from int64, backward bool) tea.Cmd {
	d, q := p.doc, p.search.query
	return p.env.Jobs.Start(OwnerFind, pane.LabelSearch, func(ctx context.Context, _ *pane.Progress) (any, error) {
		hit, ok, err := d.body.Find(ctx, q, from, backward)
		around := false
		if err == nil && !ok {
			start := int64(0)
			if backward {
				start = int64(1)<<62 - 1
			}
			around = true
			hit, ok, err = d.body.Find(ctx, q, start, backward)
		}
		return found{d, q, hit, ok, around, backward}, err
	})
}

func (p *Pane) foundHit(v found) tea.Cmd {
	if v.of != p.doc || v.query != p.search.query {
		return nil
	}
	if !v.ok {
		p.env.Emit(pane.Say{Level: pane.Warn, Text: pane.NotFoundText(v.query.Text)})
		return nil
	}
	if v.around {
		p.env.Emit(pane.Say{Text: pane.WrappedText(v.backward)})
	}
	p.search.at, p.search.hasHit, p.search.pending = v.hit, true, true
	return p.resolveHit()
}

// resolveHit goes to the match as soon as its line is known.
func (p *Pane) resolveHit() tea.Cmd {
	if !p.search.pending {
		return nil
	}
	line, ok := p.doc.body.LineAt(p.search.at.Start)
	if !ok {
		return nil // the index is still on its way; indexDone asks again
	}
	p.search.pending = false
	start, _ := p.doc.body.LineStart(line)
	p.moveTo(p.doc.headRows() + line)
	p.revealByte(p.search.at.Start - start)
	return p.ensure()
}

// revealByte scrolls sideways so that a byte of the cursor's line is on the screen.
func (p *Pane) revealByte(offset int64) {
	if p.wrap {
		return
	}
	p.pos.base = 0
	if offset >= lineBytes {
		p.pos.base = offset / segment * segment
	}
	// Without the line's text a byte counts as a cell: exact for ASCII, far enough else.
	col := int(offset - p.pos.base)
	if col < p.contentWidth()*3/4 {
		p.pos.col = 0
		return
	}
	p.pos.col = col - p.contentWidth()/2
}
