// Package kit has what every screen is made of: panes, actions, jobs, intents, and sentences that several parts show. [Table] is a list
// of rows: a screen describes its rows in a [Spec], and cursor, folds, selection, filter, order and drawing are done here, the
// same way on every screen. [Text] is the same for texts.
package kit

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/theme"
)

// Spec describes the rows of a [Table]. Key and Words are needed, everything else is optional.
type Spec[T any] struct {
	Title string       // of the list, in the rule above it
	Scope keymap.Scope // whose keys it has

	Key   func(T) string // identifies a row as long as it exists
	Words func(T) string // the text in lower case that the words of a filter may occur in

	Below  func(T) []T  // the rows under a row, which can be folded
	Folded func(T) bool // rows that are folded until the user unfolds them; nil: none is
	// Heading reports whether a row only stands for those below it: it is listed if one of them is, a filter looks into it even if it
	// is folded, and selecting it selects them.
	Heading func(T) bool
	// Tree is set where the rows below one are of the same kind, as in folders: a filter and "/" look into all of them, each is selected by
	// itself, and the columns draw indentation and fold.
	Tree bool

	// Selectable reports whether a row can be selected. nil: no row of the list can.
	Selectable func(T) bool
	// Sign is a sign of one cell before a row, " " for none. A selected row has the mark of selected rows there, in place of a box.
	Sign func(T) string
	// Why says why a row can't be selected, with keys as in [Env.Keyed]. nil: the row that it is below is selected.
	Why func(T) string
	// Hidden reports whether a row is left out until the user asks for all rows, and HiddenText counts those, below the rows, with keys
	// as in [Env.Keyed].
	Hidden     func(T) bool
	HiddenText func(n int) string
	// Todo reports whether a row waits for the user: "." goes to the next one, also below a folded heading. NoTodo says that there is none.
	Todo   func(T) bool
	NoTodo string // with keys as in [Env.Keyed]

	Terms  []Term[T]  // of its filter
	Orders []Order[T] // the first one is that of the rows as they come

	Columns []Column[T]
	Whole   func(T) string // the text of a row without columns, such as a heading; "": the row has columns
	Paint   func(T, *theme.Styles) theme.Paint
	Summary func() string // what the rows are, above them; "" for none
	Above   func() string // a warning above the rows; "" for none
	Empty   func() string // why there are no rows, and what to do

	Path func(T) string // the agent path of a row
	Line func(T) string // what copying a row copies; nil: what its columns say

	More []Action        // beside those of every table, or in place of them
	Open func(T) tea.Cmd // also by the key to the right, of a row with none below it
	// Moved is called after a key or a click if another row is under the cursor, or the selection changed. It is not after [Table.Set] and
	// [Table.Arrange]: whoever calls them shows the preview again.
	Moved func() tea.Cmd
}

// Order is a way to sort rows.
type Order[T any] struct {
	Name    string
	Compare func(a, b T) int // nil: as they come
}

// Table is a list of rows. Make it with [NewTable]. All methods run on the Bubble Tea goroutine.
type Table[T any] struct {
	Spec[T]
	env     *Env
	actions *Actions
	list    List
	w, h    int

	rows   []T // as they come, without those below others
	shown  []shown[T]
	hidden int // how many rows are left out
	filter Filter[T]
	order  int             // of Orders
	all    bool            // hidden rows are shown, too
	turned map[string]bool // rows that the user folded or unfolded, against Spec.Folded
	marks  map[string]bool // the selected rows
	anchor int             // the row where a range began; below 0: none is being made
}

// shown is a row on the screen.
type shown[T any] struct {
	row    T
	depth  int  // how many rows it is nested in
	indent int  // how many of these are not headings
	folds  bool // it has rows below it
	fits   bool // it is what the filter looks for, and not only above it
}

// NewTable makes an empty table.
func NewTable[T any](env *Env, s Spec[T]) *Table[T] {
	t := &Table[T]{Spec: s, env: env, turned: map[string]bool{}, marks: map[string]bool{}, anchor: -1}
	t.actions = NewActions(env, t.Scope, t.bindings()...)
	return t
}

