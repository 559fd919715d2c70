package kit

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
)

// Place is a row of a laid-out text: a line, and a row within it, both from 0.
type Place struct{ Line, Row int }

// Before reports whether a is above b.
func (a Place) Before(b Place) bool { return a.Line < b.Line || a.Line == b.Line && a.Row < b.Row }

// TextView is the user's position in a text: the line under the cursor and the row at the top of the screen. It moves both. The pane that
// owns it defines and draws lines: it supplies Count and Height and calls [TextView.Reveal] when they change.
type TextView struct {
	Count  func() int         // number of known lines
	Height func(line int) int // rows of a line on the screen; 0: hidden
	Centre bool               // jumps beyond the next screen put the cursor in the middle

	Cursor, Top Place
	H           int // rows of the screen
}

// Below returns the place n rows below another, at most the last one, and how many rows that is.
func (v *TextView) Below(at Place, n int) (Place, int) {
	last, moved := v.Count()-1, 0
	for moved < n && last >= 0 {
		if step := min(v.Height(at.Line)-1-at.Row, n-moved); step > 0 {
			at.Row += step
			moved += step
			continue
		}
		next := at.Line + 1
		for next <= last && v.Height(next) == 0 {
			next++
		}
		if next > last {
			break
		}
		at = Place{Line: next}
		moved++
	}
	return at, moved
}

// Above returns the place n rows above another, at least the first one, and how many rows that is.
func (v *TextView) Above(at Place, n int) (Place, int) {
	moved := 0
	for moved < n {
		if step := min(at.Row, n-moved); step > 0 {
			at.Row -= step
			moved += step
			continue
		}
		next := at.Line - 1
		for next >= 0 && v.Height(next) == 0 {
			next--
		}
		if next < 0 {
			break
		}
		at = Place{next, v.Height(next) - 1}
		moved++
	}
	return at, moved
}

// Last is the last row of the text.
func (v *TextView) Last() Place {
	line := max(0, v.Count()-1)
	for line > 0 && v.Height(line) == 0 {
		line--
	}
	return Place{line, max(0, v.height(line)-1)}
}

// Rows counts the rows from one place to another below it, up to most.
func (v *TextView) Rows(from, to Place, most int) int {
	n := -from.Row
	for line := from.Line; line < to.Line; line++ {
		if n += v.Height(line); n >= most {
			return most
		}
	}
	return min(n+to.Row, most)
}

// CursorRow is the cursor's row on the screen.
func (v *TextView) CursorRow() int {
	if v.Cursor.Before(v.Top) || v.H <= 0 {
		return 0
	}
	return max(0, v.Rows(v.Top, v.Cursor, v.H-1))
}

// MoveTo moves the cursor to a line, or the nearest existing one, and shows it.
func (v *TextView) MoveTo(line int) {
	v.Cursor = Place{Line: line}
	v.Reveal()
}

// MoveToBlock moves the cursor to the first of several lines. Where that scrolls, or the block isn't all on the screen, the block is
// shown whole if it fits, with up to a third of the screen above it for what introduces it.
func (v *TextView) MoveToBlock(line, lines int) {
	was := v.Top
	v.MoveTo(line)
	rows := v.Rows(v.Cursor, Place{Line: v.Cursor.Line + lines}, v.H)
	if v.H > 0 && (v.Top != was || v.CursorRow()+rows > v.H) {
		v.Top, _ = v.Above(v.Cursor, min(v.H/3, max(1, v.H-rows)))
		v.Fill()
	}
}

// Motion performs a motion up or down; false: id is not one.
func (v *TextView) Motion(id keymap.ID) bool {
	by, paging := v.Paging(id)
	switch {
	case paging:
		v.Scroll(by)
	case id == keymap.Down:
		v.step(1)
	case id == keymap.Up:
		v.step(-1)
	case id == keymap.Top:
		v.MoveTo(0)
	case id == keymap.Bottom:
		v.Cursor = v.Last()
		v.Reveal()
	default:
		return false
	}
	return true
}

// Bindings are the motions up and down.
func (v *TextView) Bindings() []Action {
	return BindMotions(func(id keymap.ID) tea.Cmd {
		v.Motion(id)
		return nil
	})
}

// Paging is how many rows a motion scrolls by; false: it doesn't scroll.
func (v *TextView) Paging(id keymap.ID) (rows int, ok bool) {
	half, page := max(1, v.H/2), max(1, v.H-1)
	rows, ok = map[keymap.ID]int{keymap.HalfDown: half, keymap.HalfUp: -half, keymap.PageDown: page, keymap.PageUp: -page}[id]
	return rows, ok
}

// step moves the cursor by one, but first scrolls through a line taller than the screen.
func (v *TextView) step(by int) {
	top := &v.Top
	switch {
	case v.Cursor.Line == top.Line && (by < 0 && top.Row > 0 || by > 0 && top.Row+v.H < v.height(top.Line)):
		top.Row += by
	default:
		old := top.Line
		v.MoveTo(v.Cursor.Line + by)
		if hidden := v.height(v.Cursor.Line) - v.H; v.Cursor.Line < old && hidden > 0 {
			*top = Place{v.Cursor.Line, hidden} // coming from below, its end appears first
		}
	}
}

