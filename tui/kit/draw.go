package kit

import (
	"fmt"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
)

// Column is a part of each row. At most one column of a table has neither Width nor Most: it gets the cells that the others leave.
type Column[T any] struct {
	Head  string // above the rows; "" for none
	Width int    // its cells
	Most  int    // without Width: it is as wide as its widest text on the screen, up to this percentage of the table; 0: it isn't there
	From  int    // the width of the table, in cells, from which the column is there
	Right bool   // as numbers
	Ends  bool   // a text that is too long keeps its end, as paths do
	Text  func(T) string
	Fit   func(row T, cells int) string      // what to show of a text that is too long; nil: its beginning
	Over  func(T) string                     // what to show for now in place of Text, wider if need be; "": nothing. nil: nothing ever
	Marks func(T) [][2]int                   // bytes of Text that are marked; the first of them is in sight. nil: none
	Paint func(T, *theme.Styles) theme.Paint // nil: that of the row
}

// gap is the number of blanks between columns.
const gap = 2

// Rows implements [Pane].
func (t *Table[T]) Rows(focused bool) []string {
	out, st := t.above(), t.env.Styles
	t.fit(len(out))
	widths := t.widths()
	if t.hasHeads() {
		row := Row{Room: t.w}
		row.Put(strings.Repeat(" ", t.lead()), st.Dim)
		for i, c := range t.Columns {
			t.put(&row, c, c.Head, widths[i], st.Dim)
		}
		out = append(out, row.String())
	}
	if len(t.shown) == 0 {
		out = append(out, notice(t.env, t.emptyText(), t.w)...)
	}
	for i := t.list.top; i < min(len(t.shown), t.list.top+t.list.h); i++ {
		out = append(out, t.row(i, focused, widths))
	}
	if t.hidden > 0 && t.HiddenText != nil {
		out = append(out, st.Dim.Apply(t.sentence(t.env.Keyed(t.HiddenText(t.hidden)))))
	}
	return FillRows(out, t.w, t.h)
}

// above draws what the rows are, and a warning.
func (t *Table[T]) above() (rows []string) {
	if t.Summary != nil && t.h > 1 && t.Summary() != "" {
		rows = append(rows, t.env.Styles.Title.Apply(t.sentence(t.Summary())))
	}
	if t.Above != nil && t.h > 1 && t.Above() != "" {
		rows = append(rows, t.env.Styles.Warning.Apply(t.sentence(t.Above())))
	}
	return rows
}

func (t *Table[T]) sentence(s string) string {
	return text.Pad(text.Truncate("  "+text.Clean(s), t.w, t.env.Styles.Glyphs.Ellipsis), t.w)
}

// fit gives the list the rows that are left between what is above it, without the names of the columns, and what is below.
func (t *Table[T]) fit(above int) {
	if t.hasHeads() {
		above++
	}
	if t.hidden > 0 && t.HiddenText != nil && t.h > 5 {
		above++
	}
	t.list.Resize(max(0, t.h-above))
}

// headRows is how many rows are above those of the list.
func (t *Table[T]) headRows() int {
	n := len(t.above())
	if t.hasHeads() {
		n++
	}
	return n
}

func (t *Table[T]) hasHeads() bool {
	return len(t.Columns) > 0 && t.Columns[0].Head != "" && t.h > 2 && len(t.shown) > 0
}

func (t *Table[T]) emptyText() string {
	switch {
	case t.filter.Line != "" && len(t.rows) > 0:
		return fmt.Sprintf("No rows match %q. ", text.Clean(t.filter.Line)) + t.env.Keyed("{global/back} clears")
	case t.Empty != nil:
		return t.Empty()
	}
	return "Nothing here"
}

// inSight are the rows on the screen.
func (t *Table[T]) inSight() []shown[T] {
	top := min(t.list.top, len(t.shown))
	return t.shown[top:min(top+t.h, len(t.shown))]
}

// widths are those of the columns; below 0: there is no room for it.
func (t *Table[T]) widths() []int {
	widths, rest, flexible := make([]int, len(t.Columns)), t.w-t.lead(), -1
	for i, c := range t.Columns {
		switch {
		case t.w < c.From:
			widths[i] = -1
			continue
		case c.Width > 0:
			widths[i] = c.Width
		case c.Most == 0:
			flexible = i
			continue
		default:
			widths[i] = text.Width(c.Head)
			for _, s := range t.inSight() {
				if t.whole(s.row) == "" {
					widths[i] = max(widths[i], text.Width(text.Clean(c.Text(s.row))))
				}
			}
			if widths[i] = min(widths[i], t.w*c.Most/100); widths[i] == 0 {
				widths[i] = -1
				continue
			}
		}
		rest -= widths[i] + gap
	}
	if flexible >= 0 {
		widths[flexible] = max(0, rest)
	}
	return widths
}