func (t *Table[T]) bindings() []Action {
	then := func(f func()) func() tea.Cmd {
		return func() tea.Cmd {
			f()
			return t.moved()
		}
	}
	top := func(s shown[T]) bool { return s.depth == 0 }
	actions := bindMotions(func(id keymap.ID) tea.Cmd {
		t.list.Motion(id)
		return t.moved()
	})
	actions = append(actions,
		Action{ID: keymap.Open, Run: t.open},
		Action{ID: keymap.Left, Run: then(t.goLeft)},
		Action{ID: keymap.Right, Run: t.goRight},
		Action{Scope: keymap.List, ID: keymap.ExpandAll, Keys: "+ =", Help: "more: unfold everything",
			Run: then(func() { t.foldAll(false) })},
		Action{Scope: keymap.List, ID: keymap.CollapseAll, Keys: "-", Help: "less: fold everything",
			Run: then(func() { t.foldAll(true) })},
	)
	if !t.Tree {
		actions = append(actions,
			Action{Scope: keymap.List, ID: keymap.HunkNext, Keys: "}", Help: "jump to the next heading",
				Run: then(func() { t.step(1, top) })},
			Action{Scope: keymap.List, ID: keymap.HunkPrev, Keys: "{", Help: "jump to the previous heading",
				Run: then(func() { t.step(-1, top) })})
	}
	if t.Hidden != nil {
		actions = append(actions, Action{Scope: keymap.List, ID: keymap.ShowHidden, Keys: "H", Help: "hide or show what the list leaves out",
			Run: then(t.toggleHidden)})
	}
	if t.Orders != nil {
		actions = append(actions, Action{Scope: keymap.List, ID: keymap.Sort, Keys: "o", Help: "order the list by something else",
			Run: then(t.nextOrder)})
	}
	if t.Todo != nil {
		actions = append(actions,
			Action{ID: keymap.NextUnread, Run: then(func() { t.stepTodo(1) })},
			Action{ID: keymap.PrevUnread, Run: then(func() { t.stepTodo(-1) })})
	}
	if t.Selectable != nil {
		actions = append(actions,
			Action{Scope: keymap.List, ID: keymap.Mark, Keys: "space", Help: "select the row or clear it, and go down; ends a range",
				Run: then(t.toggle)},
			Action{Scope: keymap.List, ID: keymap.MarkRange, Keys: "v", Help: "extend a range with the cursor; an action is about its rows",
				Run: then(t.toggleRange)},
			Action{Scope: keymap.List, ID: keymap.MarkAll, Keys: "ctrl+a", Help: "select all rows, or none",
				Run: then(t.toggleAll)})
	}
	return withMore(actions, t.More)
}

// withMore adds the actions of a screen, in place of those with the same names.
func withMore(actions, more []Action) []Action {
	for i, a := range actions {
		if slices.ContainsFunc(more, func(b Action) bool { return b.ID == a.ID && b.Run != nil }) {
			actions[i].Run = nil
		}
	}
	return append(actions, more...)
}

// Set takes the rows as they are now. The cursor stays on its row, and what is still there stays selected.
func (t *Table[T]) Set(rows []T) {
	t.rows = rows
	if len(t.marks) > 0 {
		there := map[string]bool{}
		t.each(rows, func(r T) { there[t.Key(r)] = t.selectable(r) })
		for key := range t.marks {
			if !there[key] {
				delete(t.marks, key)
			}
		}
	}
	t.Arrange()
}

// each visits rows and those below them.
func (t *Table[T]) each(rows []T, visit func(T)) {
	for _, r := range rows {
		visit(r)
		t.each(t.below(r), visit)
	}
}

// hides reports whether a row is left out until the user asks for all rows.
func (t *Table[T]) hides(r T) bool {
	return t.Hidden != nil && t.Hidden(r) && !t.all && t.filter.Line == ""
}

func (t *Table[T]) below(r T) []T {
	if t.Below == nil {
		return nil
	}
	return t.Below(r)
}

func (t *Table[T]) heading(r T) bool { return t.Heading != nil && t.Heading(r) }

