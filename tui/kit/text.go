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
	"memcurator/tui/ui"
)

// Look is a paint that follows the theme, which may change while something is shown.
type Look func(*theme.Styles) theme.Paint

// Line is a line of a [Doc].
type Line struct {
	Text []byte // as the user reads it, without the line end; it is made safe as it is drawn
	Look Look   // nil: plain
	Of   any    // what the line is of, for [TextSpec]
}

// Doc is what a [Text] shows. It isn't changed once it is shown.
type Doc struct {
	Note  string // why there are no lines, and what to do, with keys as in [ui.Env.Keyed]
	Lines []Line
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
	// Edge is between what comes before a line and the line, on each of its rows. nil: nothing is.
	Edge func() string
	// Cut: long lines are cut until the user wraps them.
	Cut bool
	// Open is called on enter with what the line under the cursor is of.
	Open func(of any) tea.Cmd
	// Same reports whether a line of a newer text is the line of an older one, which has the same words. nil: it is.
	Same func(a, b Line) bool
	// Head reports whether a line begins a part of the text, for { and }. nil: the text has no parts.
	Head func(Line) bool
	// Available reports whether the tab can be chosen; nil: always.
	Available func() bool
}

// Text shows lines: cursor, wrapping, scrolling to the side, search. Make it with [NewText]. All methods run on the Bubble Tea goroutine.
type Text struct {
	TextSpec
	env     *ui.Env
	actions *ui.Actions
	opening ui.Opening
	doc     *Doc // nil: nothing was read yet
	view    ui.TextView
	search  ui.Search
	w, h    int
	cut     bool    // long lines are cut instead of wrapped
	col     int     // the first cell shown of cut lines
	want    *[2]int // the lines to have at the top and under the cursor once they are there
}

const (
	// wrapUpTo is how many bytes of a line are wrapped; the rest of a longer one is cut.
	wrapUpTo = 64 << 10
	// sideways is how many cells left and right scroll cut lines.
	sideways = 8
)

// NewText makes an empty text.
func NewText(env *ui.Env, s TextSpec) *Text {
	t := &Text{TextSpec: s, env: env, cut: s.Cut}
	t.actions = ui.NewActions(env, t.bindings()...)
	t.reset()
	env.Jobs.Listen(t.Receive, nil, t.ownerFind())
	return t
}

// ownerFind is the owner of the search.
func (t *Text) ownerFind() string { return t.Owner + ".find" }

func (t *Text) reset() {
	t.doc, t.opening, t.want, t.col = nil, ui.Opening{}, nil, 0
	t.view = ui.TextView{Count: t.lines, Height: func(i int) int { return len(t.parts(i)) }, H: t.h}
	t.search = ui.NewSearch(t.env, t.ownerFind(), ui.Searched{
		Text: t.searched, Here: func() ui.Match { return ui.Match{Line: t.view.Cursor.Line} },
		On: func(m ui.Match) bool { return m.Line == t.view.Cursor.Line }, Show: t.showMatch,
	})
}

func (t *Text) bindings() []ui.Action {
	actions := append(append(t.view.Bindings(), t.search.Bindings()...),
		ui.On(keymap.Wrap, func() { t.cut, t.col = !t.cut, 0; t.view.Reveal() }),
		ui.On(keymap.Left, func() { t.col = max(0, t.col-sideways) }),
		ui.On(keymap.Right, func() { t.col = min(t.col+sideways, t.farthest()) }),
		ui.On(keymap.LineStart, func() { t.col = 0 }),
		ui.On(keymap.LineEnd, func() { t.col = t.farthest() }),
	)
	if t.TextSpec.Open != nil {
		actions = append(actions, ui.Action{ID: keymap.Open, Run: t.open})
	}
	if t.Head != nil {
		actions = append(actions,
			ui.On(keymap.HunkNext, func() { t.step(1) }), ui.On(keymap.HunkPrev, func() { t.step(-1) }))
	}
	return actions
}

func (t *Text) open() tea.Cmd {
	if l, ok := t.Current(); ok {
		return t.TextSpec.Open(l.Of)
	}
	return nil
}

// step goes to the next line that begins a part, by 1, or to the previous one, by -1.
func (t *Text) step(by int) {
	for at := t.view.Cursor.Line + by; at >= 0 && at < t.lines(); at += by {
		if t.Head(t.doc.Lines[at]) {
			t.view.MoveTo(at)
			return
		}
	}
	t.env.Emit(ui.Say{Text: "No more in this direction"})
}

// Current is the line under the cursor.
func (t *Text) Current() (Line, bool) {
	if at := t.view.Cursor.Line; at < t.lines() {
		return t.doc.Lines[at], true
	}
	return Line{}, false
}

