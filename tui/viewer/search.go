package viewer

import (
	"context"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/search"
	"memcurator/render/bigfile"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// searchState is the state of "/" in the open file, or of the store's search in it.
type searchState struct {
	query wanted
	hits  *atomic.Int64 // matches counted so far, written by the count job
	exact bool          // hits is the whole number
	// The match under the cursor: bytes of a body line, so that it keeps its meaning
	// when the file changes above it.
	has        bool
	line       int
	start, end int64
	rank       int // its number among the matches of the file, from 1; 0: not known
	// owed are steps to other matches, true for backward, that were asked for while one was
	// looked for: a key that is held down must not lose any.
	owed []bool
}

// maxOwed bounds the steps that wait.
const maxOwed = 1000

// forget drops the match under the cursor.
func (s *searchState) forget() { s.has, s.rank = false, 0 }

type found struct {
	of       *document
	query    wanted
	hit      bigfile.Hit
	rank     int  // of the hit, 0: not known
	landed   bool // it is what a [Target] asked for
	ok       bool
	around   bool // the search went around the end of the file
	backward bool
	err      error
}

type counted struct {
	of    *document
	query wanted
	hits  int
	err   error
}

func (s *searchState) counted(v counted) {
	if v.query == s.query && s.hits != nil {
		s.hits.Store(int64(v.hits))
		s.exact = v.err == nil
	}
}

// SetQuery highlights text and counts its matches; capitals in it make the search
// exact, as in other pagers. Empty ends the search.
func (p *Pane) SetQuery(query string) tea.Cmd {
	return p.lookFor(wanted{Query: bigfile.SmartCase(query)})
}

func (p *Pane) lookFor(q wanted) tea.Cmd {
	if q == p.search.query {
		return nil
	}
	p.search, p.landing = searchState{query: q}, nil
	p.env.Jobs.Cancel(OwnerFind)
	p.env.Jobs.Cancel(OwnerRank)
	return p.recount()
}

// Query returns the text searched for.
func (p *Pane) Query() string { return p.search.query.Text }

// SearchState describes the search for the status line; empty: none.
func (p *Pane) SearchState() string {
	if p.search.query.Text == "" || p.search.hits == nil {
		return ""
	}
	query, count := text.Clean(p.search.query.Text), int(p.search.hits.Load())
	if rank, _ := p.Rank(); rank > 0 && rank <= count {
		return ui.MatchPlaceText(query, rank, count, !p.search.exact)
	}
	return ui.MatchText(query, count, !p.search.exact)
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
	return p.env.Jobs.Start(OwnerCount, ui.LabelSearch, func(ctx context.Context, progress *ui.Progress) (any, error) {
		n, err := q.count(ctx, d, func(n int, done int64) {
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
	return p.find(p.pos.line-p.doc.headRows(), 0, false, 0)
}

// next goes to the next match as seen from the one under the cursor or, when the
// cursor was moved away from it, from the cursor's line.
func (p *Pane) next(backward bool) tea.Cmd {
	if p.search.query.Text == "" {
		p.env.Emit(ui.Say{Level: ui.Warn, Text: p.env.Keyed(ui.TextNoSearch)})
		return nil
	}
	if p.env.Jobs.Running(OwnerFind) || p.landing != nil {
		if len(p.search.owed) < maxOwed {
			p.search.owed = append(p.search.owed, backward)
		}
		return nil
	}
	if p.doc == nil || p.doc.body == nil {
		p.search.owed = nil
		return nil
	}
	line := p.pos.line - p.doc.headRows()
	switch {
	case !p.search.has || p.search.line != line:
		return p.find(line, 0, backward, 0)
	case backward:
		return p.find(line, p.search.start, true, 0)
	case p.search.rank > 0:
		return p.find(line, p.search.end, false, p.search.rank+1)
	default:
		return p.find(line, p.search.end, false, 0)
	}
}

// find looks for the next match from a byte of a body line and goes around the end once.
// rank is the number that the match will have if the end is not gone around; 0: not known.
func (p *Pane) find(line int, offset int64, backward bool, rank int) tea.Cmd {
	d, q := p.doc, p.search.query
	return p.env.Jobs.Start(OwnerFind, ui.LabelSearch, func(ctx context.Context, _ *ui.Progress) (any, error) {
		v := found{of: d, query: q, backward: backward, rank: rank}
		from := offset
		if line > 0 {
			if at, ok := d.body.LineStart(line); ok {
				from += at
			}
		}
		v.hit, v.ok, v.around, v.err = ui.FindAround(func(from int64, backward bool) (bigfile.Hit, bool, error) {
			return q.find(ctx, d, from, backward)
		}, from, backward)
		if v.around {
			v.rank = 0
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

const TextMatchGone = "the match is not there any more; r in the search tab searches again"

func (p *Pane) foundHit(v found) tea.Cmd {
	if v.of != p.doc || v.query != p.search.query {
		return nil
	}
	switch {
	case v.err != nil:
		p.search.owed = nil
		p.env.Emit(ui.Say{Level: ui.Fail, Text: ui.TextRestUnreadable})
		return nil
	case v.query.matcher != nil && !v.landed && (v.around || !v.ok):
		p.env.Emit(ui.PastMatches{Path: p.doc.path, Backward: v.backward})
		return nil
	case v.landed && !v.ok:
		p.search.owed = nil
		p.env.Emit(ui.Say{Level: ui.Warn, Text: TextMatchGone})
		return nil
	case !v.ok:
		p.search.owed = nil
		p.env.Emit(ui.Say{Level: ui.Warn, Text: ui.NotFoundText(v.query.Text)})
		return nil
	case v.around:
		p.env.Emit(ui.Say{Text: ui.WrappedText(v.backward)})
	}
	s := &p.search
	s.has, s.line, s.start, s.end = true, v.hit.Line, v.hit.Start-v.hit.Offset, v.hit.End-v.hit.Offset
	s.rank = v.rank
	p.moveTo(p.doc.headRows() + s.line)
	p.aimAt(aim{kind: aimSeen, offset: s.start, length: int(s.end - s.start)})
	if owed := s.owed; len(owed) > 0 {
		s.owed = owed[1:]
		return p.next(owed[0])
	}
	return tea.Batch(p.ensure(), p.countRank(v))
}

// ranked is the outcome of a rank job.
type ranked struct {
	query wanted
	line  int
	start int64 // of the match, in its line
	rank  int
}

// countRank counts the matches before the one that was found.
func (p *Pane) countRank(v found) tea.Cmd {
	p.env.Jobs.Cancel(OwnerRank)
	if v.rank > 0 {
		return nil
	}
	out := ranked{query: v.query, line: p.search.line, start: p.search.start}
	return p.env.Jobs.Start(OwnerRank, ui.LabelSearch, func(ctx context.Context, _ *ui.Progress) (any, error) {
		before, err := v.query.countBefore(ctx, v.of, v.hit.Start)
		if err == nil {
			out.rank = before + 1
		}
		return out, ctx.Err()
	})
}

func (s *searchState) ranked(v ranked) {
	if s.has && s.query == v.query && s.line == v.line && s.start == v.start {
		s.rank = v.rank
	}
}

// Rank is the number of the match under the cursor among those of the file, from 1; 0 when
// the cursor is on none or it is not counted yet. matcher is what the search of the store
// gave the view to look for, nil for what was typed here.
func (p *Pane) Rank() (rank int, matcher *search.Matcher) {
	s := &p.search
	if p.doc == nil || !s.has || s.line != p.pos.line-p.doc.headRows() {
		return 0, s.query.matcher
	}
	return s.rank, s.query.matcher
}
