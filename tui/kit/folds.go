package kit

import tea "charm.land/bubbletea/v2"

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
	t.each(t.rows, func(r T) { t.turned[t.Key(r)] = fold != t.folded(r) })
	t.Arrange()
	if fold && below {
		t.GoTo(t.Key(up))
	}
}

// goLeft folds the row under the cursor, or the one that it is below.
func (t *Table[T]) goLeft() {
	r, ok := t.Current()
	if !ok {
		return
	}
	if at, _ := t.list.At(); !t.shown[at].folds || t.IsFolded(r) {
		if r, ok = t.parent(); !ok {
			return
		}
		t.GoTo(t.Key(r))
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
