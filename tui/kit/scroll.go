package kit

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
)

// place is a row of a laid-out text: a line, and a row within it, both from 0.
type place struct{ line, row int }

func (a place) before(b place) bool { return a.line < b.line || a.line == b.line && a.row < b.row }

// height is the number of rows of a line.
func (t *Text) height(line int) (rows int) {
	for _, h := range t.halves(line) {
		rows = max(rows, len(h.rows))
	}
	return rows
}

// walk is the place n rows below another, or above it if n is below 0, and how many rows that is: fewer at the ends of the text.
func (t *Text) walk(at place, n int) (place, int) {
	moved := 0
	for ; moved < n && t.lines() > 0; moved++ {
		switch {
		case at.row+1 < t.height(at.line):
			at.row++
		case at.line+1 < t.lines():
			at = place{line: at.line + 1}
		default:
			return at, moved
		}
	}
	for ; moved > n; moved-- {
		switch {
		case at.row > 0:
			at.row--
		case at.line > 0:
			at = place{at.line - 1, t.height(at.line-1) - 1}
		default:
			return at, moved
		}
	}
	return at, moved
}

// rowsTo counts the rows from the top of the screen to a place below it, up to most.
func (t *Text) rowsTo(to place, most int) int {
	n := -t.top.row
	for line := t.top.line; line < to.line && n < most; line++ {
		n += t.height(line)
	}
	return min(n+to.row, most)
}

// cursorRow is the cursor's row on the screen.
func (t *Text) cursorRow() int {
	if at := (place{line: t.cursor}); t.top.before(at) && t.Height() > 0 {
		return t.rowsTo(at, t.Height()-1)
	}
	return 0
}

// motion performs a motion up or down.
func (t *Text) motion(id keymap.ID) tea.Cmd {
	by, _ := motionBy(id, t.Height())
	switch id {
	case keymap.Down, keymap.Up:
		t.step(by)
	case keymap.Top:
		t.goTo(0)
	case keymap.Bottom:
		t.goTo(t.lines() - 1)
	default:
		t.scroll(by)
	}
	return nil
}

// step moves the cursor by one, but first scrolls through a line taller than the screen.
func (t *Text) step(by int) {
	h := t.Height()
	if t.cursor == t.top.line && t.lines() > 0 && (by < 0 && t.top.row > 0 || by > 0 && t.top.row+h < t.height(t.cursor)) {
		t.top.row += by
		return
	}
	top := t.top.line
	t.goTo(t.cursor + by)
	if t.cursor < top && t.height(t.cursor) > h {
		t.top.row = t.height(t.cursor) - h // coming from below, its end appears first
	}
}

// scroll moves screen and cursor together by rows; at the ends only the cursor moves.
func (t *Text) scroll(by int) {
	if t.lines() == 0 {
		return
	}
	y, was := t.cursorRow(), t.top
	top, done := t.walk(was, by)
	t.top = top
	done += t.fill()
	at, _ := t.walk(t.top, y)
	t.cursor = at.line
	if at.line == t.top.line && t.top.row > 0 && t.height(at.line)-t.top.row < t.Height() && at.line+1 < t.lines() {
		t.cursor++ // its first row is in sight
	}
	if done != by {
		t.goTo(t.cursor + by - done)
	}
}

// goTo moves the cursor to a line, or the nearest existing one, and shows it.
func (t *Text) goTo(line int) {
	t.cursor = line
	t.reveal()
}

// Tall reports whether the cursor's line has more rows than the screen.
func (t *Text) Tall() bool { return t.cursor < t.lines() && t.height(t.cursor) > t.Height() }

// MoveTo shows a line at the top of the screen, as far as that leaves the cursor's line on it.
func (t *Text) MoveTo(top, cursor int) {
	t.top = place{line: max(0, top)}
	t.goTo(cursor)
}

// MoveToBlock moves the cursor to the first of several lines. Where that scrolls, or the block isn't all on the screen, the block is
// shown whole if it fits, with up to a third of the screen above it for what introduces it.
func (t *Text) MoveToBlock(line, lines int) {
	was, h := t.top, t.Height()
	t.goTo(line)
	rows := 0
	for i := t.cursor; i < min(t.cursor+lines, t.lines()) && rows < h; i++ {
		rows += t.height(i)
	}
	if t.top != was || t.cursorRow()+rows > h {
		t.top, _ = t.walk(place{line: t.cursor}, -min(h/3, max(1, h-rows)))
		t.fill()
	}
}

