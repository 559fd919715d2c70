package kit

import (
	"slices"

	"memcurator/keymap"
)

func (t *Table[T]) selectable(r T) bool { return t.Selectable != nil && t.Selectable(r) }

// Selected reports whether a row is selected.
func (t *Table[T]) Selected(r T) bool { return t.marks[t.Key(r)] }

// Selection are the selected rows that are listed. Those that the filter hides stay selected, but nothing is done to them.
func (t *Table[T]) Selection() []T {
	return slices.DeleteFunc(t.Listed(), func(r T) bool { return !t.Selected(r) })
}

// CountSelected counts the selected rows, also those that the filter hides.
func (t *Table[T]) CountSelected() int { return len(t.marks) }

// Chosen are the rows that an action is about: the selected ones, or else the one under the cursor.
func (t *Table[T]) Chosen() []T {
	list := t.Selection()
	if r, ok := t.Owner(); ok && len(list) == 0 {
		list = append(list, r)
	}
	return list
}

// Listed are the rows that the filter leaves and that can be selected.
func (t *Table[T]) Listed() (list []T) {
	for _, s := range t.shown {
		if s.hidden == 0 && t.selectable(s.row) {
			list = append(list, s.row)
		}
	}
	return list
}

// Owner is the row that the cursor is on or below, if it can be selected.
func (t *Table[T]) Owner() (row T, ok bool) {
	if row, ok = t.Current(); ok && !t.selectable(row) {
		row, ok = t.parent()
	}
	return row, ok && t.selectable(row)
}

// ClearSelection selects nothing.
func (t *Table[T]) ClearSelection() { clear(t.marks) }

// PeelRange ends the range that is being made; false: none is.
func (t *Table[T]) PeelRange() bool {
	ranging := t.anchor >= 0
	t.anchor = -1
	return ranging
}

func (t *Table[T]) mark(r T, on bool) {
	if on && t.selectable(r) {
		t.marks[t.Key(r)] = true
	} else {
		delete(t.marks, t.Key(r))
	}
}

// toggle selects the row under the cursor or clears it, and goes to the next one that can be selected. It ends a range.
func (t *Table[T]) toggle() {
	if t.anchor >= 0 {
		t.toggleRange()
		return
	}
	r, ok := t.Owner()
	if !ok {
		return
	}
	t.mark(r, !t.Selected(r))
	at, _ := t.list.At()
	next := slices.IndexFunc(t.shown[at+1:], func(s shown[T]) bool { return s.hidden == 0 && t.selectable(s.row) })
	if next >= 0 {
		t.list.MoveTo(at + 1 + next)
	} else {
		t.list.Motion(keymap.Down)
	}
}

// toggleRange begins a range at the cursor, or selects the rows of the range.
func (t *Table[T]) toggleRange() {
	at, ok := t.list.At()
	switch {
	case !ok:
	case t.anchor < 0:
		t.anchor = at
	default:
		for i, s := range t.shown {
			if t.inRange(i) && s.hidden == 0 {
				t.mark(s.row, true)
			}
		}
		t.anchor = -1
	}
}

// inRange reports whether a row is in the range that is being made.
func (t *Table[T]) inRange(i int) bool {
	at, _ := t.list.At()
	return t.anchor >= 0 && i >= min(at, t.anchor) && i <= max(at, t.anchor)
}

// toggleAll selects every listed row; if all are selected, none.
func (t *Table[T]) toggleAll() {
	all := t.Listed()
	on := slices.ContainsFunc(all, func(r T) bool { return !t.Selected(r) })
	for _, r := range all {
		t.mark(r, on)
	}
}

func (t *Table[T]) invert() {
	for _, r := range t.Listed() {
		t.mark(r, !t.Selected(r))
	}
}
