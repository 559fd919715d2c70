package kit

import (
	"maps"
	"slices"

	"memcurator/keymap"
)

func (t *Table[T]) selectable(r T) bool { return t.Selectable != nil && t.Selectable(r) }

// Selected reports whether a row is selected, of a heading all those below it.
func (t *Table[T]) Selected(r T) bool {
	if len(t.marks) == 0 || !t.heading(r) {
		return t.marks[t.Key(r)]
	}
	below := t.Under(r)
	return len(below) > 0 && !slices.ContainsFunc(below, func(b T) bool { return !t.Selected(b) })
}

// Selection are the selected rows that are listed. Those that the filter hides stay selected, but nothing is done to them.
func (t *Table[T]) Selection() []T {
	if len(t.marks) == 0 {
		return nil
	}
	return slices.DeleteFunc(t.Listed(), func(r T) bool { return !t.Selected(r) })
}

// Chosen are the rows that an action is about: the selected ones, or else the one under the cursor.
func (t *Table[T]) Chosen() []T {
	list := t.Selection()
	if r, ok := t.Owner(); ok && len(list) == 0 {
		list = append(list, r)
	}
	return list
}

// Listed are the rows that the filter leaves and that can be selected, folded ones too; of a tree, those on the list.
func (t *Table[T]) Listed() []T { return t.between(0, len(t.shown)-1) }

// between are the rows from one on the list to another that can be selected, of a folded heading those below it. An unfolded
// folder is left out: the rows below it are on the list themselves.
func (t *Table[T]) between(from, to int) (list []T) {
	for i := from; i <= to; i++ {
		s := t.shown[i]
		open := i+1 < len(t.shown) && t.shown[i+1].depth > s.depth
		switch {
		case t.Tree && !open && t.selectable(s.row):
			list = append(list, s.row)
		case !t.Tree && !(open && t.heading(s.row)):
			list = append(list, t.Under(s.row)...)
		}
	}
	return list
}

// Keys are those of the selected rows that the filter leaves, in order, also of those in folded folders.
func (t *Table[T]) Keys() (keys []string) {
	if t.filter.Line == "" {
		return slices.Sorted(maps.Keys(t.marks))
	}
	for _, r := range t.left(t.rows) {
		if t.Selected(r) {
			keys = append(keys, t.Key(r))
		}
	}
	slices.Sort(keys)
	return keys
}

// left are the rows of some, and of those below them, that the filter leaves and that can be selected.
func (t *Table[T]) left(rows []T) (list []T) {
	t.each(rows, func(r T) {
		if t.selectable(r) && !t.hides(r) && t.filter.Fits(r, t.Words) {
			list = append(list, r)
		}
	})
	return list
}

// Under are the rows that selecting a row selects: itself, or of a heading those below it that the filter leaves.
func (t *Table[T]) Under(r T) []T {
	switch {
	case t.heading(r):
		return t.left(t.Below(r))
	case t.Tree && t.selectable(r):
		return []T{r}
	case t.Tree:
		return nil
	}
	return t.left([]T{r})
}

// Owner is the row that the cursor is on or below, if it can be selected.
func (t *Table[T]) Owner() (row T, ok bool) {
	if row, ok = t.Current(); ok && !t.selectable(row) && !t.Tree {
		row, ok = t.parent()
	}
	return row, ok && t.selectable(row)
}

// ClearSelection selects nothing.
func (t *Table[T]) ClearSelection() { clear(t.marks) }

// Unselect ends the selection of a row.
func (t *Table[T]) Unselect(r T) { t.mark(r, false) }

// Ranging reports whether a range is being made.
func (t *Table[T]) Ranging() bool { return t.anchor >= 0 }

// SelectionText says what is selected: "2 selected", "selecting a range".
func (t *Table[T]) SelectionText() string {
	if t.Ranging() {
		return "selecting a range"
	}
	return Number(len(t.Keys())) + " selected"
}

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
	r, ok := t.Current()
	if !ok {
		return
	}
	if owner, ok := t.Owner(); ok {
		r = owner
	}
	t.turnAll(t.Under(r))
	if t.Why != nil && !t.heading(r) && !t.selectable(r) {
		t.env.Emit(Say{Text: t.env.Keyed(t.Why(r))})
	}
	at, _ := t.list.At()
	next := slices.IndexFunc(t.shown[at+1:], func(s shown[T]) bool { return s.indent <= t.shown[at].indent })
	if next >= 0 && !t.Tree {
		t.list.MoveTo(at + 1 + next)
	} else {
		t.list.Motion(keymap.Down)
	}
}

// MarkHint is the hint to select, where the row under the cursor, or what is below it, can be.
func (t *Table[T]) MarkHint() []Hint {
	r, some := t.Current()
	if _, owned := t.Owner(); owned || some && t.heading(r) {
		return []Hint{Act("select", keymap.Mark)}
	}
	return nil
}

// turnAll selects rows; if all are selected, it clears them.
func (t *Table[T]) turnAll(rows []T) {
	on := slices.ContainsFunc(rows, func(r T) bool { return !t.Selected(r) })
	for _, r := range rows {
		t.mark(r, on)
	}
}

// toggleRange begins a range at the cursor, or ends it.
func (t *Table[T]) toggleRange() {
	at, ok := t.list.At()
	switch {
	case !ok:
	case t.anchor < 0:
		t.anchor = at
	default:
		t.EndRange()
	}
}

// EndRange selects the rows of the range that is being made, of a folded heading those below it.
func (t *Table[T]) EndRange() {
	at, ok := t.list.At()
	if !ok || t.anchor < 0 {
		return
	}
	for _, r := range t.between(min(at, t.anchor), max(at, t.anchor)) {
		t.mark(r, true)
	}
	t.anchor = -1
}

// inRange reports whether a row is in the range that is being made.
func (t *Table[T]) inRange(i int) bool {
	at, _ := t.list.At()
	return t.anchor >= 0 && i >= min(at, t.anchor) && i <= max(at, t.anchor)
}

// toggleAll selects every listed row; if all are selected, none.
func (t *Table[T]) toggleAll() { t.turnAll(t.Listed()) }