func (t *Table[T]) whole(r T) string {
	if t.Whole == nil {
		return ""
	}
	return t.Whole(r)
}

// lead is the number of cells before the first column of the rows on the screen.
func (t *Table[T]) lead() (cells int) {
	for i, s := range t.inSight() {
		if t.whole(s.row) == "" {
			cells = max(cells, text.Width(t.leadOf(t.list.top+i)))
		}
	}
	return max(2, cells)
}

// leadOf is what is before the text of a row: the cursor, the sign of a fold, the box of the selection.
func (t *Table[T]) leadOf(i int) string {
	s := t.shown[i]
	lead := " "
	if i == t.list.at {
		lead = t.env.Styles.Glyphs.Cursor
	}
	switch {
	case t.Tree:
		return lead + t.sign(i)
	case t.Sign != nil && !s.folds:
		lead += strings.Repeat("  ", s.depth) // below the sign of its heading
	case !t.heading(s.row):
		lead += " " + strings.Repeat("  ", s.indent)
	}
	switch {
	case s.folds && t.IsFolded(s.row) && (t.filter.Line == "" || !t.heading(s.row)):
		lead += t.env.Styles.Glyphs.Collapsed + " "
	case s.folds:
		lead += t.env.Styles.Glyphs.Expanded + " "
	}
	switch {
	case t.Sign != nil:
		lead += t.sign(i) + " "
	case t.Selectable != nil && !t.heading(s.row):
		lead += t.box(i) + " "
	}
	return lead
}

// row draws a row.
func (t *Table[T]) row(i int, focused bool, widths []int) string {
	s, st := t.shown[i], t.env.Styles
	row, base := Row{Room: t.w}, t.paint(i, focused)
	row.Put(t.leadOf(i), base)
	if whole := text.Clean(t.whole(s.row)); whole != "" {
		row.PutPadded(text.Truncate(whole, row.Room, st.Glyphs.Ellipsis), row.Room, base)
		return row.String()
	}
	for column, c := range t.Columns {
		said, width, paint := c.Text(s.row), min(widths[column], row.Room), base
		if c.Paint != nil && i != t.list.at {
			paint = c.Paint(s.row, st)
		}
		if c.Marks != nil && width > 0 {
			if marks := c.Marks(s.row); len(marks) > 0 {
				row.PutPainted(t.marked([]byte(said), marks, width, paint), width)
				said, width = "", 0
			}
		}
		if c.Over != nil {
			if over := text.Clean(c.Over(s.row)); over != "" {
				said, width = over, min(max(width, text.Width(over)), row.Room)
			}
		}
		if c.Fit != nil && text.Width(said) > width {
			said = c.Fit(s.row, width)
		}
		t.put(&row, c, said, width, paint)
	}
	row.PutPadded("", row.Room, base)
	return row.String()
}

// paint is that of a row.
func (t *Table[T]) paint(i int, focused bool) theme.Paint {
	s, st := t.shown[i], t.env.Styles
	switch {
	case i == t.list.at && focused:
		return st.Selected
	case i == t.list.at:
		return st.SelectedBlur
	case t.Selected(s.row), t.inRange(i):
		return st.Marked
	case t.Paint != nil:
		return t.Paint(s.row, st)
	}
	return st.Text
}

// put adds a column to a row, with the gap behind it; width below 0: there is no room for it.
func (t *Table[T]) put(row *Row, c Column[T], said string, width int, paint theme.Paint) {
	if width < 0 {
		return
	}
	cut, pad := text.Truncate, text.Pad
	if c.Ends {
		cut = text.TruncateLeft
	}
	if c.Right {
		pad = text.PadLeft
	}
	row.Put(pad(cut(text.Clean(said), width, t.env.Styles.Glyphs.Ellipsis), width), paint)
	row.PutPadded("", min(gap, row.Room), paint)
}

