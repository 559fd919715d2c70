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
	Marks func(T) [][2]int                   // bytes of Text that are marked; the first of them is in sight. nil: none
	Paint func(T, *theme.Styles) theme.Paint // nil: that of the row
}

// gap is the number of blanks between columns.
const gap = 2

// Rows implements [Pane].
func (t *Table[T]) Rows(focused bool) []string {
	st := t.env.Styles
	t.list.Resize(max(0, t.h-t.headRows()))
	widths := t.widths()
	var above []string
	line := func(s string) string {
		return text.Pad(text.Truncate("  "+text.Clean(s), t.w, st.Glyphs.Ellipsis), t.w)
	}
	if t.summary() != "" {
		above = append(above, st.Title.Apply(line(t.summary())))
	}
	if t.warning() != "" {
		above = append(above, st.Warning.Apply(line(t.warning())))
	}
	if t.hasHeads() {
		row := Row{Room: t.w}
		row.Put(strings.Repeat(" ", t.lead()), st.Dim)
		t.putCells(&row, widths, func(c Column[T], _ int) (string, [][2]int) { return c.Head, nil }, func(Column[T]) theme.Paint { return st.Dim })
		above = append(above, row.String())
	}
	empty := func() []string { return Notice(t.env, t.emptyText(), t.w) }
	return t.list.Draw(above, t.w, t.h, empty, func(i int) string { return t.row(i, focused, widths) })
}

// headRows is how many rows are above those of the list.
func (t *Table[T]) headRows() (n int) {
	if t.summary() != "" {
		n++
	}
	if t.warning() != "" {
		n++
	}
	if t.hasHeads() {
		n++
	}
	return n
}

func (t *Table[T]) summary() string {
	if t.Summary == nil || t.h < 2 {
		return ""
	}
	return t.Summary()
}

func (t *Table[T]) warning() string {
	if t.Above == nil || t.h < 2 {
		return ""
	}
	return t.Above()
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
		case c.Most > 0:
			if widths[i] = min(t.widest(c), t.w*c.Most/100); widths[i] == 0 {
				widths[i] = -1
				continue
			}
		default:
			flexible = i
			continue
		}
		rest -= widths[i] + gap
	}
	if flexible >= 0 {
		widths[flexible] = max(0, rest)
	}
	return widths
}

// widest is the width of the widest text of a column on the screen.
func (t *Table[T]) widest(c Column[T]) (width int) {
	width = text.Width(c.Head)
	top := min(t.list.Top(), len(t.shown))
	for _, s := range t.shown[top:min(top+t.h, len(t.shown))] {
		if s.hidden == 0 && t.whole(s.row) == "" {
			width = max(width, text.Width(text.Clean(c.Text(s.row))))
		}
	}
	return width
}

func (t *Table[T]) whole(r T) string {
	if t.Whole == nil {
		return ""
	}
	return t.Whole(r)
}

// lead is the number of cells before the first column of the rows on the screen.
func (t *Table[T]) lead() (cells int) {
	top := min(t.list.Top(), len(t.shown))
	for i, s := range t.shown[top:min(top+t.h, len(t.shown))] {
		if s.hidden == 0 && t.whole(s.row) == "" {
			cells = max(cells, text.Width(t.leadOf(top+i)))
		}
	}
	return max(2, cells)
}

// leadOf is what is before the text of a row: the cursor, the sign of a fold, the box of the selection.
func (t *Table[T]) leadOf(i int) string {
	s := t.shown[i]
	lead := " "
	if at, _ := t.list.At(); i == at {
		lead = t.env.Styles.Glyphs.Cursor
	}
	switch {
	case t.Tree:
		return lead + t.sign(i)
	case t.Sign != nil && s.hidden == 0 && !s.folds:
		lead += strings.Repeat("  ", s.depth) // below the sign of its heading
	case s.hidden > 0 || !t.heading(s.row):
		lead += " " + strings.Repeat("  ", s.indent)
	}
	if s.folds {
		lead += t.foldSign(s) + " "
	}
	switch {
	case s.hidden > 0:
	case t.Sign != nil:
		lead += t.sign(i) + " "
	case t.Selectable != nil && !t.heading(s.row):
		lead += t.box(i) + " "
	}
	return lead
}