// Arrange lists the rows again, after something changed that filter or order depend on. The cursor stays on its row, or on its place
// if the row is no longer listed.
func (t *Table[T]) Arrange() {
	was, _ := t.currentKey()
	anchor := ""
	if t.anchor >= 0 {
		anchor = t.Key(t.shown[t.anchor].row)
	}
	t.shown, t.anchor = t.shown[:0], -1
	_, t.hidden = t.add(t.rows, 0, 0)
	t.list.SetCount(len(t.shown))
	if anchor != "" {
		t.anchor = t.find(anchor)
	}
	t.GoTo(was)
}

// add lists rows and those below them. It reports whether any fits the filter, and how many are hidden.
func (t *Table[T]) add(rows []T, depth, indent int) (some bool, hidden int) {
	if t.Orders != nil && t.Orders[t.order].Compare != nil {
		rows = slices.Clone(rows)
		slices.SortStableFunc(rows, t.Orders[t.order].Compare)
	}
	for _, r := range rows {
		if t.hides(r) {
			hidden++
			continue
		}
		at, heading := len(t.shown), t.heading(r)
		fits := t.filter.Line == "" || !heading && (!t.Tree || t.selectable(r)) && t.filter.Fits(r, t.Words)
		below, inner := t.below(r), indent+1
		if heading {
			inner = indent
			listed := slices.DeleteFunc(slices.Clone(below), t.hides)
			if hidden += len(below) - len(listed); len(listed) == 0 {
				continue
			}
			below = listed
		}
		t.shown = append(t.shown, shown[T]{row: r, depth: depth, indent: indent, folds: len(below) > 0, fits: fits})
		within := false
		if len(below) > 0 && (t.filter.Line != "" && (heading || t.Tree) || !t.IsFolded(r)) {
			var more int
			if within, more = t.add(below, depth+1, inner); heading {
				hidden += more
			}
		}
		if !fits && !within {
			t.shown = t.shown[:at]
			continue
		}
		some = true
	}
	return some, hidden
}

// Items are all rows, whatever the filter leaves, without those below others.
func (t *Table[T]) Items() []T { return t.rows }

// Current is the row under the cursor.
func (t *Table[T]) Current() (row T, ok bool) {
	at, ok := t.list.At()
	if !ok || at >= len(t.shown) {
		return row, false
	}
	return t.shown[at].row, true
}

// currentKey is the key of the row under the cursor.
func (t *Table[T]) currentKey() (key string, ok bool) {
	r, ok := t.Current()
	if !ok {
		return "", false
	}
	return t.Key(r), true
}

// GoTo moves the cursor to the row with a key; false: it isn't listed.
func (t *Table[T]) GoTo(key string) bool {
	at := t.find(key)
	if at >= 0 {
		t.list.MoveTo(at)
	}
	return at >= 0
}

// find is the index of the row with a key, -1 if it isn't listed.
func (t *Table[T]) find(key string) int {
	return slices.IndexFunc(t.shown, func(s shown[T]) bool { return t.Key(s.row) == key })
}

// Reveal is GoTo for a row that may be out of sight: the rows that it is below are unfolded, and if it is hidden, all rows are shown.
func (t *Table[T]) Reveal(key string) bool {
	if !t.unfoldTo(key, t.rows) {
		return false
	}
	t.Arrange()
	return t.GoTo(key)
}

// unfoldTo unfolds those of some rows that a row is below; false: it is below none of them.
func (t *Table[T]) unfoldTo(key string, rows []T) bool {
	for _, r := range rows {
		if t.Key(r) == key {
			t.all = t.all || t.hides(r)
			return true
		}
		if t.unfoldTo(key, t.below(r)) {
			t.turned[t.Key(r)] = t.folded(r)
			return true
		}
	}
	return false
}

// AtEnd reports whether the cursor is on the last row.
func (t *Table[T]) AtEnd() bool {
	at, _ := t.list.At()
	return at >= len(t.shown)-1
}

// First moves the cursor to the first row.
func (t *Table[T]) First() { t.list.MoveTo(0) }

// parent is the row that the one under the cursor is below.
func (t *Table[T]) parent() (row T, ok bool) {
	at, ok := t.list.At()
	for i := at - 1; ok && i >= 0; i-- {
		if t.shown[i].depth < t.shown[at].depth {
			return t.shown[i].row, true
		}
	}
	return row, false
}

