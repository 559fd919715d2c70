package hexdump

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/bigfile"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// search is the state of "/": a text, or bytes as x:de ad be ef.
type search struct {
	typed      string
	query      bigfile.Query
	bad        bool // what follows x: is not a sequence of bytes
	has        bool // there is a match under the cursor
	start, end int64
}

func (s *search) forget() { s.has = false }

// found is the outcome of a search.
type found struct {
	of       *document
	typed    string
	hit      bigfile.Hit
	ok       bool
	around   bool // the search went around an end of the file
	backward bool
	err      error
}

// parse reads what was typed. Bytes are looked for as they are; a text without capitals in
// any case, as in the other tabs.
func parse(typed string) (q bigfile.Query, bad bool) {
	digits, ok := strings.CutPrefix(typed, "x:")
	if !ok {
		return bigfile.SmartCase(typed), false
	}
	digits = strings.Join(strings.Fields(strings.ReplaceAll(digits, ",", " ")), "")
	b, err := hex.DecodeString(digits)
	return bigfile.Query{Text: string(b)}, err != nil
}

// Query implements [ui.Searcher].
func (p *Pane) Query() string { return p.search.typed }

// SetQuery implements [ui.Searcher]. The file is searched when the user accepts.
func (p *Pane) SetQuery(typed string) tea.Cmd {
	if typed != p.search.typed {
		p.env.Jobs.Cancel(OwnerFind)
		p.search = search{typed: typed}
		p.search.query, p.search.bad = parse(typed)
	}
	return nil
}

const textBytes = "Type bytes as pairs of hex digits: x:de ad be ef"

// SearchState implements [ui.Searcher].
func (p *Pane) SearchState() string {
	s := &p.search
	switch {
	case s.typed == "":
		return ""
	case s.bad:
		return textBytes
	case s.has:
		return fmt.Sprintf("%q: at offset 0x%x", text.Clean(s.typed), s.start)
	default:
		return fmt.Sprintf("%q", text.Clean(s.typed)) + p.env.Keyed(": {input/accept} finds it")
	}
}

// Jump implements [ui.Searcher].
func (p *Pane) Jump() tea.Cmd { return p.find(p.cursor, false) }

func (p *Pane) next(backward bool) tea.Cmd {
	s := &p.search
	switch {
	case s.typed == "":
		p.env.Emit(ui.Say{Level: ui.Warn, Text: p.env.Keyed(ui.TextNoSearch)})
		return nil
	case backward:
		return p.find(p.cursor, true)
	case s.has && s.start == p.cursor:
		return p.find(s.start+1, false)
	default:
		return p.find(p.cursor, false)
	}
}

// source lets bigfile search an open file of a store.
type source struct{ memstore.File }

func (s source) Size() (int64, error) {
	info, err := s.Info()
	return info.Size, err
}

// find looks for the next match from an offset and goes around the end once.
func (p *Pane) find(from int64, backward bool) tea.Cmd {
	s := p.search
	if s.bad {
		p.env.Emit(ui.Say{Level: ui.Warn, Text: textBytes})
		return nil
	}
	if s.query.Text == "" || p.doc == nil || p.doc.file == nil {
		return nil
	}
	d := p.doc
	return p.env.Jobs.Start(OwnerFind, ui.LabelSearch, func(ctx context.Context, _ *ui.Progress) (any, error) {
		v := found{of: d, typed: s.typed, backward: backward}
		v.hit, v.ok, v.around, v.err = ui.FindAround(bytesOf(ctx, d, s.query), from, backward)
		return v, ctx.Err()
	})
}

// bytesOf returns the search for a query. What holds a newline is looked for here, because
// bigfile searches within lines only.
func bytesOf(ctx context.Context, d *document, q bigfile.Query) ui.Find[bigfile.Hit] {
	if !strings.Contains(q.Text, "\n") {
		f := bigfile.New(source{d.file})
		return func(from int64, backward bool) (bigfile.Hit, bool, error) { return f.Find(ctx, q, from, backward) }
	}
	return func(from int64, backward bool) (bigfile.Hit, bool, error) {
		at, err := d.scan(ctx, []byte(q.Text), from, backward)
		return bigfile.Hit{Start: at, End: at + int64(len(q.Text))}, at >= 0, err
	}
}

func (p *Pane) received(v found) tea.Cmd {
	if v.of != p.doc || v.typed != p.search.typed {
		return nil
	}
	switch {
	case v.err != nil:
		p.env.Emit(ui.Say{Level: ui.Fail, Text: ui.TextRestUnreadable})
		return nil
	case !v.ok:
		p.env.Emit(ui.Say{Level: ui.Warn, Text: ui.NotFoundText(p.search.typed)})
		return nil
	case v.around:
		p.env.Emit(ui.Say{Text: ui.WrappedText(v.backward)})
	}
	p.search.has, p.search.start, p.search.end = true, v.hit.Start, v.hit.End
	return p.GoTo(v.hit.Start)
}
