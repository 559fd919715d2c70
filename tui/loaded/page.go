package loaded

import (
	"fmt"
	"strconv"
	"strings"

	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// wrapUpTo bounds the bytes of a line that are wrapped; the rest of a longer one is cut.
const wrapUpTo = 64 << 10

// kind is the kind of a row of the page.
type kind uint8

const (
	said  kind = iota // by the program
	gauge             // how much of the limit is used
	title             // where a file begins
	given             // a line that the agent gets
	cut               // where a limit cuts
	bad               // why a file is not loaded
)

// row is a row of the page; a long one takes several of the screen.
type row struct {
	kind kind
	file int // of [load.Start.Files]; -1: none
	line int // of the file, from 1; 0: none
	text []byte
}

// layout makes the page.
func layout(s *load.Start) (rows []row) {
	put := func(k kind, file, line int, text string) { rows = append(rows, row{k, file, line, []byte(text)}) }
	if s == nil {
		return nil
	}
	if s.Rule.Off != "" {
		put(said, -1, 0, "Nothing is loaded when a session starts: "+s.Rule.Off)
		return rows
	}
	if s.Rule.OnDemand() && len(s.Files) == 0 {
		put(said, -1, 0, "Nothing is loaded when a session starts: the agent reads notes on demand")
		return rows
	}
	put(gauge, -1, 0, summary(s))
	if s.Rule.Source != "" {
		put(said, -1, 0, "Source: "+s.Rule.Source)
	}
	if len(s.Files) == 0 {
		put(said, -1, 0, "")
		put(said, -1, 0, "Nothing is loaded: "+strings.Join(s.Rule.Files, ", ")+" does not exist")
	}
	for i := range s.Files {
		f := &s.Files[i]
		put(said, i, 0, "")
		put(title, i, 1, f.Name+"  "+amounts(f))
		if f.Heading != "" {
			for line := range strings.SplitSeq(strings.TrimSuffix(f.Heading, "\n"), "\n") {
				put(given, i, 0, line)
			}
		}
		for _, l := range f.Lines() {
			rows = append(rows, row{given, i, l.Number, l.Text})
		}
		if why := cutText(s.Rule, f); why != "" {
			put(cut, i, f.Line+1, why)
		}
		if f.Problem != "" {
			put(bad, i, 0, "Can't load it: "+f.Problem)
		}
	}
	if s.More {
		put(bad, -1, 0, "More files to load than are shown")
	}
	return rows
}

// summary is how much a session starts with: of which limit, in tokens, and how these are estimated.
func summary(s *load.Start) string {
	g := s.Gauge()
	parts := []string{g.Words()}
	if g.Level() == loadlimit.Unlimited {
		parts[0] = text.Number(s.Given.Lines) + " " + text.Plural(int(min(s.Given.Lines, 2)), "line") + ", no limit"
	}
	if state := g.State(); state != "" {
		parts = append(parts, state)
	}
	if g.Unit() != loadlimit.Bytes {
		parts = append(parts, text.Size(s.Given.Bytes))
	}
	return strings.Join(append(parts, loadlimit.Estimate(s.Given.Tokens)), ", ")
}

// amounts is how much an agent gets of a file: "48 lines, 3.1K, about 790 tokens, whole".
func amounts(f *load.File) string {
	if f.Problem != "" && len(f.Text) == 0 {
		return "not loaded"
	}
	of := func(n int64, one string) string { return text.Number(n) + " " + text.Plural(int(min(n, 2)), one) }
	amounts := of(f.Given.Lines, "line") + ", " + text.Size(f.Given.Bytes) + ", about " + loadlimit.About(f.Given.Tokens) + " " +
		text.Plural(int(min(f.Given.Tokens, 2)), "token")
	switch {
	case f.By == "":
		return amounts + ", whole"
	case f.Given.Bytes == 0:
		return "not loaded: the files before it use up the limit"
	}
	return amounts + " of " + of(f.Have.Lines, "line") + ", " + text.Size(f.Have.Bytes)
}

// cutText describes where a limit cuts a file; "": it is whole.
func cutText(r load.Rule, f *load.File) string {
	if f.By == "" {
		return ""
	}
	most := f.Limit.Of(f.By)
	if r.Together {
		most = r.Limit().Of(f.By)
	}
	limit := loadlimit.Amount(f.By, most)
	if f.By != loadlimit.Bytes {
		limit += " " + text.Plural(int(min(most, 2)), strings.TrimSuffix(string(f.By), "s"))
	}
	if r.Together {
		limit += " for all files"
	}
	lines, bytes := f.Have.Lines-f.Given.Lines, f.Have.Bytes-f.Given.Bytes
	rest := text.Size(bytes)
	if lines > 0 {
		rest = text.Number(lines) + " " + text.Plural(int(min(lines, 2)), "line") + ", " + rest
	}
	switch {
	case f.Given.Bytes == 0:
		return "not loaded: " + rest
	case f.Tail > 0:
		return fmt.Sprintf("limit of %s: %s from its middle not loaded", limit, rest)
	}
	return fmt.Sprintf("cut here by the limit of %s: %s not loaded", limit, rest)
}

// The least widths at which lines have their numbers, and the first row has its bar; numberCells is the width of a number.
const (
	numbersFrom = 45
	barFrom     = 60
	numberCells = 6
)

// indent is how many cells come before the text of a row.
func (p *Pane) indent(r *row) int {
	if r.kind == given && p.w >= numbersFrom {
		return 1 + numberCells
	}
	return 2
}

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	out := make([]string, 0, p.h)
	if len(p.rows) == 0 {
		out = ui.Notice(p.env, "Reading what a session starts with", p.w)
	}
	skip := p.view.Top.Row
	for i := p.view.Top.Line; i < len(p.rows) && len(out) < p.h; i++ {
		parts := p.parts(&p.rows[i])
		for k := min(skip, len(parts)); k < len(parts) && len(out) < p.h; k++ {
			out = append(out, p.row(i, k, parts[k], focused))
		}
		skip = 0
	}
	return ui.FillRows(out, p.w, p.h)
}

