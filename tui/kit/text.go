package kit

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
)

// Look is a paint that follows the theme, which may change while something is shown.
type Look func(*theme.Styles) theme.Paint

// Line is a line of a [Doc].
type Line struct {
	Text []byte // as the user reads it, without the line end; it is made safe as it is drawn
	Look Look   // nil: plain
	// Spans are the parts of Text with looks of their own, from left to right.
	Spans []Span
	Own   bool // of the program, not of the text: the search doesn't look into it
	// Mark comes right before the first row of the line, in the look of the line.
	Mark string
	// Right is what is beside the line, on the right half of the screen; nil: the line has the whole width.
	Right *Line
	Of    any // what the line is of, for [TextSpec]
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
	Begin func(path string) func(ctx context.Context) *Doc

	// Lead is what comes before the first row of a line, and its look, in a text that is width cells wide. first: the line is at the top
	// of the screen. Other rows of the line have as many blanks.
	Lead func(l Line, width int, first bool) (lead string, look Look)
	// Tabs is the column of the terminal from which tab stops are counted, where that isn't the start of the line.
	Tabs func(Line) int
	// Sign is what stands before the line in place of the cursor, and its look; nil: nothing does.
	Sign func(Line) (string, Look)
	// Edge is between what comes before a line and the line, on each of its rows. nil: nothing is.
	Edge func() string
	// Cut: long lines are cut until the user wraps them.
	Cut bool
	// Open is called on enter with what the line under the cursor is of.
	Open func(of any) tea.Cmd
	// Same reports whether a line of a newer text is the line of an older one, which has the same words. nil: it is.
	Same func(a, b Line) bool
	// Find finds a line of an older text in the text that is shown; -1: the nearest line with the same words is it.
	Find func(old *Doc, line int) int
	// More are actions beside those of every text, or in place of them.
	More []Action
	// Head reports whether a line begins a part of the text, for { and }. nil: the text has no parts.
	Head func(Line) bool
	// Shown is called when a text was set, before it is drawn, and same if the one before was of the same path. nil: the cursor stays on
	// its line, and is on the first one of a text of another path.
	Shown func(d *Doc, same bool)
	// Moved is called before a motion of the cursor.
	Moved func(id keymap.ID)
	// Available reports whether the tab can be chosen; nil: always.
	Available func() bool
}

// Text shows lines: cursor, wrapping, scrolling to the side, search. Make it with [NewText]. All methods run on the Bubble Tea goroutine.
type Text struct {
	TextSpec
	env     *Env
	actions *Actions
	opening Opening
	doc     *Doc   // nil: nothing was read yet
	of      string // the path of doc
	view    TextView
	search  Search
	w, h    int
	cut     bool           // long lines are cut instead of wrapped
	col     int            // the first cell shown of cut lines
	layouts map[int][]half // of lines near the screen, for one width
}

const (
	// lineUpTo is how many bytes of a line are shown; a sign says that a longer one goes on.
	lineUpTo = 1 << 20
	// sideways is how many cells left and right scroll cut lines.
	sideways = 8
)

// NewText makes an empty text.
func NewText(env *Env, s TextSpec) *Text {
	t := &Text{TextSpec: s, env: env, cut: s.Cut}
	t.actions = NewActions(env, t.bindings()...)
	t.reset()
	return t
}

func (t *Text) reset() {
	t.doc, t.opening, t.col = nil, Opening{}, 0
	t.of = ""
	t.view = TextView{Count: t.lines, Height: t.height, Centre: true, H: t.h}
	t.search = Search{env: t.env, in: t}
}

func (t *Text) bindings() []Action {
	moved := func(id keymap.ID) {
		if t.Moved != nil {
			t.Moved(id)
		}
	}
	actions := append(Before(moved, append(t.view.Bindings(), t.search.Bindings()...)),
		On(keymap.Wrap, func() { t.SetWrap(t.cut) }),
		On(keymap.Left, func() { t.col = max(0, t.col-sideways) }),
		On(keymap.Right, func() { t.col = min(t.col+sideways, t.farthest()) }),
		On(keymap.LineStart, func() { t.col = 0 }),
		On(keymap.LineEnd, func() { t.col = t.farthest() }),
	)
	if t.TextSpec.Open != nil {
		actions = append(actions, Action{ID: keymap.Open, Run: t.open})
	}
	if t.Head != nil {
		actions = append(actions,
			On(keymap.HunkNext, func() { t.step(1) }), On(keymap.HunkPrev, func() { t.step(-1) }))
	}
	return withMore(actions, t.More)
}