func (v *TextView) height(line int) int {
	if line >= v.Count() {
		return 0
	}
	return v.Height(line)
}

// moveCursor moves the cursor, but not the screen.
func (v *TextView) moveCursor(by int) {
	v.Cursor = Place{Line: v.Cursor.Line + by}
}

// Scroll moves screen and cursor together by rows; at the ends only the cursor moves.
func (v *TextView) Scroll(by int) {
	if v.Count() == 0 {
		return
	}
	y := v.CursorRow()
	done := v.Shift(by)
	v.Cursor = Place{Line: v.wholeLine(y)}
	if done != by {
		v.moveCursor(by - done)
		v.Reveal()
	}
}

// Shift scrolls by rows without the cursor, and returns how many.
func (v *TextView) Shift(by int) int {
	if by < 0 {
		top, n := v.Above(v.Top, -by)
		v.Top = top
		return -n
	}
	_, left := v.Below(v.Top, by+v.H-1)
	n := max(0, left-(v.H-1))
	v.Top, _ = v.Below(v.Top, n)
	return n
}

// wholeLine is the line on a row of the screen, or the nearest one that is fully visible, if any.
func (v *TextView) wholeLine(y int) int {
	at, _ := v.Below(v.Top, y)
	height := v.height(at.Line)
	switch {
	case at.Line == v.Top.Line && v.Top.Row > 0 && height-v.Top.Row < v.H && at.Line+1 < v.Count():
		return at.Line + 1
	case at.Line > v.Top.Line && y-at.Row+height > v.H && (at.Line-1 > v.Top.Line || v.Top.Row == 0):
		return at.Line - 1
	}
	return at.Line
}

// Reveal is Follow, but shows no rows beyond the end if there are rows above to show.
func (v *TextView) Reveal() {
	v.Follow()
	if v.H > 0 {
		v.Fill()
	}
}

// Follow brings the cursor back into the text and onto the screen, scrolling as little as possible.
func (v *TextView) Follow() {
	count := v.Count()
	if count == 0 {
		v.Cursor, v.Top = Place{}, Place{}
		return
	}
	v.Cursor, v.Top = v.within(v.Cursor), v.within(v.Top)
	v.Cursor.Row = 0
	tall := max(1, min(v.H, v.Height(v.Cursor.Line))) // show the start of a line taller than the screen
	if v.H <= 0 {
		return
	}
	if v.Centre {
		v.centre()
	}
	switch {
	case v.Cursor.Line == v.Top.Line:
		if v.Height(v.Top.Line) <= v.H {
			v.Top.Row = 0
		}
	case v.Cursor.Before(v.Top):
		v.Top = v.Cursor
	case v.Rows(v.Top, v.Cursor, v.H)+tall > v.H:
		end, _ := v.Below(v.Cursor, tall-1)
		v.Top, _ = v.Above(end, v.H-1)
	}
}

// ShowRow scrolls until a row of the cursor's line is visible.
func (v *TextView) ShowRow(row int) {
	at := v.within(Place{v.Cursor.Line, row})
	if at.Before(v.Top) || v.Rows(v.Top, at, v.H) >= v.H {
		v.Top, _ = v.Above(at, v.H/2)
		v.Fill()
	}
}

// within returns the nearest existing place.
func (v *TextView) within(at Place) Place {
	at.Line = max(0, min(at.Line, v.Count()-1))
	at.Row = max(0, min(at.Row, v.Height(at.Line)-1))
	return at
}

// centre puts the cursor in the middle if it is more than a screen away from the visible part. It doesn't measure lines to do so: those
// in between may not be laid out, or read, yet.
func (v *TextView) centre() {
	if v.Cursor.Line < v.Top.Line-v.H || v.Cursor.Line > v.Top.Line+2*v.H {
		v.Top = Place{Line: max(0, v.Cursor.Line-v.H/2)}
	}
}

// Fill scrolls back if rows beyond the end are visible while there are rows above to show.
func (v *TextView) Fill() {
	if v.Count() == 0 {
		v.Top = Place{}
		return
	}
	v.Top = v.within(v.Top)
	if _, below := v.Below(v.Top, v.H-1); below < v.H-1 {
		v.Top, _ = v.Above(v.Top, v.H-1-below)
	}
}

// Click moves the cursor to a row of the screen. again: it was already there; hit is false if there is no such row.
func (v *TextView) Click(row int) (hit, again bool) {
	if row < 0 || row >= v.H || v.Count() == 0 {
		return false, false
	}
	at, n := v.Below(v.Top, row)
	if n < row {
		return false, false
	}
	at.Row = 0
	again = at == v.Cursor
	v.Cursor = at
	return true, again
}
