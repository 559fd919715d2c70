package viewer

import (
	"context"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/search"
	"memcurator/render/bigfile"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Finder is "/" in the open file, or the store's search in it: what is looked for, how many matches there are, and which of
// them is under the cursor.
type Finder struct {
	env     *ui.Env
	view    *viewport
	opening *ui.Opening
	query   wanted
	landing *Target       // match to go to as soon as its file is open
	hits    *atomic.Int64 // matches counted so far, written by the count job
	exact   bool          // hits is the whole number
	// The match under the cursor: bytes of a body line, so that it keeps its meaning
	// when the file changes above it.
	has        bool
	line       int
	start, end int64
	rank       int // its number among the matches of the file, from 1; 0: unknown
	// owed are steps to other matches, true for backward, that were asked for while one was
	// looked for: a key that is held down must not lose any.
	owed []bool
}

// maxOwed bounds the steps that wait.
const maxOwed = 1000

// forget drops the match under the cursor.
func (f *Finder) forget() { f.has, f.rank = false, 0 }

type found struct {
	of       *document
	query    wanted
	hit      bigfile.Hit
	rank     int  // of the hit, 0: unknown
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

func (f *Finder) counted(v counted) {
	if v.query == f.query && f.hits != nil {
		f.hits.Store(int64(v.hits))
		f.exact = v.err == nil
	}
}

// SetQuery highlights text and counts its matches; capitals in it make the search
// exact, as in other pagers. Empty ends the search.
func (f *Finder) SetQuery(query string) tea.Cmd {
	return f.lookFor(wanted{Query: bigfile.SmartCase(query)})
}

func (f *Finder) lookFor(q wanted) tea.Cmd {
	if q == f.query {
		return nil
	}
	*f = Finder{env: f.env, view: f.view, opening: f.opening, query: q}
	f.env.Jobs.Cancel(OwnerFind)
	f.env.Jobs.Cancel(ownerRank)
	return f.recount()
}

// Query returns the text searched for.
func (f *Finder) Query() string { return f.query.Text }

// SearchState describes the search for the status line; empty: none.
func (f *Finder) SearchState() string {
	if f.query.Text == "" || f.hits == nil {
		return ""
	}
	query, count := text.Clean(f.query.Text), int(f.hits.Load())
	if rank, _ := f.Rank(); rank > 0 && rank <= count {
		return ui.MatchPlaceText(query, rank, count, !f.exact)
	}
	return ui.MatchText(query, count, !f.exact)
}

func (f *Finder) recount() tea.Cmd {
	f.env.Jobs.Cancel(OwnerCount)
	f.hits, f.exact = nil, false
	if f.query.Text == "" || f.view.layout.doc == nil || f.view.layout.doc.body == nil {
		return nil
	}
	hits := &atomic.Int64{}
	f.hits = hits
	d, q := f.view.layout.doc, f.query
	return f.env.Jobs.Start(OwnerCount, ui.LabelSearch, func(ctx context.Context, progress *ui.Progress) (any, error) {
		n, err := q.count(ctx, d, func(n int, done int64) {
			hits.Store(int64(n))
			progress.Set(done, d.info.Size)
		})
		return counted{d, q, n, err}, ctx.Err()
	})
}

// Jump goes to the first match at or after the cursor: what enter does in the search line.
func (f *Finder) Jump() tea.Cmd {
	doc := f.view.layout.doc
	if doc == nil || doc.body == nil || f.query.Text == "" {
		return nil
	}
	return f.find(f.view.pos.line-doc.headRows(), 0, false, 0)
}

// next goes to the next match as seen from the one under the cursor or, when the
// cursor was moved away from it, from the cursor's line.
func (f *Finder) next(backward bool) tea.Cmd {
	if f.query.Text == "" {
		f.env.Emit(ui.Say{Level: ui.Warn, Text: f.env.Keyed(ui.TextNoSearch)})
		return nil
	}
	if f.env.Jobs.Running(OwnerFind) || f.landing != nil {
		if len(f.owed) < maxOwed {
			f.owed = append(f.owed, backward)
		}
		return nil
	}
	doc := f.view.layout.doc
	switch {
	case doc == nil || doc.body == nil:
		f.owed = nil
		return nil
	case f.query.matcher != nil && doc.info.Kind == memstore.KindDir: // the search of the store does not look into listings
		f.env.Emit(ui.PastMatches{Path: doc.path, Backward: backward})
		return nil
	}
	line := f.view.pos.line - doc.headRows()
	switch {
	case !f.has || f.line != line:
		return f.find(line, 0, backward, 0)
	case backward:
		return f.find(line, f.start, true, 0)
	case f.rank > 0:
		return f.find(line, f.end, false, f.rank+1)
	default:
		return f.find(line, f.end, false, 0)
	}
}

// find looks for the next match from a byte of a body line and goes around the end once.
// rank is the number that the match will have if the end is not gone around; 0: unknown.
func (f *Finder) find(line int, offset int64, backward bool, rank int) tea.Cmd {
	d, q := f.view.layout.doc, f.query
	return f.env.Jobs.Start(OwnerFind, ui.LabelSearch, func(ctx context.Context, _ *ui.Progress) (any, error) {
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

// TextMatchGone says that a match of the store is no longer where it was found.
const TextMatchGone = "The match is gone. {global/refresh} in the search tab searches again"

func (f *Finder) foundHit(v found) tea.Cmd {
	if v.of != f.view.layout.doc || v.query != f.query {
		return nil
	}
	switch {
	case v.err != nil:
		f.owed = nil
		f.env.Emit(ui.Say{Level: ui.Fail, Text: ui.TextRestUnreadable})
		return nil
	case v.query.matcher != nil && !v.landed && (v.around || !v.ok):
		f.env.Emit(ui.PastMatches{Path: f.view.layout.doc.path, Backward: v.backward})
		return nil
	case v.landed && !v.ok:
		f.owed = nil
		f.env.Emit(ui.Say{Level: ui.Warn, Text: f.env.Keyed(TextMatchGone)})
		return nil
	case !v.ok:
		f.owed = nil
		f.env.Emit(ui.Say{Level: ui.Warn, Text: ui.NotFoundText(v.query.Text)})
		return nil
	case v.around:
		f.env.Emit(ui.Say{Text: ui.WrappedText(v.backward)})
	}
	f.has, f.line, f.start, f.end = true, v.hit.Line, v.hit.Start-v.hit.Offset, v.hit.End-v.hit.Offset
	f.rank = v.rank
	f.view.moveTo(f.view.layout.doc.headRows() + f.line)
	f.view.aimAt(aim{kind: aimSeen, offset: f.start, length: int(f.end - f.start)})
	if owed := f.owed; len(owed) > 0 {
		f.owed = owed[1:]
		return f.next(owed[0])
	}
	return tea.Batch(f.view.ensure(), f.countRank(v))
}

// ranked is the outcome of a rank job.
type ranked struct {
	query wanted
	line  int
	start int64 // of the match, in its line
	rank  int
}

// countRank counts the matches before the one that was found.
func (f *Finder) countRank(v found) tea.Cmd {
	f.env.Jobs.Cancel(ownerRank)
	if v.rank > 0 {
		return nil
	}
	out := ranked{query: v.query, line: f.line, start: f.start}
	return f.env.Jobs.Start(ownerRank, ui.LabelSearch, func(ctx context.Context, _ *ui.Progress) (any, error) {
		before, err := v.query.countBefore(ctx, v.of, v.hit.Start)
		if err == nil {
			out.rank = before + 1
		}
		return out, ctx.Err()
	})
}

func (f *Finder) ranked(v ranked) {
	if f.has && f.query == v.query && f.line == v.line && f.start == v.start {
		f.rank = v.rank
	}
}

// Rank is the number of the match under the cursor among those of the file, from 1; 0 when
// the cursor is on none or it is not counted yet. matcher is what the search of the store
// gave the view to look for, nil for what was typed here.
func (f *Finder) Rank() (rank int, matcher *search.Matcher) {
	doc := f.view.layout.doc
	if doc == nil || !f.has || f.line != f.view.pos.line-doc.headRows() {
		return 0, f.query.matcher
	}
	return f.rank, f.query.matcher
}

// marks returns the matches of the search in the line at place i of the page.
func (f *Finder) marks(i int) [][2]int {
	q := f.query
	if q.empty() {
		return nil
	}
	c := &f.view.layout.win.cache
	if c.marked == nil || c.query != q {
		c.marked, c.marks, c.query = make([]bool, len(f.view.layout.win.lines)), make([][][2]int, len(f.view.layout.win.lines)), q
	}
	if !c.marked[i] {
		c.marked[i] = true
		c.marks[i] = q.matches(f.view.layout.doc, f.view.layout.win.lines[i].Text)
	}
	return c.marks[i]
}

// place finds the match under the cursor among those of a line, -1 for none.
func (f *Finder) place(line piece, marks [][2]int) int {
	if !f.has || f.line != line.Number {
		return -1
	}
	for i, m := range marks {
		if line.from+int64(m[0]) == f.start {
			return i
		}
	}
	return -1
}