func (t *Table[T]) row(i int, focused bool, widths []int) string {
	s, st := t.shown[i], t.env.Styles
	at, _ := t.list.At()
	row, base := Row{Room: t.w}, t.paint(i, at, focused)
	row.Put(t.leadOf(i), base)
	whole := ""
	if s.hidden > 0 {
		whole = t.env.Keyed(t.HiddenText(s.hidden))
	} else {
		whole = text.Clean(t.whole(s.row))
	}
	if whole != "" {
		row.PutPadded(text.Truncate(whole, row.Room, st.Glyphs.Ellipsis), row.Room, base)
		return row.String()
	}
	of := func(c Column[T], width int) (said string, marks [][2]int) {
		if c.Marks != nil {
			marks = c.Marks(s.row)
		}
		if said = c.Text(s.row); c.Fit != nil && text.Width(said) > width {
			said = c.Fit(s.row, width)
		}
		return said, marks
	}
	t.putCells(&row, widths, of, func(c Column[T]) theme.Paint {
		if c.Paint == nil || i == at {
			return base
		}
		return c.Paint(s.row, st)
	})
	row.PutPadded("", row.Room, base)
	return row.String()
}

// paint is that of a row.
func (t *Table[T]) paint(i, at int, focused bool) theme.Paint {
	s, st := t.shown[i], t.env.Styles
	switch {
	case i == at && focused:
		return st.Selected
	case i == at:
		return st.SelectedBlur
	case s.hidden > 0:
		return st.Dim
	case t.Selected(s.row), t.inRange(i):
		return st.Marked
	case t.Paint != nil:
		return t.Paint(s.row, st)
	}
	return st.Text
}

// putCells adds the columns of a row.
func (t *Table[T]) putCells(
	row *Row, widths []int, of func(c Column[T], width int) (said string, marks [][2]int), paint func(Column[T]) theme.Paint,
) {
	for i, c := range t.Columns {
		if widths[i] < 0 {
			continue
		}
		width := min(widths[i], row.Room)
		said, marks := of(c, width)
		if len(marks) > 0 {
			row.PutPainted(t.marked([]byte(said), marks, width, paint(c)), width)
			row.PutPadded("", min(gap, row.Room), paint(c))
			continue
		}
		cut := text.Truncate
		if c.Ends {
			cut = text.TruncateLeft
		}
		cell := cut(text.Clean(said), width, t.env.Styles.Glyphs.Ellipsis)
		if c.Right {
			cell = text.PadLeft(cell, width)
		}
		row.PutPadded(cell, width, paint(c))
		row.PutPadded("", min(gap, row.Room), paint(c))
	}
}

// marked draws the part of a text that has its first mark in sight, in exactly width cells.
func (t *Table[T]) marked(b []byte, marks [][2]int, width int, base theme.Paint) string {
	o, first, dots := t.env.Text(0), 0, t.env.Styles.Glyphs.Ellipsis
	all, left, right := text.Column(b, len(b), o), "", ""
	if width <= 3*text.Width(dots) {
		dots = ""
	}
	if all > width && text.Column(b, min(marks[0][1], len(b)), o) > width-text.Width(dots) {
		first = max(0, min(text.Column(b, min(marks[0][0], len(b)), o)-width/4, all-width+text.Width(dots)))
	}
	if first > 0 {
		left = base.Apply(dots)
		width -= text.Width(dots)
	}
	if all-first > width {
		right = base.Apply(dots)
		width -= text.Width(dots)
	}
	c := Cells{Env: t.env, Line: b, Room: width, First: first}
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

func (t *Table[T]) foldSign(s shown[T]) string {
	if t.IsFolded(s.row) && (t.filter.Line == "" || !t.heading(s.row)) {
		return t.env.Styles.Glyphs.Collapsed
	}
	return t.env.Styles.Glyphs.Expanded
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
	t.list.Resize(max(0, h-t.headRows()))
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

// Search returns what "/" does in the table.
func (t *Table[T]) Search() *Search { return &t.search }

// Filter is the line of the filter, "" for none.
func (t *Table[T]) Filter() string { return t.filter.Line }

// Matches implements [FilterCounter].
func (t *Table[T]) Matches() string {
	n, all := 0, 0
	if t.Tree {
		for _, s := range t.shown {
			if s.fits {
				n++
			}
		}
		return Number(n) + " found  "
	}
	for _, s := range t.shown {
		if s.indent == 0 && s.hidden == 0 && !t.heading(s.row) {
			n++
		}
	}
	t.eachItem(t.rows, func(T) { all++ })
	return fmt.Sprintf("%d of %d  ", n, all)
}

// Cursor implements [Pane].
func (t *Table[T]) Cursor() (Point, bool) {
	at, ok := t.list.Point()
	at.Y += t.headRows()
	return at, ok
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