// marked draws the part of a text that has its first mark in sight, in exactly width cells.
func (t *Table[T]) marked(b []byte, marks [][2]int, width int, base theme.Paint) string {
	c, o, left, right := Cells{Env: t.env, Line: b, Room: width}, t.env.Text(0), "", ""
	column := func(at int) int { return text.Column(b, min(at, len(b)), o) }
	dots := t.env.Styles.Glyphs.Ellipsis
	if column(marks[0][1]) > width-text.Width(dots) && column(len(b)) > width {
		c.First = max(0, min(column(marks[0][0])-width/4, column(len(b))-width+text.Width(dots)))
	}
	if c.First > 0 && width > 3*text.Width(dots) {
		left = base.Apply(dots)
		c.Room -= text.Width(dots)
	}
	if column(len(b))-c.First > c.Room && width > 3*text.Width(dots) {
		right = base.Apply(dots)
		c.Room -= text.Width(dots)
	}
	at := 0
	for _, m := range marks {
		from, to := max(at, min(m[0], len(b))), min(m[1], len(b))
		c.Add(at, from, base)
		c.AddMatch(from, to, base.With(t.env.Styles.MatchCurrent))
		at = max(from, to)
	}
	c.Add(at, len(b), base)
	return left + c.String(base) + right
}

// sign is that of a row, or that it is selected.
func (t *Table[T]) sign(i int) string {
	switch r := t.shown[i].row; {
	case t.Selected(r):
		return t.env.Styles.Glyphs.Mark
	case t.inRange(i) && t.selectable(r):
		return t.env.Styles.Glyphs.Range
	default:
		return t.Sign(r)
	}
}

// box shows whether a row is selected. One that only H shows has a dash, another one that can't be selected has blanks.
func (t *Table[T]) box(i int) string {
	switch r := t.shown[i].row; {
	case t.Hidden != nil && t.Hidden(r):
		return "[-]"
	case !t.selectable(r):
		return "   "
	case t.Selected(r):
		return "[x]"
	case t.inRange(i):
		return "[" + t.env.Styles.Glyphs.Range + "]"
	}
	return "[ ]"
}

// What follows implements [Pane] and its kin.

// Actions implements [Pane].
func (t *Table[T]) Actions() *Actions { return t.actions }

// Resize implements [Pane].
func (t *Table[T]) Resize(w, h int) {
	t.w, t.h = w, h
	t.fit(len(t.above()))
}

// Title implements [Tab].
func (t *Table[T]) Title() string { return t.Spec.Title }

// Place implements [Tab].
func (t *Table[T]) Place() string {
	at, ok := t.list.At()
	if !ok {
		return ""
	}
	return Number(at+1) + "/" + Number(len(t.shown))
}

// Width is that of the table, in cells.
func (t *Table[T]) Width() int { return t.w }

// Scopes implements [Pane].
func (t *Table[T]) Scopes() []keymap.Scope { return []keymap.Scope{t.Scope, keymap.List} }

// Filter is the line of the filter, "" for none.
func (t *Table[T]) Filter() string { return t.filter.Line }

// Matches implements [FilterCounter].
func (t *Table[T]) Matches() string {
	n := 0
	for _, s := range t.shown {
		if s.fits && (s.indent == 0 || t.Tree) && !t.heading(s.row) {
			n++
		}
	}
	if t.Tree {
		return Number(n) + " found"
	}
	return fmt.Sprintf("%d of %d", n, t.count(t.rows))
}

// count counts the rows that are in no other one but a heading, without the headings.
func (t *Table[T]) count(rows []T) (n int) {
	for _, r := range rows {
		if t.heading(r) {
			n += t.count(t.below(r))
		} else {
			n++
		}
	}
	return n
}

// Cursor implements [Pane].
func (t *Table[T]) Cursor() (Point, bool) {
	return Point{Y: t.headRows() + max(0, t.list.at-t.list.top)}, len(t.shown) > 0
}

// Click implements [Clickable].
func (t *Table[T]) Click(y int) (again bool) {
	hit, again := t.list.Click(y - t.headRows())
	if hit && !again {
		t.env.Emit(Call(t.moved)) // the shell runs it after the message
	}
	return again
}

// Path is the agent path of the row under the cursor, "" for none.
func (t *Table[T]) Path() string {
	if r, ok := t.Current(); ok && t.Spec.Path != nil {
		return t.Spec.Path(r)
	}
	return ""
}

// LineReader is what copying copies, as in [Tab].
func (t *Table[T]) LineReader(limit int) func() (string, error) {
	r, ok := t.Current()
	if !ok {
		return nil
	}
	return LineOf(t.line(r), limit)
}

func (t *Table[T]) line(r T) string {
	if t.Line != nil {
		return t.Line(r)
	}
	if whole := t.whole(r); whole != "" {
		return whole
	}
	var said []string
	for _, c := range t.Columns {
		said = append(said, strings.Fields(c.Text(r))...)
	}
	return strings.Join(said, " ")
}
