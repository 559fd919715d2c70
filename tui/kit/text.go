package kit

import (
	"bytes"
	"context"
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
	Of    any  // what the line is of, for [TextSpec]
}

// Span is a part of a line with a look, which is given the paint of the line.
type Span struct {
	Start, End int // bytes
	Look       func(st *theme.Styles, base theme.Paint) theme.Paint
}

// Doc is what a [Text] shows. It isn't changed once it is shown.
type Doc struct {
	Note string // why there are no lines, and what to do, with keys as in [Env.Keyed]
	Len  int    // number of lines
	Line func(i int) Line
	Of   any // what the text is of, for [TextSpec.Shown]
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

	// Lead is what comes before the first row of a line, and its look, in a text that is width cells wide. first: the line is at the top
	// of the screen. Other rows of the line have as many blanks.
	Lead func(l Line, width int, first bool) (lead string, look Look)
	// Tabs is the column of the terminal from which tab stops are counted, where that isn't the start of the line.
	Tabs func(Line) int
	// Sign is what stands before the line in place of the cursor; nil: nothing does.
	Sign func(Line) string
	// Edge is between what comes before a line and the line, on each of its rows. nil: nothing is.
	Edge func() string
	// Cut: long lines are cut until the user wraps them.
	Cut bool
	// Open is called on enter with what the line under the cursor is of.
	Open func(of any) tea.Cmd
	// Same reports whether a line of a newer text is the line of an older one, which has the same words. nil: it is.
	Same func(a, b Line) bool
	// More are actions beside those of every text, or in place of them.
	More []Action
	// Head reports whether a line begins a part of the text, for { and }. nil: the text has no parts.
	Head func(Line) bool
	// Shown is called when a text was set, before it is drawn, and same if the one before was of the same path. nil: the cursor stays on
	// its line, and is on the first one of a text of another path.
	Shown func(d *Doc, same bool)
	// Past is called when the search has no more matches in a direction; false: it goes on from the other end. nil: always.
	Past func(backward bool) bool
	// Listed is called when the search has listed all matches.
	Listed func()
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
	cut     bool               // long lines are cut instead of wrapped
	col     int                // the first cell shown of cut lines
	want    *[2]int            // the lines to have at the top and under the cursor once they are there
	layouts map[int][]text.Row // of lines near the screen, for one width
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
	env.Jobs.Listen(t.Receive, nil, t.ownerFind())
	return t
}

// ownerFind is the owner of the search.
func (t *Text) ownerFind() string { return t.Owner + ".find" }

func (t *Text) reset() {
	t.doc, t.opening, t.want, t.col = nil, Opening{}, nil, 0
	t.of = ""
	t.view = TextView{Count: t.lines, Height: func(i int) int { return len(t.parts(i)) }, Centre: true, H: t.h}
	t.search = NewSearch(t.env, t.ownerFind(), Searched{
		Text: t.searched, Here: func() Match { return Match{Line: t.view.Cursor.Line} },
		On: func(m Match) bool { return m.Line == t.view.Cursor.Line }, Show: t.showMatch,
		Past: t.Past, Listed: t.Listed,
	})
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
	t.opening.Target, t.want = path, nil
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
	read := t.Read(path)
	return Start(t.env.Jobs, Job[*Doc]{
		Owner: t.Owner, Label: t.Label, Failed: t.opening.Fail,
		Work: func(ctx context.Context, _ *Progress) (*Doc, error) {
			d, err := read(ctx)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return d, err
		},
		Done: func(d *Doc) tea.Cmd {
			if !t.opening.End(path) {
				return nil
			}
			shown := t.Set(path, d)
			if t.opening.Again() {
				return tea.Batch(shown, t.read())
			}
			return shown
		},
	})
}

// Set shows a text. Of the path that is shown already, the cursor stays on its line, wherever that is now.
func (t *Text) Set(path string, d *Doc) tea.Cmd {
	old, same := t.doc, t.doc != nil && path == t.of
	t.opening.Target, t.of, t.doc, t.layouts = path, path, d, nil
	switch {
	case t.want != nil:
		t.view.Top, t.view.Cursor = Place{Line: t.want[0]}, Place{Line: t.want[1]}
	case !same:
		t.view.Top, t.view.Cursor, t.col = Place{}, Place{}, 0
	default:
		at := t.find(old, t.view.Cursor.Line)
		t.view.Top.Line += at - t.view.Cursor.Line
		t.view.Cursor.Line = at
	}
	t.want = nil
	t.view.Reveal()
	if t.Shown != nil {
		t.Shown(d, same)
	}
	return t.search.List()
}

