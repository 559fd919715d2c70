package kit

import (
	"bytes"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
)

// Look is a paint that follows the theme, which may change while something is shown.
type Look func(*theme.Styles) theme.Paint

func (l Look) or(st *theme.Styles, other theme.Paint) theme.Paint {
	if l == nil {
		return other
	}
	return l(st)
}

// Line is a line of a [Doc].
type Line struct {
	Text []byte // as the user reads it, without the line end; it is made safe as it is drawn
	Look Look   // nil: plain
	// Spans are the parts of Text with looks of their own, from left to right.
	Spans []Span
	Own   bool // of the program, not of the text: the search doesn't look into it
	Tabs  int  // the column of the terminal from which its tab stops are counted
	// Mark comes right before the first row of the line, in the look of the line.
	Mark string
	// Right is what is beside the line, on the right half of the screen; nil: the line has the whole width.
	Right *Line
	Of    any // what the line is of, for [TextSpec]
}

// searched is what the search looks into.
func (l Line) searched() []byte {
	if l.Own {
		return nil
	}
	return l.Text[:min(len(l.Text), lineUpTo)]
}

// Span is a part of a line with a look, which is given the paint of the line.
type Span struct {
	Start, End int // bytes
	Look       func(st *theme.Styles, base theme.Paint) theme.Paint
	Blanks     bool // white space is drawn as signs
}

// Doc is what a [Text] shows. It isn't changed once it is shown.
type Doc struct {
	Note string // why there are no lines, and what to do, with keys as in [Env.Keyed]
	Len  int    // number of lines
	Line func(i int) Line
	Of   any // what the text is of, for [TextSpec]
	// Above is what is above the first line, always in sight; nil: nothing is.
	Above func(width int) string
}

// Lines makes a text of lines.
func Lines(lines []Line) *Doc {
	return &Doc{Len: len(lines), Line: func(i int) Line { return lines[i] }}
}

// TextSpec describes a [Text]. Title, Scope and Owner are needed, everything else is optional.
type TextSpec struct {
	Title string
	Scope keymap.Scope
	Owner string // of its jobs

	// Read reads what is shown of a path. It is called on the Bubble Tea goroutine; what it returns runs in a job with the given label.
	// nil: [Text.Set] is called instead.
	Read  func(path string) func(ctx context.Context) (*Doc, error)
	Label string
	// Begin is Read for the beginning of a large text, which is shown until the whole is read; nil, or no Doc: there is no need.
	Begin func(path string) func(ctx context.Context) (*Doc, error)

	// Lead is what comes before the first row of a line, and its look, in a text that is width cells wide. first: the line is at the top
	// of the screen. Other rows of the line have as many blanks.
	Lead func(l Line, width int, first bool) (lead string, look Look)
	// Edge: a rule stands between what comes before a line and the line, on each of its rows.
	Edge bool
	// Cut: long lines are cut until the user wraps them.
	Cut bool
	// Open is called on enter with what the line under the cursor is of.
	Open func(of any) tea.Cmd
	// Find finds a line of an older text in the text that is shown; nil, or -1: the nearest line with the same words is it.
	Find func(old *Doc, line int) int
	// More are actions beside those of every text, or in place of them.
	More []Action
	// Shown is called when a text was set, before it is drawn; same says that the one before was of the same path. It may move the cursor,
	// which stays on its line, or is on the first line of another path. May be nil.
	Shown func(d *Doc, same bool)
}

// Text shows lines: cursor, wrapping, scrolling to the side, search. Make it with [NewText]. All methods run on the Bubble Tea goroutine.
type Text struct {
	TextSpec
	env     *Env
	actions *Actions
	path    string // to show
	reading string // the path that is being read, "" for none
	again   bool   // it changed meanwhile
	doc     *Doc   // nil: nothing was read yet
	of      string // the path of doc
	search  Search
	w, h    int
	cursor  int            // the line under it
	top     place          // at the top of the screen
	cut     bool           // long lines are cut instead of wrapped
	col     int            // the first cell shown of cut lines
	layouts map[int][]half // of lines near the screen, for one width
}

