package kit

import tea "charm.land/bubbletea/v2"

func (t *Table[T]) isFolded(r T) bool { return t.Folded != t.turned[t.Key(r)] }

// fold folds or unfolds a row.
func (t *Table[T]) fold(r T, fold bool) {
	t.turned[t.Key(r)] = fold != t.Folded
	t.Arrange()
}

func (t *Table[T]) foldAll(fold bool) {
	up, below := t.parent()
	t.each(t.rows, func(r T) { t.turned[t.Key(r)] = fold != t.Folded })
	t.Arrange()
	if fold && below {
		t.GoTo(t.Key(up))
	}
}

// left folds the row under the cursor, or the one that it is below.
func (t *Table[T]) left() {
	r, ok := t.Current()
	if !ok {
		return
	}
	if at, _ := t.list.At(); !t.shown[at].folds || t.isFolded(r) {
		if r, ok = t.parent(); !ok {
			return
		}
		t.GoTo(t.Key(r))
	}
	t.fold(r, true)
}

// right unfolds the row under the cursor, or opens it if it has none below it.
func (t *Table[T]) right() tea.Cmd {
	r, ok := t.Current()
	if at, _ := t.list.At(); ok && t.shown[at].folds {
		t.fold(r, false)
		return t.moved()
	}
	return t.open()
}