// SetWrap wraps long lines, or cuts them.
func (t *Text) SetWrap(on bool) {
	t.cut, t.col, t.layouts = !on, 0, nil
	t.view.Reveal()
}

// Wrapped reports whether long lines are wrapped.
func (t *Text) Wrapped() bool { return !t.cut }

func (t *Text) open() tea.Cmd {
	if l, ok := t.Current(); ok {
		return t.TextSpec.Open(l.Of)
	}
	return nil
}

// step goes to the next line that begins a part, by 1, or to the previous one, by -1.
func (t *Text) step(by int) {
	for at := t.view.Cursor.Line + by; at >= 0 && at < t.lines(); at += by {
		if t.Head(t.doc.Line(at)) {
			t.view.MoveTo(at)
			return
		}
	}
	t.env.Emit(Say{Text: "No more in this direction"})
}

// Current is the line under the cursor.
func (t *Text) Current() (Line, bool) {
	if at := t.view.Cursor.Line; at < t.lines() && t.of == t.opening.Target {
		return t.doc.Line(at), true
	}
	return Line{}, false
}

// Show implements [FileTab]. The old text stays on the screen until the new one is there.
func (t *Text) Show(path string) tea.Cmd {
	if path == t.opening.Target {
		return nil
	}
	t.opening.Target = path
	return t.read()
}

// ShowMoved implements [FileTab].
func (t *Text) ShowMoved(path string) tea.Cmd {
	if t.of == t.opening.Target {
		t.of = path
	}
	t.opening.Target = path
	return t.read()
}

// Reload implements [FileTab].
func (t *Text) Reload() tea.Cmd {
	if !t.opening.Wanted() {
		return nil
	}
	return t.read()
}

func (t *Text) read() tea.Cmd {
	if t.TextSpec.Available != nil && !t.TextSpec.Available() {
		return nil
	}
	path := t.opening.Begin()
	if t.Begin == nil || path == t.of {
		return t.readWhole(path, nil)
	}
	return t.readWhole(path, t.Begin(path))
}

// part is the outcome of reading: the whole text, or the beginning of a large one.
type part struct {
	doc   *Doc
	whole bool
}

// readWhole reads a text, and shows its beginning first if begin has it.
func (t *Text) readWhole(path string, begin func(ctx context.Context) *Doc) tea.Cmd {
	read := t.Read(path)
	return Start(t.env.Jobs, Job[part]{
		Owner: t.Owner, Label: t.Label, Failed: t.opening.Fail,
		Work: func(ctx context.Context, _ *Progress) (part, error) {
			if begin != nil {
				if d := begin(ctx); d != nil {
					return part{doc: d}, ctx.Err()
				}
			}
			d, err := read(ctx)
			if ctx.Err() != nil {
				return part{}, ctx.Err()
			}
			return part{d, true}, err
		},
		Done: func(p part) tea.Cmd {
			if !p.whole && path == t.opening.Target {
				t.Set(path, p.doc)
				return t.readWhole(path, nil)
			}
			if !t.opening.End(path) {
				return nil
			}
			t.Set(path, p.doc)
			if t.opening.Again() {
				return t.read()
			}
			return nil
		},
	})
}

// Set shows a text. Of the path that is shown already, the cursor stays on its line, wherever that is now.
func (t *Text) Set(path string, d *Doc) {
	old, same := t.doc, t.doc != nil && path == t.of
	t.opening.Target, t.of, t.doc, t.layouts = path, path, d, nil
	t.view.H = max(0, t.h-t.above())
	switch {
	case !same:
		t.view.Top, t.view.Cursor, t.col = Place{}, Place{}, 0
	default:
		at := t.find(old, t.view.Cursor.Line)
		t.view.Top.Line += at - t.view.Cursor.Line
		t.view.Cursor.Line = at
	}
	t.view.Reveal()
	t.search.changed()
	if t.Shown != nil {
		t.Shown(d, same)
	}
}