// Show implements [ui.FileTab].
func (t *Text) Show(path string) tea.Cmd {
	if path == t.opening.Target {
		return nil
	}
	t.opening.Target, t.want, t.doc, t.col = path, nil, nil, 0
	t.view.Top, t.view.Cursor = ui.Place{}, ui.Place{}
	return t.read()
}

// ShowMoved implements [ui.FileTab].
func (t *Text) ShowMoved(path string) tea.Cmd {
	t.opening.Target = path
	return t.read()
}

// Reload implements [ui.FileTab].
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
	return ui.Start(t.env.Jobs, ui.Job[*Doc]{
		Owner: t.Owner, Label: t.Label, Failed: t.opening.Fail,
		Work: func(ctx context.Context, _ *ui.Progress) (*Doc, error) {
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
	old, same := t.doc, path == t.opening.Target
	t.opening.Target, t.doc = path, d
	switch {
	case t.want != nil:
		t.view.Top, t.view.Cursor = ui.Place{Line: t.want[0]}, ui.Place{Line: t.want[1]}
	case old == nil || !same:
		t.view.Top, t.view.Cursor = ui.Place{}, ui.Place{}
	default:
		at := t.find(old, t.view.Cursor.Line)
		t.view.Top.Line += at - t.view.Cursor.Line
		t.view.Cursor.Line = at
	}
	t.want = nil
	t.view.Reveal()
	return t.search.List()
}

// find finds a line of an older text: the nearest with the same words and meaning, else the number that it had.
func (t *Text) find(old *Doc, line int) int {
	if line >= len(old.Lines) {
		return line
	}
	was, now := old.Lines[line], t.doc.Lines
	is := func(i int) bool {
		return i >= 0 && i < len(now) && bytes.Equal(now[i].Text, was.Text) && (t.Same == nil || t.Same(now[i], was))
	}
	for away := range len(now) + len(old.Lines) {
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
	return len(t.doc.Lines)
}

// lead is what comes before the first row of a line, after the sign of the cursor.
func (t *Text) lead(i int, first bool) (string, Look) {
	if t.TextSpec.Lead == nil {
		return "", nil
	}
	lead, look := t.TextSpec.Lead(t.doc.Lines[i], t.w, first)
	return text.Truncate(lead, max(0, t.w-2-text.Width(t.edge())), ""), look
}

func (t *Text) edge() string {
	if t.Edge == nil {
		return ""
	}
	return t.Edge()
}

// room is the number of cells for the text of a line.
func (t *Text) room(i int) int {
	lead, _ := t.lead(i, true)
	return max(1, t.w-1-text.Width(lead+t.edge()))
}

// parts are the rows of a line; of a cut one all of it.
func (t *Text) parts(i int) []text.Row {
	b := t.doc.Lines[i].Text
	if t.cut || len(b) == 0 {
		return []text.Row{{End: len(b)}}
	}
	return text.Wrap(nil, b[:min(len(b), wrapUpTo)], t.room(i), t.env.Text(0))
}

// farthest is the first cell shown when the end of the cursor's line is on the screen.
func (t *Text) farthest() int {
	l, ok := t.Current()
	if !t.cut || !ok {
		return 0
	}
	return max(t.col, text.Column(l.Text, len(l.Text), t.env.Text(0))-t.room(t.view.Cursor.Line))
}

// Rows implements [ui.Pane].
func (t *Text) Rows(focused bool) []string {
	out := make([]string, 0, t.h)
	switch {
	case t.doc == nil:
		out = ui.Notice(t.env, ui.TextOpening, t.w)
	case t.doc.Note != "":
		out = ui.Notice(t.env, t.env.Keyed(t.doc.Note), t.w)
	}
	skip := t.view.Top.Row
	for i := t.view.Top.Line; i < t.lines() && len(out) < t.h; i++ {
		parts := t.parts(i)
		for k := min(skip, len(parts)); k < len(parts) && len(out) < t.h; k++ {
			out = append(out, t.row(i, parts[k], k == 0, focused))
		}
		skip = 0
	}
	return ui.FillRows(out, t.w, t.h)
}

// row draws a row of a line: the sign of the cursor, what comes before the line, the text with what the search has found.
func (t *Text) row(i int, part text.Row, first, focused bool) string {
	st, l, sign := t.env.Styles, &t.doc.Lines[i], " "
	lead, leadLook := t.lead(i, i == t.view.Top.Line)
	base, dim := l.Look.or(st, st.Text), leadLook.or(st, st.Dim)
	if !first {
		lead = strings.Repeat(" ", text.Width(lead))
	}
	if i == t.view.Cursor.Line {
		if first {
			sign = st.Glyphs.Cursor
		}
		if focused {
			base = st.Selected
		}
	}
	edge := t.edge()
	c := ui.Cells{Env: t.env, Line: l.Text, Room: t.w - 1 - text.Width(lead+edge), First: part.Col + t.col, At: part.Col}
	end, more := part.End, ""
	if t.cut {
		if in := text.ByteAt(l.Text, t.col+c.Room, t.env.Text(0)); in < end {
			end, more = in, base.With(st.Dim).Apply(st.Glyphs.More)
			c.Room--
		}
	}
	at := part.Start
	matches, current := t.search.On(i, 0)
	for n, m := range matches {
		from, to := max(at, m.Start), min(end, m.End)
		if from >= to {
			continue
		}
		found := st.Match
		if n == current {
			found = st.MatchCurrent
		}
		c.Add(at, from, base)
		c.Add(from, to, found)
		at = to
	}
	c.Add(at, end, base)
	return base.With(st.Accent).Apply(sign) + base.With(dim).Apply(lead) + base.With(st.Dim).Apply(edge) + c.String(base) + more
}

func (l Look) or(st *theme.Styles, other theme.Paint) theme.Paint {
	if l == nil {
		return other
	}
	return l(st)
}

// searched is the text that the search looks through.
func (t *Text) searched() (of any, scan ui.Scan) {
	if t.lines() == 0 {
		return nil, nil
	}
	d := t.doc
	return d, func(add func(int, int, []byte) bool, at func(int, int)) {
		for i := range d.Lines {
			if !add(i, 0, d.Lines[i].Text) {
				break
			}
			at(i, len(d.Lines))
		}
	}
}

// showMatch goes to a match; cut lines are scrolled sideways until it is on the screen.
func (t *Text) showMatch(m ui.Match) {
	t.view.MoveTo(m.Line)
	line, o, room := t.doc.Lines[m.Line].Text, t.env.Text(0), t.room(m.Line)
	from, to := text.Column(line, m.Start, o), text.Column(line, m.End, o)
	switch {
	case !t.cut || from >= t.col && to < t.col+room:
	case to < room:
		t.col = 0
	default:
		t.col = max(0, from-room/2)
	}
}

// What follows implements [ui.Tab], [ui.Lined] and their kin.

// Actions implements [ui.Pane].
func (t *Text) Actions() *ui.Actions { return t.actions }

// Scopes implements [ui.Pane].
func (t *Text) Scopes() []keymap.Scope { return []keymap.Scope{t.Scope} }

// Search returns what "/" does in the text.
func (t *Text) Search() ui.Searcher { return &t.search }

// Title implements [ui.Tab].
func (t *Text) Title() string { return t.TextSpec.Title }

// Path implements [ui.Tab].
func (t *Text) Path() string { return t.opening.Target }

// Available implements [ui.Optional].
func (t *Text) Available() bool { return t.TextSpec.Available == nil || t.TextSpec.Available() }

// Receive implements [ui.Pane].
func (t *Text) Receive(done ui.Done) tea.Cmd {
	if found, ok := done.Value.(ui.Found); ok {
		t.search.Receive(found)
	}
	return nil
}

// Resize implements [ui.Pane].
func (t *Text) Resize(w, h int) {
	t.w, t.h, t.view.H = w, h, h
	t.view.Reveal()
}

// Cursor implements [ui.Pane].
func (t *Text) Cursor() (ui.Point, bool) {
	return ui.Point{Y: t.view.CursorRow()}, t.view.Cursor.Line < t.lines()
}

// Click implements [ui.Clickable].
func (t *Text) Click(y int) bool {
	_, again := t.view.Click(y)
	return again
}

// Place implements [ui.Tab].
func (t *Text) Place() string {
	if t.lines() == 0 {
		return ""
	}
	return strconv.Itoa(t.view.Cursor.Line+1) + "/" + strconv.Itoa(t.lines())
}

// LineReader implements [ui.Tab].
func (t *Text) LineReader(limit int) func() (string, error) {
	l, ok := t.Current()
	if !ok {
		return nil
	}
	return ui.LineOf(l.Text, limit)
}

// Lines implements [ui.Lined].
func (t *Text) Lines() (top, cursor int, ok bool) {
	return t.view.Top.Line, t.view.Cursor.Line, t.lines() > 0
}

// ShowLines implements [ui.Lined].
func (t *Text) ShowLines(top, cursor int) tea.Cmd {
	if t.doc == nil || t.opening.Busy() {
		t.want = &[2]int{top, cursor}
		return nil
	}
	t.view.Top = ui.Place{Line: top}
	t.view.MoveTo(cursor)
	return nil
}