const (
	// lineUpTo is how many bytes of a line are shown; a sign says that a longer one goes on.
	lineUpTo = 1 << 20
	// layoutsMost is how many lines stay laid out. A screen shows a few dozen at most.
	layoutsMost = 512
)

// NewText makes an empty text.
func NewText(env *Env, s TextSpec) *Text {
	t := &Text{TextSpec: s, env: env, cut: s.Cut}
	t.search = Search{env: env, in: t}
	actions := append(bindMotions(t.motion), t.search.Bindings()...)
	sideways := func(id keymap.ID) func() tea.Cmd { return Do(func() { t.sideways(id) }) }
	actions = append(actions,
		Action{ID: keymap.Left, Run: sideways(keymap.Left)},
		Action{ID: keymap.Right, Run: sideways(keymap.Right)},
		Action{Scope: keymap.Motion, ID: keymap.LineStart, Keys: "^", Help: "scroll to the start of the line",
			Run: sideways(keymap.LineStart)},
		Action{Scope: keymap.Motion, ID: keymap.LineEnd, Keys: "$", Help: "scroll to the end of the line",
			Run: sideways(keymap.LineEnd)},
		Action{Scope: keymap.Text, ID: keymap.Wrap, Keys: "w", Help: "wrap long lines, or cut them", Hint: "wrap",
			Run: Do(func() { t.SetWrap(t.cut) })},
	)
	if s.Open != nil {
		actions = append(actions, Action{ID: keymap.Open, Run: t.open})
	}
	t.actions = NewActions(env, t.Scope, withMore(actions, s.More)...)
	return t
}

// Forget drops the text and the search, as if nothing had been shown.
func (t *Text) Forget() {
	t.env.Jobs.Cancel(t.Owner)
	t.path, t.reading, t.doc, t.of = "", "", nil, ""
	t.cursor, t.top, t.col = 0, place{}, 0
	t.search = Search{env: t.env, in: t}
}

// SetWrap wraps long lines, or cuts them; what is in the middle of the screen of the cursor's line stays in sight.
func (t *Text) SetWrap(on bool) {
	if on != t.cut {
		return
	}
	col, at := 0, 0 // what a cut line begins with, or a wrapped one has in the middle
	if t.cursor < t.lines() {
		h := t.halves(t.cursor)[0]
		o := t.env.Text(h.Tabs)
		if middle, _ := t.walk(t.top, t.Height()/2); on && t.col > 0 {
			at = text.ByteAt(h.Text, t.col+h.room/2, o)
		} else if !on && middle.line == t.cursor {
			col = text.Column(h.Text, h.rows[middle.row].Start, o)
		}
	}
	t.cut, t.col, t.layouts = !on, col, nil
	t.reveal()
	if at > 0 {
		t.ShowBytes(t.cursor, 0, at, at)
	}
}

func (t *Text) open() tea.Cmd {
	if l, ok := t.Current(); ok {
		return t.TextSpec.Open(l.Of)
	}
	return nil
}

// Current is the line under the cursor.
func (t *Text) Current() (Line, bool) {
	if t.cursor < t.lines() && t.of == t.path {
		return t.doc.Line(t.cursor), true
	}
	return Line{}, false
}

// Show implements [FileTab]. The old text stays on the screen until the new one is there.
func (t *Text) Show(path string) tea.Cmd {
	if path == t.path {
		return nil
	}
	t.path = path
	return t.read()
}

// ShowMoved implements [FileTab].
func (t *Text) ShowMoved(path string) tea.Cmd {
	if t.of == t.path {
		t.of = path
	}
	t.path = path
	return t.read()
}

// Reload implements [FileTab]. What is being read is read again afterwards: otherwise, a file that changes faster than it can be read
// would never be shown.
func (t *Text) Reload() tea.Cmd {
	switch t.path {
	case "":
		return nil
	case t.reading:
		t.again = true
		return nil
	}
	return t.read()
}