// find finds a line of an older text: the nearest with the same words and meaning, else the number that it had.
func (t *Text) find(old *Doc, line int) int {
	if line >= old.Len {
		return line
	}
	if t.Find != nil {
		if at := t.Find(old, line); at >= 0 {
			return at
		}
	}
	was, now := old.Line(line), t.doc
	is := func(i int) bool {
		if i < 0 || i >= now.Len {
			return false
		}
		l := now.Line(i)
		return bytes.Equal(l.Text, was.Text) && (t.Same == nil || t.Same(l, was))
	}
	for away := range now.Len + old.Len {
		switch {
		case is(line + away):
			return line + away
		case is(line - away):
			return line - away
		}
	}
	return line
}

// Forget drops the text and the search, as if nothing had been shown.
func (t *Text) Forget() {
	t.env.Jobs.Cancel(t.Owner)
	t.reset()
}

// lines is how many there are.
func (t *Text) lines() int {
	if t.doc == nil {
		return 0
	}
	return t.doc.Len
}

// lead is what comes before the first row of a half of a line, and its look.
func (t *Text) lead(h *half, first bool) (string, Look) {
	if t.TextSpec.Lead == nil {
		return "", nil
	}
	lead, look := t.TextSpec.Lead(h.Line, t.w, first)
	return text.Truncate(lead, max(0, h.w-text.Width(t.edge()+h.Mark)), ""), look
}

func (t *Text) edge() string {
	if t.Edge == nil {
		return ""
	}
	return t.Edge()
}

// half is a line as far as it is shown, or what is on one side of the screen of one that has two.
type half struct {
	Line
	w    int        // of the screen
	room int        // of w, for the text
	long bool       // there is more of it, which no row shows
	rows []text.Row // below each other; of a cut line all of it
}

// layoutsMost is how many lines stay laid out. A screen shows a few dozen at most.
const layoutsMost = 512

// halves lays a line out. The first cell of the screen is that of the cursor, the last one that of the scroll bar.
func (t *Text) halves(i int) []half {
	if halves, ok := t.layouts[i]; ok {
		return halves
	}
	halves := []half{{Line: t.doc.Line(i), w: t.w - 2}}
	if right := halves[0].Right; right != nil {
		halves = append(halves, half{Line: *right, w: t.w - 3 - (t.w-3)/2})
		halves[0].w = (t.w - 3) / 2
	}
	for k := range halves {
		h := &halves[k]
		h.long = len(h.Text) > lineUpTo
		h.Text = h.Text[:min(len(h.Text), lineUpTo)]
		lead, _ := t.lead(h, true)
		h.room = max(1, h.w-text.Width(lead+t.edge()+h.Mark))
		h.rows = []text.Row{{End: len(h.Text)}}
		if !t.cut && len(h.Text) > 0 {
			h.rows = text.Wrap(nil, h.Text, h.room, t.env.Text(t.tabs(h.Line)))
		}
	}
	if len(t.layouts) >= layoutsMost || t.layouts == nil {
		t.layouts = map[int][]half{}
	}
	t.layouts[i] = halves
	return halves
}

// height is the number of rows of a line.
func (t *Text) height(i int) (rows int) {
	for _, h := range t.halves(i) {
		rows = max(rows, len(h.rows))
	}
	return rows
}

// tabs is the column from which the tab stops of a line are counted.
func (t *Text) tabs(l Line) int {
	if t.Tabs == nil {
		return 0
	}
	return t.Tabs(l)
}

// farthest is the first cell shown when the end of the cursor's line is on the screen.
func (t *Text) farthest() int {
	if !t.cut || t.view.Cursor.Line >= t.lines() {
		return 0
	}
	far := t.col
	for _, h := range t.halves(t.view.Cursor.Line) {
		far = max(far, text.Column(h.Text, len(h.Text), t.env.Text(t.tabs(h.Line)))-h.room)
	}
	return far
}

// above is how many rows are above the first line.
func (t *Text) above() int {
	if t.doc == nil || t.doc.Above == nil {
		return 0
	}
	return 1
}

