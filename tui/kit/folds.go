package kit

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// IsFolded reports whether the rows below a row are left out.
func (t *Table[T]) IsFolded(r T) bool { return t.folded(r) != t.turned[t.Key(r)] }

// folded reports whether a row is folded until the user unfolds it.
func (t *Table[T]) folded(r T) bool { return t.Folded != nil && t.Folded(r) }

// Fold folds or unfolds a row.
func (t *Table[T]) Fold(r T, fold bool) {
	t.turned[t.Key(r)] = fold != t.folded(r)
	t.Arrange()
}

func (t *Table[T]) foldAll(fold bool) {
	up, below := t.parent()
	t.each(t.rows, func(r T) {
		if len(t.below(r)) > 0 {
			t.turned[t.Key(r)] = fold != t.folded(r)
		}
	})
	t.Arrange()
	if fold && below {
		t.GoTo(t.Key(up))
	}
}

// goLeft folds the row under the cursor, or the one that it is below, or leaves the table.
func (t *Table[T]) goLeft() {
	r, ok := t.Current()
	if at, _ := t.list.At(); ok && (!t.shown[at].folds || t.IsFolded(r)) {
		if r, ok = t.parent(); ok {
			t.GoTo(t.Key(r))
		}
	}
	if !ok {
		t.env.Emit(FocusList{})
		return
	}
	t.Fold(r, true)
}

// goRight unfolds the row under the cursor, or opens it if it has none below it.
func (t *Table[T]) goRight() tea.Cmd {
	r, ok := t.Current()
	if at, _ := t.list.At(); ok && t.shown[at].folds {
		t.Fold(r, false)
		return t.moved()
	}
	return t.open()
}

// Turn folds the row with a key if it begins unfolded, or unfolds it if it begins folded. [Table.Arrange] shows it.
func (t *Table[T]) Turn(key string) { t.turned[key] = true }

// Turned are the keys of the rows that the user folded or unfolded, in order.
func (t *Table[T]) Turned() (keys []string) {
	for key, turned := range t.turned {
		if turned {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// unfoldAbove unfolds the rows that the one under the cursor is below.
func (t *Table[T]) unfoldAbove() {
	at, ok := t.list.At()
	if !ok {
		return
	}
	depth := t.shown[at].depth
	for i := at - 1; i >= 0; i-- {
		if s := t.shown[i]; s.depth < depth {
			depth = s.depth
			t.turned[t.Key(s.row)] = t.folded(s.row)
		}
	}
}

// UnturnAll takes back what [Table.Turn] and the user did. [Table.Arrange] shows it.
func (t *Table[T]) UnturnAll() { clear(t.turned) }