// reveal brings the cursor back into the text and onto the screen, scrolling as little as possible, and shows no rows beyond the end if
// there are rows above to show.
func (t *Text) reveal() {
	if t.lines() == 0 {
		t.cursor, t.top = 0, place{}
		return
	}
	t.cursor, t.top.line = max(0, min(t.cursor, t.lines()-1)), max(0, min(t.top.line, t.lines()-1))
	h, at := t.Height(), place{line: t.cursor}
	if h == 0 {
		return
	}
	if t.cursor < t.top.line-h || t.cursor > t.top.line+2*h {
		// It goes to the middle; the lines in between aren't measured, since they may be many.
		t.top = place{line: max(0, t.cursor-h/2)}
	}
	t.top.row = max(0, min(t.top.row, t.height(t.top.line)-1))
	tall := min(h, t.height(t.cursor)) // of a line taller than the screen, the start is shown
	switch {
	case t.cursor == t.top.line && t.height(t.cursor) <= h, at.before(t.top) && t.cursor != t.top.line:
		t.top = at
	case t.cursor != t.top.line && t.rowsTo(at, h)+tall > h:
		end, _ := t.walk(at, tall-1)
		t.top, _ = t.walk(end, 1-h)
	}
	t.fill()
}

// fill scrolls back if rows beyond the end are visible while there are rows above to show. It returns by how many rows, below 0.
func (t *Text) fill() (by int) {
	_, below := t.walk(t.top, t.Height()-1)
	t.top, by = t.walk(t.top, min(0, below-t.Height()+1))
	return by
}

// ShowBytes brings bytes of a line into sight, or of the part of it that is on its right: the cursor goes there unless they are; cut lines
// are scrolled sideways.
func (t *Text) ShowBytes(line, part, start, end int) {
	h := t.halves(line)[part]
	if !t.cut {
		at := place{line, max(0, slices.IndexFunc(h.rows, func(r text.Row) bool { return start < r.End }))}
		if at.before(t.top) || t.rowsTo(at, t.Height()) >= t.Height() {
			t.cursor = line
			t.top, _ = t.walk(at, -t.Height()/2)
			t.fill()
		}
		return
	}
	o := t.env.Text(h.Tabs)
	from, to := text.Column(h.Text, min(start, len(h.Text)), o), text.Column(h.Text, min(end, len(h.Text)), o)
	switch {
	case to < h.room:
		t.col = 0
	case from < t.col || to >= t.col+h.room:
		t.col = max(0, from-h.room/2)
	}
}

// sideways scrolls cut lines, at most to the end of the cursor's line.
func (t *Text) sideways(id keymap.ID) {
	far := t.col
	if t.cut && t.cursor < t.lines() {
		for _, h := range t.halves(t.cursor) {
			far = max(far, text.Column(h.Text, len(h.Text), t.env.Text(h.Tabs))-h.room)
		}
	}
	const some = 8 // cells
	switch id {
	case keymap.Left:
		if t.col == 0 {
			t.env.Emit(FocusList{})
		}
		t.col = max(0, t.col-some)
	case keymap.Right:
		t.col = min(t.col+some, far)
	case keymap.LineStart:
		t.col = 0
	case keymap.LineEnd:
		t.col = far
	}
}

// scrollbar is the last cell of the rows, by the lines above the screen and below it.
func (t *Text) scrollbar() func(row int) string {
	st, h := t.env.Styles, t.Height()
	if _, rows := t.walk(place{}, h); rows < h || t.w < 2 {
		return func(int) string { return " " }
	}
	size := max(1, h*h/max(t.lines(), h+1))
	at := (h - size) * t.top.line / max(1, t.lines())
	if _, rows := t.walk(t.top, h); rows < h {
		at = h - size
	}
	return func(row int) string {
		if row >= at && row < at+size {
			return st.Dim.Apply(st.Glyphs.ScrollThumb)
		}
		return st.Dim.Apply(st.Glyphs.ScrollTrack)
	}
}