func (t *Text) read() tea.Cmd {
	path := t.path
	t.reading, t.again = path, false
	whole := func() tea.Cmd {
		return t.start(t.Read(path), func(d *Doc) tea.Cmd {
			t.reading = ""
			if path == t.path {
				t.Set(path, d)
			}
			if path == t.path && t.again {
				return t.read()
			}
			return nil
		})
	}
	if t.Begin == nil || path == t.of {
		return whole()
	}
	return t.start(t.Begin(path), func(d *Doc) tea.Cmd {
		if d != nil && path == t.path {
			t.Set(path, d)
		}
		return whole()
	})
}

func (t *Text) start(read func(context.Context) (*Doc, error), done func(*Doc) tea.Cmd) tea.Cmd {
	return Start(t.env.Jobs, Job[*Doc]{
		Owner: t.Owner, Label: t.Label, Done: done,
		Failed: func() { t.reading = "" },
		Work: func(ctx context.Context, _ *Progress) (*Doc, error) {
			d, err := read(ctx)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return d, err
		},
	})
}

// Set shows a text. Of the path that is shown already, the cursor stays on its line, wherever that is now.
func (t *Text) Set(path string, d *Doc) {
	old, same := t.doc, t.doc != nil && path == t.of
	t.path, t.of, t.doc, t.layouts = path, path, d, nil
	if same {
		at := t.find(old, t.cursor)
		t.top.line += at - t.cursor
		t.cursor = at
	} else {
		t.top, t.cursor, t.col = place{}, 0, 0
	}
	t.reveal()
	t.search.changed()
	if t.Shown != nil {
		t.Shown(d, same)
	}
}

// find finds a line of an older text: the nearest with the same words, else the number that it had.
func (t *Text) find(old *Doc, line int) int {
	if line >= old.Len {
		return line
	}
	if t.Find != nil {
		if at := t.Find(old, line); at >= 0 {
			return at
		}
	}
	was := old.Line(line).Text
	is := func(i int) bool { return i >= 0 && i < t.doc.Len && bytes.Equal(t.doc.Line(i).Text, was) }
	for away := range t.doc.Len + old.Len {
		switch {
		case is(line + away):
			return line + away
		case is(line - away):
			return line - away
		}
	}
	return line
}

// lines is how many there are.
func (t *Text) lines() int {
	if t.doc == nil {
		return 0
	}
	return t.doc.Len
}

// half is a line as far as it is shown, or what is on one side of the screen of one that has two.
type half struct {
	Line
	w    int        // of the screen
	room int        // of w, for the text
	long bool       // there is more of it, which no row shows
	rows []text.Row // below each other; of a cut line all of it
}

// halves lays a line out. The first cell of the screen is that of the cursor, the last one that of the scroll bar.
func (t *Text) halves(i int) []half {
	if halves, ok := t.layouts[i]; ok {
		return halves
	}
	halves := []half{{Line: t.doc.Line(i), w: t.w - 2, room: t.w}}
	if right := halves[0].Right; right != nil {
		halves = append(halves, half{Line: *right, w: t.w - 3 - (t.w-3)/2})
		halves[0].w = (t.w - 3) / 2
	}
	for k := range halves {
		h := &halves[k]
		h.long = len(h.Text) > lineUpTo
		h.Text = h.Text[:min(len(h.Text), lineUpTo)]
		lead, _ := t.lead(h, true)
		h.room = max(1, min(h.w-text.Width(lead+t.edge()+h.Mark), halves[0].room)) // the halves break where they are the same
		h.rows = []text.Row{{End: len(h.Text)}}
		if !t.cut && len(h.Text) > 0 {
			h.rows = text.Wrap(nil, h.Text, h.room, t.env.Text(h.Tabs))
		}
	}
	if len(t.layouts) >= layoutsMost || t.layouts == nil {
		t.layouts = map[int][]half{}
	}
	t.layouts[i] = halves
	return halves
}

