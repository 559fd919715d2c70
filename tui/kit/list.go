package kit

import "memcurator/keymap"

// List is the cursor of a list of rows: its row, and which rows are visible. The zero value is an empty list; the owning pane sets the
// numbers.
type List struct {
	at, top  int
	count, h int
}

// SetCount sets the number of rows; the cursor keeps its row, also while there is none.
func (l *List) SetCount(n int) {
	if l.count = n; n > 0 {
		l.MoveTo(l.at)
	}
}

// Resize sets how many rows fit on the screen.
func (l *List) Resize(h int) { l.h = h; l.reveal() }

// At returns the row under the cursor; false: the list is empty.
func (l *List) At() (int, bool) { return l.at, l.count > 0 }

// Top is the first row on the screen.
func (l *List) Top() int { return l.top }

// MoveTo moves the cursor to a row, or to the nearest existing one.
func (l *List) MoveTo(i int) {
	l.at = max(0, min(i, l.count-1))
	l.reveal()
}

// JumpTo is MoveTo for a distant row: if it was off the screen, rows around it become visible.
func (l *List) JumpTo(i int) {
	near := i >= l.top && i < l.top+l.h
	l.MoveTo(i)
	if !near {
		l.top = max(0, min(l.at-l.h/3, l.count-l.h))
	}
}

func (l *List) reveal() {
	if l.h <= 0 {
		return
	}
	l.top = min(l.top, l.at)
	l.top = max(l.top, l.at-l.h+1)
	l.top = max(0, min(l.top, l.count-l.h))
}

// Motion performs a motion; false: id is not one.
func (l *List) Motion(id keymap.ID) bool {
	to, ok := Motion(id, l.at, l.count, l.h)
	if ok {
		l.MoveTo(to)
	}
	return ok
}

// Motion returns where a motion leads from row at of count rows, h of them visible; the result may be out of range. false: id is not a
// motion.
func Motion(id keymap.ID, at, count, h int) (to int, ok bool) {
	by, ok := motionBy(id, h)
	switch id {
	case keymap.Top:
		return 0, true
	case keymap.Bottom:
		return count - 1, true
	}
	return at + by, ok
}

// motionBy is by how many rows a motion goes, on a screen of h rows; false: it is none, or goes to an end.
func motionBy(id keymap.ID, h int) (rows int, ok bool) {
	half, page := max(1, h/2), max(1, h-1)
	switch id {
	case keymap.Down:
		return 1, true
	case keymap.Up:
		return -1, true
	case keymap.HalfDown:
		return half, true
	case keymap.HalfUp:
		return -half, true
	case keymap.PageDown:
		return page, true
	case keymap.PageUp:
		return -page, true
	}
	return 0, false
}

// Click moves the cursor to a row of the screen, counted from its top. again: it was already there; hit is false if there is no such row.
func (l *List) Click(row int) (hit, again bool) {
	i := l.top + row
	if row < 0 || i >= l.count {
		return false, false
	}
	again = i == l.at
	l.MoveTo(i)
	return true, again
}