// find finds a line of an older text: the nearest with the same words and meaning, else the number that it had.
func (t *Text) find(old *Doc, line int) int {
	if line >= old.Len {
		return line
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
	t.env.Jobs.Cancel(t.ownerFind())
	t.reset()
}

// lines is how many there are.
func (t *Text) lines() int {
	if t.doc == nil {
		return 0
	}
	return t.doc.Len
}

// lead is what comes before the first row of a line, after the sign of the cursor.
func (t *Text) lead(i int, first bool) (string, Look) {
	if t.TextSpec.Lead == nil {
		return "", nil
	}
	lead, look := t.TextSpec.Lead(t.doc.Line(i), t.w, first)
	return text.Truncate(lead, max(0, t.w-2-text.Width(t.edge())), ""), look
}

func (t *Text) edge() string {
	if t.Edge == nil {
		return ""
	}
	return t.Edge()
}

// line is a line as far as it is shown.
func (t *Text) line(i int) Line {
	l := t.doc.Line(i)
	l.Text = l.Text[:min(len(l.Text), lineUpTo)]
	return l
}

// room is the number of cells for the text of a line: the last one is that of the scroll bar.
func (t *Text) room(i int) int {
	lead, _ := t.lead(i, true)
	return max(1, t.w-2-text.Width(lead+t.edge()))
}

// tabs is the column from which the tab stops of a line are counted.
func (t *Text) tabs(l Line) int {
	if t.Tabs == nil {
		return 0
	}
	return t.Tabs(l)
}

// layoutsMost is how many lines stay laid out. A screen shows a few dozen at most.
const layoutsMost = 512

// parts are the rows of a line; of a cut one all of it.
func (t *Text) parts(i int) []text.Row {
	if rows, ok := t.layouts[i]; ok {
		return rows
	}
	l := t.line(i)
	rows := []text.Row{{End: len(l.Text)}}
	if !t.cut && len(l.Text) > 0 {
		rows = text.Wrap(nil, l.Text, t.room(i), t.env.Text(t.tabs(l)))
	}
	if len(t.layouts) >= layoutsMost || t.layouts == nil {
		t.layouts = map[int][]text.Row{}
	}
	t.layouts[i] = rows
	return rows
}

// farthest is the first cell shown when the end of the cursor's line is on the screen.
func (t *Text) farthest() int {
	if !t.cut || t.view.Cursor.Line >= t.lines() {
		return 0
	}
	l := t.line(t.view.Cursor.Line)
	return max(t.col, text.Column(l.Text, len(l.Text), t.env.Text(t.tabs(l)))-t.room(t.view.Cursor.Line))
}

// Rows implements [Pane].
func (t *Text) Rows(focused bool) []string {
	out := make([]string, 0, t.h)
	switch {
	case t.doc == nil:
		out = Notice(t.env, TextOpening, t.w)
	case t.doc.Note != "":
		out = Notice(t.env, t.env.Keyed(t.doc.Note), t.w)
	}
	bar := t.scrollbar()
	skip := t.view.Top.Row
	for i := t.view.Top.Line; i < t.lines() && len(out) < t.h; i++ {
		parts := t.parts(i)
		for k := min(skip, len(parts)); k < len(parts) && len(out) < t.h; k++ {
			row, goesOn := t.row(i, parts[k], k == 0, focused)
			edge := bar(len(out))
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
	if _, rows := t.view.Below(Place{}, t.h); rows < t.h || t.w < 2 {
		return NoScrollbar
	}
	size := max(1, t.h*t.h/max(t.lines(), t.h+1))
	at := (t.h - size) * t.view.Top.Line / max(1, t.lines())
	if end, rows := t.view.Below(t.view.Top, t.h-1); rows < t.h-1 || end == t.view.Last() {
		at = t.h - size
	}
	return Scrollbar(t.env.Styles, at, size)
}

// row draws a row of a line: the sign of the cursor, what comes before the line, the text with what the search has found. goesOn: there is
// more of the line, which no row shows.
func (t *Text) row(i int, part text.Row, first, focused bool) (cells string, goesOn bool) {
	st, l := t.env.Styles, t.line(i)
	lead, leadLook := t.lead(i, i == t.view.Top.Line)
	base, dim := l.Look.or(st, st.Text), leadLook.or(st, st.Dim)
	if !first {
		lead = strings.Repeat(" ", text.Width(lead))
	}
	here := i == t.view.Cursor.Line
	if here && focused {
		base = st.Selected
	}
	edge, matches, current := t.edge(), []Match(nil), -1
	if !l.Own {
		matches, current = t.search.On(i, 0)
	}
	sign := base.Apply(" ")
	switch {
	case first && here && focused:
		sign = base.With(st.Accent).Apply(st.Glyphs.Cursor)
	case first && len(matches) > 0:
		sign = st.Match.Apply(">")
	case t.Sign != nil && t.Sign(l) != "":
		sign = st.Dim.Apply(t.Sign(l))
	}
	tabs := t.tabs(l)
	c := Cells{
		Env: t.env, Line: l.Text, Room: t.w - 2 - text.Width(lead+edge), First: part.Col - tabs + t.col, At: part.Col - tabs, Start: tabs,
	}
	end := part.End
	if goesOn = end == lineUpTo && len(t.doc.Line(i).Text) > end; t.cut {
		goesOn = text.ByteAt(l.Text, t.col+c.Room, t.env.Text(tabs)) < end
	}
	at := part.Start
	for n, m := range matches {
		from, to := max(at, m.Start), min(end, m.End)
		if from >= to {
			continue
		}
		found := st.Match
		if n == current {
			found = st.MatchCurrent
		}
		addSpans(&c, l.Spans, at, from, base)
		c.AddMatch(from, to, found)
		at = to
	}
	addSpans(&c, l.Spans, at, end, base)
	return sign + base.With(dim).Apply(lead) + base.With(st.Dim).Apply(edge) + c.String(base), goesOn
}

// addSpans draws bytes of a line, each in the paint of its span.
func addSpans(c *Cells, spans []Span, from, to int, base theme.Paint) {
	for _, s := range spans {
		start, end := max(from, s.Start), min(to, s.End)
		if start >= end {
			continue
		}
		c.Add(from, start, base)
		c.Add(start, end, s.Look(c.Env.Styles, base))
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

// searched is the text that the search looks through.
func (t *Text) searched() (of any, scan Scan) {
	if t.lines() == 0 {
		return nil, nil
	}
	d := t.doc
	return d, func(add func(int, int, []byte) bool, at func(int, int)) {
		for i := range d.Len {
			l := d.Line(i)
			if !l.Own && !add(i, 0, l.Text) {
				break
			}
			at(i, d.Len)
		}
	}
}

// showMatch goes to a match; cut lines are scrolled sideways until it is on the screen.
func (t *Text) showMatch(m Match) {
	t.view.MoveTo(m.Line)
	l := t.line(m.Line)
	line, o, room := l.Text, t.env.Text(t.tabs(l)), t.room(m.Line)
	if !t.cut {
		for row, part := range t.parts(m.Line) {
			if m.Start < part.End {
				t.view.ShowRow(row)
				break
			}
		}
		return
	}
	from, to := text.Column(line, min(m.Start, len(line)), o), text.Column(line, min(m.End, len(line)), o)
	switch {
	case from >= t.col && to < t.col+room:
	case to < room:
		t.col = 0
	default:
		t.col = max(0, from-room/2)
	}
}

// What follows implements [Tab], [Lined] and their kin.

// Actions implements [Pane].
func (t *Text) Actions() *Actions { return t.actions }

// Scopes implements [Pane].
func (t *Text) Scopes() []keymap.Scope { return []keymap.Scope{t.Scope, keymap.Text} }

// Search returns what "/" does in the text.
func (t *Text) Search() Searcher { return &t.search }

// Searched is the search of the text.
func (t *Text) Searched() *Search { return &t.search }

// Width is that of the text, in cells.
func (t *Text) Width() int { return t.w }

// Title implements [Tab].
func (t *Text) Title() string { return t.TextSpec.Title }

// Path implements [Tab].
func (t *Text) Path() string { return t.opening.Target }

// Available implements [Optional].
func (t *Text) Available() bool { return t.TextSpec.Available == nil || t.TextSpec.Available() }

// Receive implements [Pane].
func (t *Text) Receive(done Done) tea.Cmd {
	if found, ok := done.Value.(Found); ok {
		t.search.Receive(found)
	}
	return nil
}

// Resize implements [Pane].
func (t *Text) Resize(w, h int) {
	t.w, t.h, t.view.H, t.layouts = w, h, h, nil
	t.view.Reveal()
}

// Cursor implements [Pane].
func (t *Text) Cursor() (Point, bool) {
	return Point{Y: t.view.CursorRow()}, t.view.Cursor.Line < t.lines()
}

// Click implements [Clickable].
func (t *Text) Click(y int) bool {
	_, again := t.view.Click(y)
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

// Lines implements [Lined].
func (t *Text) Lines() (top, cursor int, ok bool) {
	return t.view.Top.Line, t.view.Cursor.Line, t.lines() > 0 && t.of == t.opening.Target
}

// ShowLines implements [Lined].
func (t *Text) ShowLines(top, cursor int) tea.Cmd {
	if t.doc == nil || t.of != t.opening.Target || t.opening.Busy() {
		t.want = &[2]int{top, cursor}
		return nil
	}
	t.MoveTo(top, cursor)
	return nil
}

// MoveTo shows a line at the top of the screen, as far as that leaves the cursor's line on it.
func (t *Text) MoveTo(top, cursor int) {
	t.view.Top = Place{Line: max(0, top)}
	t.view.MoveTo(max(0, cursor))
}