// lead is what comes before the first row of a half of a line, and its look.
func (t *Text) lead(h *half, first bool) (string, Look) {
	if t.Lead == nil {
		return "", nil
	}
	lead, look := t.Lead(h.Line, t.w, first)
	return text.Truncate(lead, max(0, h.w-text.Width(t.edge()+h.Mark)), ""), look
}

func (t *Text) edge() string {
	if !t.Edge {
		return ""
	}
	return " " + t.env.Styles.Glyphs.SplitVertical + " "
}

// Rows implements [Pane].
func (t *Text) Rows(focused bool) []string {
	out := make([]string, 0, t.h)
	if t.above() > 0 {
		out = append(out, t.env.Styles.Title.Apply(text.Pad(text.Truncate(" "+t.doc.Above(t.w-1), t.w, ""), t.w)))
	}
	switch {
	case t.doc == nil:
		out = append(out, notice(t.env, textOpening, t.w)...)
	case t.doc.Note != "":
		out = append(out, notice(t.env, t.env.Keyed(t.doc.Note), t.w)...)
	}
	bar, at := t.scrollbar(), t.top
	for moved := 1; t.lines() > 0 && moved > 0 && len(out) < t.h; {
		out = append(out, t.row(at, focused, bar(len(out)-t.above())))
		at, moved = t.walk(at, 1)
	}
	return FillRows(out, t.w, t.h)
}

// row draws a row: the sign of the cursor, the halves of the line, and the last cell, which says if there is more that no row shows.
func (t *Text) row(at place, focused bool, last string) string {
	st, halves := t.env.Styles, t.halves(at.line)
	found, goesOn, drawn := false, false, ""
	for side := range halves {
		h := &halves[side]
		matches := t.search.matches(h.searched())
		found = found || len(matches) > 0
		switch {
		case side > 0 && goesOn:
			drawn += st.Dim.Apply(st.Glyphs.More)
		case side > 0:
			drawn += st.Border.Apply(st.Glyphs.SplitVertical)
		}
		var cells string
		cells, goesOn = t.half(at, side, matches, focused)
		drawn += cells
	}
	if goesOn {
		last = st.Dim.Apply(st.Glyphs.More)
	}
	sign := t.base(at.line, &halves[0], focused).Apply(" ")
	switch {
	case at.row > 0:
	case focused && at.line == t.cursor:
		sign = st.Selected.With(st.Accent).Apply(st.Glyphs.Cursor)
	case found:
		sign = st.Match.Apply(">")
	}
	return sign + drawn + last
}

// base is the paint of a half of a line.
func (t *Text) base(line int, h *half, focused bool) theme.Paint {
	if focused && line == t.cursor {
		return t.env.Styles.Selected
	}
	return h.Look.or(t.env.Styles, t.env.Styles.Text)
}

// half draws a row of a half of a line: what comes before it, and the text with what the search has found.
func (t *Text) half(at place, side int, matches [][2]int, focused bool) (cells string, goesOn bool) {
	st, h := t.env.Styles, &t.halves(at.line)[side]
	base := t.base(at.line, h, focused)
	if at.row >= len(h.rows) {
		return base.Apply(strings.Repeat(" ", max(0, h.w))), false
	}
	lead, look := t.lead(h, at.line == t.top.line)
	mark, edge := h.Mark, t.edge()
	if at.row > 0 {
		lead, mark = strings.Repeat(" ", text.Width(lead)), strings.Repeat(" ", text.Width(mark))
	}
	part := h.rows[at.row]
	c := Cells{
		Env: t.env, Line: h.Text, Room: h.w - text.Width(lead+edge+mark), First: part.Col - h.Tabs + t.col, At: part.Col - h.Tabs, Start: h.Tabs,
	}
	if goesOn = h.long && part.End == lineUpTo; t.cut {
		goesOn = text.ByteAt(h.Text, t.col+c.Room, t.env.Text(h.Tabs)) < part.End
	}
	from := part.Start
	for _, m := range matches {
		start, end := max(from, m[0]), min(part.End, m[1])
		if start >= end {
			continue
		}
		found := st.Match
		if t.search.gone && t.search.current == (Match{at.line, side, m[0], m[1]}) {
			found = st.MatchCurrent
		}
		addSpans(&c, h.Spans, from, start, base)
		c.AddMatch(start, end, found)
		from = end
	}
	addSpans(&c, h.Spans, from, part.End, base)
	return base.With(look.or(st, st.Dim)).Apply(lead) + base.With(st.Dim).Apply(edge) + base.Apply(mark) + c.String(base), goesOn
}