// Rows implements [Pane].
func (t *Text) Rows(focused bool) []string {
	out := make([]string, 0, t.h)
	if t.above() > 0 {
		out = append(out, t.env.Styles.Title.Apply(text.Pad(text.Truncate(" "+t.doc.Above(t.w-1), t.w, ""), t.w)))
	}
	switch {
	case t.doc == nil:
		out = append(out, Notice(t.env, TextOpening, t.w)...)
	case t.doc.Note != "":
		out = append(out, Notice(t.env, t.env.Keyed(t.doc.Note), t.w)...)
	}
	bar := t.scrollbar()
	skip := t.view.Top.Row
	for i := t.view.Top.Line; i < t.lines() && len(out) < t.h; i++ {
		for k := min(skip, t.height(i)); k < t.height(i) && len(out) < t.h; k++ {
			row, goesOn := t.row(i, k, focused)
			edge := bar(len(out) - t.above())
			if goesOn {
				edge = t.env.Styles.Dim.Apply(t.env.Styles.Glyphs.More)
			}
			out = append(out, row+edge)
		}
		skip = 0
	}
	return FillRows(out, t.w, t.h)
}

// scrollbar is the last cell of the rows, by the lines above the screen and below it.
func (t *Text) scrollbar() func(row int) string {
	h := t.view.H
	if _, rows := t.view.Below(Place{}, h); rows < h || t.w < 2 {
		return NoScrollbar
	}
	size := max(1, h*h/max(t.lines(), h+1))
	at := (h - size) * t.view.Top.Line / max(1, t.lines())
	if end, rows := t.view.Below(t.view.Top, h-1); rows < h-1 || end == t.view.Last() {
		at = h - size
	}
	return Scrollbar(t.env.Styles, at, size)
}

// row draws a row of a line: the sign of the cursor, then its halves. goesOn: there is more of the line, which no row shows.
func (t *Text) row(i, k int, focused bool) (cells string, goesOn bool) {
	st, halves := t.env.Styles, t.halves(i)
	here := k == 0 && i == t.view.Cursor.Line && focused
	sign := t.base(i, &halves[0], focused).Apply(" ")
	found := false
	for _, h := range halves {
		found = found || !h.Own && len(t.search.matches(h.Text)) > 0
	}
	switch {
	case here:
		sign = st.Selected.With(st.Accent).Apply(st.Glyphs.Cursor)
	case k == 0 && found:
		sign = st.Match.Apply(">")
	case k == 0 && t.Sign != nil:
		if said, look := t.Sign(halves[0].Line); said != "" {
			sign = look.or(st, st.Dim).Apply(said)
		}
	}
	cells = sign
	for side := range halves {
		switch {
		case side > 0 && goesOn:
			cells += st.Dim.Apply(st.Glyphs.More)
		case side > 0:
			cells += st.Border.Apply(st.Glyphs.SplitVertical)
		}
		var drawn string
		drawn, goesOn = t.half(i, side, k, focused)
		cells += drawn
	}
	return cells, goesOn
}

// base is the paint of a half of a line.
func (t *Text) base(i int, h *half, focused bool) theme.Paint {
	if focused && i == t.view.Cursor.Line {
		return t.env.Styles.Selected
	}
	return h.Look.or(t.env.Styles, t.env.Styles.Text)
}