// Step goes to the next other row that fits, by 1, or to the previous one, by -1, and on from the other end.
func (t *Table[T]) Step(by int, fits func(T) bool) tea.Cmd {
	at, _ := t.currentKey()
	t.step(by, func(s shown[T]) bool { return fits(s.row) && t.Key(s.row) != at })
	return t.moved()
}

func (t *Table[T]) step(by int, fits func(shown[T]) bool) {
	at, _ := t.list.At()
	for n := range t.shown {
		if i := ((at+by*(n+1))%len(t.shown) + len(t.shown)) % len(t.shown); fits(t.shown[i]) {
			t.list.JumpTo(i)
			return
		}
	}
	said := "No other row to go to"
	if t.NoTodo != "" {
		said = t.env.Keyed(t.NoTodo)
	}
	t.env.Emit(Say{Text: said})
}

// stepTodo goes to the next row that waits for the user, by 1, or to the previous one, by -1. It unfolds the heading that has it.
func (t *Table[T]) stepTodo(by int) {
	at, _ := t.list.At()
	if by < 0 || at < len(t.shown) && len(t.todoBelow(t.shown[at])) == 0 {
		t.step(by, func(s shown[T]) bool { return t.Todo(s.row) || len(t.todoBelow(s)) > 0 })
	}
	at, ok := t.list.At()
	if !ok {
		return
	}
	switch list := t.todoBelow(t.shown[at]); {
	case len(list) > 0 && by > 0:
		t.Reveal(t.Key(list[0]))
	case len(list) > 0:
		t.Reveal(t.Key(list[len(list)-1]))
	}
}

// todoBelow are the rows below a folded heading that wait for the user.
func (t *Table[T]) todoBelow(s shown[T]) []T {
	if !s.folds || !t.heading(s.row) || !t.IsFolded(s.row) || t.filter.Line != "" {
		return nil
	}
	return slices.DeleteFunc(t.left(t.below(s.row)), func(r T) bool { return !t.Todo(r) })
}

func (t *Table[T]) open() tea.Cmd {
	r, ok := t.Current()
	if !ok || t.Open == nil {
		return nil
	}
	return t.Open(r)
}

func (t *Table[T]) toggleHidden() {
	t.all = !t.all
	t.Arrange()
}

func (t *Table[T]) nextOrder() {
	t.order = (t.order + 1) % len(t.Orders)
	t.Arrange()
	t.env.Emit(Say{Text: "Sorted by " + t.Orders[t.order].Name})
}

func (t *Table[T]) moved() tea.Cmd {
	if t.Moved == nil {
		return nil
	}
	return t.Moved()
}

// SetFilter implements [Filtered].
func (t *Table[T]) SetFilter(line string) (cmd tea.Cmd, problem string) {
	was, _ := t.currentKey()
	if t.Tree && line == "" {
		t.unfoldAbove()
	}
	t.filter = parseFilter(line, t.Terms)
	t.Arrange()
	now, ok := t.currentKey()
	if at, _ := t.list.At(); ok && (now != was || t.Tree && !t.shown[at].fits) {
		t.list.MoveTo(max(0, slices.IndexFunc(t.shown, func(s shown[T]) bool { return s.fits && !t.heading(s.row) })))
	}
	return t.moved(), t.filter.Problem
}

// CompleteFilter implements [Filtered].
func (t *Table[T]) CompleteFilter(line string) []string {
	return completeWord(line, completions(t.Terms))
}

// Peel implements [Peeler]: it ends the range, the selection, the filter, in this order.
func (t *Table[T]) Peel() (cmd tea.Cmd, peeled bool) {
	switch {
	case t.PeelRange():
	case len(t.marks) > 0:
		t.ClearSelection()
	case t.filter.Line != "":
		cmd, _ := t.SetFilter("")
		return cmd, true
	default:
		return nil, false
	}
	return t.moved(), true
}

// OrderName is how the rows are ordered.
func (t *Table[T]) OrderName() string { return t.Orders[t.order].Name }

// Prefer orders the rows in another way, if there is one of that name, and shows hidden rows or leaves them out.
func (t *Table[T]) Prefer(order string, all bool) {
	t.order = max(0, slices.IndexFunc(t.Orders, func(o Order[T]) bool { return o.Name == order }))
	t.all = all
	t.Arrange()
}