// addSpans draws bytes of a line, each in the paint of its span.
func addSpans(c *Cells, spans []Span, from, to int, base theme.Paint) {
	for _, s := range spans {
		start, end := max(from, s.Start), min(to, s.End)
		if start >= end {
			continue
		}
		c.Add(from, start, base)
		c.Blanks = s.Blanks
		c.Add(start, end, s.Look(c.Env.Styles, base))
		c.Blanks = false
		from = end
	}
	c.Add(from, to, base)
}

// searchParts are the texts of a line, which is one or two halves.
func (t *Text) searchParts(i int) [][]byte {
	l := t.doc.Line(i)
	if l.Right == nil {
		return [][]byte{l.searched()}
	}
	return [][]byte{l.searched(), l.Right.searched()}
}

func (t *Text) goToMatch(m Match) tea.Cmd {
	t.goTo(m.Line)
	t.ShowBytes(m.Line, m.Part, m.Start, m.End)
	return nil
}

// What follows implements [Tab] and its kin.

// Actions implements [Pane].
func (t *Text) Actions() *Actions { return t.actions }

// Scopes implements [Pane].
func (t *Text) Scopes() []keymap.Scope { return slices.Compact([]keymap.Scope{t.Scope, keymap.Text}) }

// Search returns what "/" does in the text.
func (t *Text) Search() *Search { return &t.search }

// Width is that of the text, in cells, and Height how many rows of lines it shows.
func (t *Text) Width() int  { return t.w }
func (t *Text) Height() int { return max(0, t.h-t.above()) }

// RowsUpTo counts the rows of the whole text, up to most or a few more.
func (t *Text) RowsUpTo(most int) int {
	_, n := t.walk(place{}, most)
	return t.above() + n + 1
}

// above is how many rows are above the first line.
func (t *Text) above() int {
	if t.doc == nil || t.doc.Above == nil {
		return 0
	}
	return 1
}

// Title implements [Tab].
func (t *Text) Title() string { return t.TextSpec.Title }

// Path implements [Tab].
func (t *Text) Path() string { return t.path }

// Resize implements [Pane].
func (t *Text) Resize(w, h int) {
	t.w, t.h, t.layouts = w, h, nil
	t.reveal()
}

// Cursor implements [Pane].
func (t *Text) Cursor() (Point, bool) {
	return Point{Y: t.cursorRow() + t.above()}, t.cursor < t.lines() && t.Height() > 0
}

// Click implements [Clickable].
func (t *Text) Click(y int) (again bool) {
	y -= t.above()
	at, n := t.walk(t.top, y)
	if y < 0 || y >= t.Height() || n < y || t.lines() == 0 {
		return false
	}
	again = at.line == t.cursor
	t.cursor = at.line
	return again
}

// Place implements [Tab].
func (t *Text) Place() string {
	if t.lines() == 0 {
		return ""
	}
	return Number(t.cursor+1) + "/" + Number(t.lines())
}

// LineReader implements [Tab].
func (t *Text) LineReader(limit int) func() (string, error) {
	l, ok := t.Current()
	if !ok {
		return nil
	}
	return LineOf(l.Text, limit)
}

// Lines are those at the top of the screen and under the cursor; not ok while nothing is shown.
func (t *Text) Lines() (top, cursor int, ok bool) {
	return t.top.line, t.cursor, t.lines() > 0 && t.of == t.path
}
