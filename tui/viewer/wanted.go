package viewer

import (
	"bytes"
	"context"
	"math"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/search"
	"memcurator/render/bigfile"
	"memcurator/tui/ui"
)

// wanted is what the view looks for: the text typed at "/", or what the search of the
// store looked for, so that both find the same. Its methods do I/O.
type wanted struct {
	bigfile.Query                 // Text is what people read in either case
	matcher       *search.Matcher // nil: Query
}

func (w wanted) empty() bool { return w.Text == "" }

func (w wanted) matches(d *document, line []byte) [][2]int {
	if w.matcher == nil {
		return d.body.Matches(line, w.Query)
	}
	var out [][2]int
	for _, s := range w.matcher.Spans(nil, line) {
		out = append(out, [2]int{s.Start, s.End})
	}
	return out
}

func (w wanted) find(ctx context.Context, d *document, from int64, backward bool) (bigfile.Hit, bool, error) {
	if w.matcher == nil {
		return d.body.Find(ctx, w.Query, from, backward)
	}
	size, err := d.source.Size()
	if err != nil {
		return bigfile.Hit{}, false, err
	}
	m, ok, err := w.matcher.Find(ctx, d.source, size, from, backward)
	return bigfile.Hit{Line: -1, Offset: -1, Start: m[0], End: m[1]}, ok, err
}

func (w wanted) count(ctx context.Context, d *document, report func(hits int, done int64)) (int, error) {
	if w.matcher == nil {
		return d.body.Count(ctx, w.Query, report)
	}
	size, err := d.source.Size()
	if err != nil {
		return 0, err
	}
	return w.matcher.Count(ctx, d.source, size, size, report)
}

// countBefore counts the matches that start before a byte of the body.
func (w wanted) countBefore(ctx context.Context, d *document, place int64) (int, error) {
	if w.matcher == nil {
		return d.body.CountBefore(ctx, w.Query, place)
	}
	size, err := d.source.Size()
	if err != nil {
		return 0, err
	}
	return w.matcher.Count(ctx, d.source, size, place, nil)
}

// Target is a match that the search of the store found in the open file, or in the one
// that is being opened.
type Target struct {
	Matcher    *search.Matcher
	Start, End int64  // bytes of the file
	Text       []byte // of the line, around the match; nil: the match itself is unknown
	Last       bool   // the last match of the file is meant, whatever Start says
}

// SetMatcher looks for what the search of the store looks for, from where the user is.
func (f *Finder) SetMatcher(m *search.Matcher) tea.Cmd { return f.lookFor(wantedOf(m)) }

func wantedOf(m *search.Matcher) wanted {
	return wanted{bigfile.Query{Text: m.Query().String(), Fold: m.Fold()}, m}
}

// GoToMatch looks for what the matcher looks for and goes to a match as soon as the file is
// open. Where the file has changed since, it goes to the match that is nearest to where it
// was, in a line of the same text if there is one.
func (f *Finder) GoToMatch(t Target) tea.Cmd {
	cmd := f.lookFor(wantedOf(t.Matcher))
	f.landing = &t
	if doc := f.view.layout.doc; f.opening.Busy() || doc == nil || doc.path != f.opening.Target {
		return cmd
	}
	return tea.Batch(cmd, f.land())
}

// land goes to the match that is waited for, when its file is open.
func (f *Finder) land() tea.Cmd {
	t := f.landing
	f.landing = nil
	if t == nil {
		return nil
	}
	if f.view.layout.doc.body == nil {
		f.env.Emit(ui.Say{Level: ui.Warn, Text: f.env.Keyed(TextMatchGone)})
		return nil
	}
	d, q := f.view.layout.doc, f.query
	return f.env.Jobs.Start(OwnerFind, ui.LabelSearch, func(ctx context.Context, _ *ui.Progress) (any, error) {
		v := found{of: d, query: q, landed: true}
		v.hit, v.ok, v.err = t.locate(ctx, d)
		if v.ok && v.err == nil {
			v.err = d.place(ctx, &v.hit)
		}
		return v, ctx.Err()
	})
}

// locate finds the match again.
func (t *Target) locate(ctx context.Context, d *document) (bigfile.Hit, bool, error) {
	size, err := d.source.Size()
	if err != nil {
		return bigfile.Hit{}, false, err
	}
	from := t.Start
	if t.Last {
		from = math.MaxInt64 / 2
	}
	m, ok, err := t.Matcher.Find(ctx, d.source, size, from, t.Last)
	if err != nil || ok && (t.Last || t.Text == nil || m == [2]int64{t.Start, t.End} && t.sameLine(d, m[0])) {
		return bigfile.Hit{Line: -1, Offset: -1, Start: m[0], End: m[1]}, ok, err
	}
	return t.nearest(ctx, d, size)
}

// sameLine reports whether the text around a match is what it was.
func (t *Target) sameLine(d *document, start int64) bool {
	buf := make([]byte, len(t.Text))
	before := int64(t.before())
	n, _ := d.source.ReadAt(buf, max(0, start-before)) // what cannot be read is not the same
	return n == len(buf) && bytes.Equal(buf, t.Text)
}

// before is how much of Text is before the first match in it.
func (t *Target) before() int {
	if spans := t.Matcher.Spans(nil, t.Text); len(spans) > 0 {
		return spans[0].Start
	}
	return 0
}

// nearest is the match that most likely is the one meant.
func (t *Target) nearest(ctx context.Context, d *document, size int64) (bigfile.Hit, bool, error) {
	best, found, same := bigfile.Hit{Line: -1, Offset: -1}, false, false
	distance := int64(math.MaxInt64)
	_, err := t.Matcher.Lines(ctx, d.source, size, func(h *search.Hit) bool {
		away := max(h.Start-t.Start, t.Start-h.Start)
		alike := bytes.HasSuffix(h.Text, t.Text)
		if !found || alike && !same || alike == same && away < distance {
			best.Start, best.End, found, same, distance = h.Start, h.End, true, alike, away
		}
		return true
	})
	return best, found, err
}