// half draws a row of a half of a line: what comes before it, and the text with what the search has found.
func (t *Text) half(i, side, k int, focused bool) (cells string, goesOn bool) {
	st, h := t.env.Styles, &t.halves(i)[side]
	base := t.base(i, h, focused)
	if k >= len(h.rows) {
		return base.Apply(strings.Repeat(" ", max(0, h.w))), false
	}
	lead, leadLook := t.lead(h, i == t.view.Top.Line)
	mark, edge := h.Mark, t.edge()
	if k > 0 {
		lead, mark = strings.Repeat(" ", text.Width(lead)), strings.Repeat(" ", text.Width(mark))
	}
	tabs, part := t.tabs(h.Line), h.rows[k]
	c := Cells{
		Env: t.env, Line: h.Text, Room: h.w - text.Width(lead+edge+mark), First: part.Col - tabs + t.col, At: part.Col - tabs, Start: tabs,
	}
	if goesOn = h.long && part.End == lineUpTo; t.cut {
		goesOn = text.ByteAt(h.Text, t.col+c.Room, t.env.Text(tabs)) < part.End
	}
	var matches [][2]int
	if !h.Own {
		matches = t.search.matches(h.Text)
	}
	at := part.Start
	for _, m := range matches {
		from, to := max(at, m[0]), min(part.End, m[1])
		if from >= to {
			continue
		}
		found := st.Match
		if t.search.gone && t.search.current == (Match{i, side, m[0], m[1]}) {
			found = st.MatchCurrent
		}
		addSpans(&c, h.Spans, at, from, base)
		c.AddMatch(from, to, found)
		at = to
	}
	addSpans(&c, h.Spans, at, part.End, base)
	return base.With(leadLook.or(st, st.Dim)).Apply(lead) + base.With(st.Dim).Apply(edge) + base.Apply(mark) + c.String(base), goesOn
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

func (l Look) or(st *theme.Styles, other theme.Paint) theme.Paint {
	if l == nil {
		return other
	}
	return l(st)
}

// What follows implements searched.

func (t *Text) searchLen() int  { return t.lines() }
func (t *Text) searchFrom() int { return t.view.Cursor.Line }

func (t *Text) searchParts(i int) [][]byte {
	l := t.doc.Line(i)
	parts := make([][]byte, 1, 2)
	if !l.Own {
		parts[0] = l.Text[:min(len(l.Text), lineUpTo)]
	}
	if l.Right != nil && !l.Right.Own {
		parts = append(parts, l.Right.Text[:min(len(l.Right.Text), lineUpTo)])
	}
	return parts
}

func (t *Text) goToMatch(m Match) tea.Cmd {
	t.view.MoveTo(m.Line)
	t.ShowBytes(m.Part, m.Start, m.End)
	return nil
}

// MoveToBlock goes to the first of several lines and shows all of them, if they fit.
func (t *Text) MoveToBlock(line, lines int) { t.view.MoveToBlock(line, lines) }

// ShowBytes brings bytes of the cursor's line into sight, or of the part of it that is on its right; cut lines are scrolled sideways.
func (t *Text) ShowBytes(part, start, end int) {
	h := t.halves(t.view.Cursor.Line)[part]
	if !t.cut {
		t.view.ShowRow(slices.IndexFunc(h.rows, func(r text.Row) bool { return start < r.End }))
		return
	}
	o := t.env.Text(t.tabs(h.Line))
	from, to := text.Column(h.Text, min(start, len(h.Text)), o), text.Column(h.Text, min(end, len(h.Text)), o)
	switch {
	case from >= t.col && to < t.col+h.room:
	case to < h.room:
		t.col = 0
	default:
		t.col = max(0, from-h.room/2)
	}
}

// What follows implements [Tab] and its kin.

// Actions implements [Pane].
func (t *Text) Actions() *Actions { return t.actions }

// Scopes implements [Pane].
func (t *Text) Scopes() []keymap.Scope { return []keymap.Scope{t.Scope, keymap.Text} }

// Search returns what "/" does in the text.
func (t *Text) Search() *Search { return &t.search }

// Width is that of the text, in cells, and Height how many rows of lines it shows.
func (t *Text) Width() int  { return t.w }
func (t *Text) Height() int { return t.view.H }

// Extent counts the rows of the text and what is above it, up to most.
func (t *Text) Extent(most int) int {
	_, rows := t.view.Below(Place{}, most)
	return min(rows+1+t.above(), most)
}

// Title implements [Tab].
func (t *Text) Title() string { return t.TextSpec.Title }

// Path implements [Tab].
func (t *Text) Path() string { return t.opening.Target }

// Available implements [Optional].
func (t *Text) Available() bool { return t.TextSpec.Available == nil || t.TextSpec.Available() }

// Resize implements [Pane].
func (t *Text) Resize(w, h int) {
	t.w, t.h, t.view.H, t.layouts = w, h, max(0, h-t.above()), nil
	t.view.Reveal()
}

// Cursor implements [Pane].
func (t *Text) Cursor() (Point, bool) {
	return Point{Y: t.view.CursorRow() + t.above()}, t.view.Cursor.Line < t.lines() && t.view.H > 0
}

// Click implements [Clickable].
func (t *Text) Click(y int) bool {
	_, again := t.view.Click(y - t.above())
	return again
}

// Place implements [Tab].
func (t *Text) Place() string {
	if t.lines() == 0 {
		return ""
	}
	return strconv.Itoa(t.view.Cursor.Line+1) + "/" + strconv.Itoa(t.lines())
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
	return t.view.Top.Line, t.view.Cursor.Line, t.lines() > 0 && t.of == t.opening.Target
}

// MoveTo shows a line at the top of the screen, as far as that leaves the cursor's line on it.
func (t *Text) MoveTo(top, cursor int) {
	t.view.Top = Place{Line: max(0, top)}
	t.view.MoveTo(max(0, cursor))
}