// row draws a row of the screen: the cursor, the number of the line, the text.
func (p *Pane) row(at, k int, part text.Row, focused bool) string {
	st, r := p.env.Styles, &p.rows[at]
	cursor := at == p.view.Cursor.Line
	base := p.paint(r)
	if cursor && focused {
		base = st.Selected
	}
	lead := " "
	if cursor && k == 0 {
		lead = st.Glyphs.Cursor
	}
	row := ui.Row{Room: p.w}
	row.Put(lead, base.With(st.Accent))
	number := ""
	if r.kind == given && r.line > 0 && k == 0 {
		number = strconv.Itoa(r.line)
	}
	row.Put(text.PadLeft(number, p.indent(r)-2)+" ", base.With(st.Dim))
	if r.kind == gauge && p.w >= barFrom {
		if g := p.start.Gauge(); g.Level() != loadlimit.Unlimited && k == 0 {
			row.Put(g.Bar()+"  ", base.With(ui.GaugePaint(g, st)))
		} else if g.Level() != loadlimit.Unlimited {
			row.Put(strings.Repeat(" ", loadlimit.BarCells+2), base)
		}
	}
	if row.Room <= 0 {
		return row.String()
	}
	room := row.Room
	row.Room = 0
	c := ui.Cells{Env: p.env, Line: r.text, Room: room, First: part.Col, At: part.Col}
	done := part.Start
	matches, current := p.search.On(at, 0)
	for i, m := range matches {
		from, to := max(done, m.Start), min(part.End, m.End)
		if from >= to {
			continue
		}
		paint := st.Match
		if i == current {
			paint = st.MatchCurrent
		}
		c.Add(done, from, base)
		c.Add(from, to, paint)
		done = to
	}
	c.Add(done, part.End, base)
	return row.String() + c.String(base)
}

func (p *Pane) paint(r *row) theme.Paint {
	st := p.env.Styles
	switch r.kind {
	case said:
		return st.Dim
	case title:
		return st.Title
	case cut, bad:
		return st.Warning
	}
	return st.Text
}
