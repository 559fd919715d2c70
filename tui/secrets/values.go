package secrets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/tui/ui"
)

// valueList is the list of the screen: a row a value, unfolded a row for each of its places. Make it with newValues.
type valueList struct {
	env     *ui.Env
	actions *ui.Actions
	choices *choices
	notices notices
	list    ui.List
	search  *ui.RowSearch
	w, h    int

	survey    *findings.Survey // nil: there is none yet
	rows      []row
	filter    filter
	order     order
	dismissed bool            // dismissed values are shown
	revealed  bool            // the value under the cursor is shown in the clear
	inline    bool            // in its row, the only place for it
	unfolded  map[string]bool // by id
	selected  selection
	version   int    // counts what changes a preview
	moved     func() // is called when another place is under the cursor, or its preview has changed
}

// notices are sentences beside the values.
type notices struct {
	empty  func() string // why there are no rows
	unread func() string // what the last scan could not read; "": it has read everything
}

// row is a value, or with a place above 0 one of its places; without a group it counts the values that are hidden.
type row struct {
	group *findings.Group
	place int // from 1, of Places and then of Exempt; 0: the value itself
}

// order is how values are ordered.
type order uint8

const (
	bySeverity order = iota
	byClass
	byPath
	byPlaces
	orders
)

func (o order) String() string { return [...]string{"severity", "class", "path", "places"}[o] }

func newValues(env *ui.Env, c *choices, n notices, moved func()) *valueList {
	v := &valueList{env: env, choices: c, notices: n, moved: moved, unfolded: map[string]bool{}, selected: newSelection()}
	v.filter = filter{choices: c, selected: &v.selected}
	v.search = ui.NewRowSearch(env, &v.list, v.rowText, func(row int) tea.Cmd {
		v.list.JumpTo(row)
		v.turned()
		return nil
	})
	v.actions = ui.NewActions(env, append(v.search.Bindings(), v.bindings()...)...)
	return v
}

func (v *valueList) bindings() []ui.Action {
	all := func(*findings.Group) bool { return true }
	return append(v.list.Bindings(func(keymap.ID) tea.Cmd { v.turned(); return nil }),
		ui.On(keymap.FindingTick, v.toggle),
		ui.On(keymap.MarkRange, v.toggleRange),
		ui.On(keymap.FindingTickAll, v.toggleAll),
		ui.On(keymap.MarkNone, v.clear),
		ui.On(keymap.MarkInvert, v.invert),
		ui.On(keymap.Left, v.fold),
		ui.On(keymap.Right, v.unfold),
		ui.On(keymap.ExpandAll, func() { v.unfoldAll(true) }),
		ui.On(keymap.CollapseAll, func() { v.unfoldAll(false) }),
		ui.On(keymap.FindingNext, func() { v.step(1, all) }),
		ui.On(keymap.FindingPrev, func() { v.step(-1, all) }),
		ui.On(keymap.NextUnread, func() { v.step(1, v.undecided) }),
		ui.On(keymap.PrevUnread, func() { v.step(-1, v.undecided) }),
		ui.On(keymap.Sort, v.nextOrder),
		ui.On(keymap.ShowHidden, v.toggleDismissed),
	)
}

// setSurvey takes a newer survey. The cursor stays on its place; what is gone is forgotten.
func (v *valueList) setSurvey(s *findings.Survey) {
	v.survey, v.filter.texts = s, nil
	listed, open := map[string]bool{}, map[string]bool{}
	for _, g := range v.groups() {
		listed[g.ID], open[g.ID] = true, !g.Dismissed
	}
	forget(v.unfolded, listed)
	v.choices.forget(listed)
	v.selected.keep(open)
	v.arrange()
}

// groups are all values of the survey.
func (v *valueList) groups() []*findings.Group {
	if v.survey == nil {
		return nil
	}
	return v.survey.Groups
}

// SetFilter implements [ui.Filtered].
func (v *valueList) SetFilter(line string) (cmd tea.Cmd, problem string) {
	v.filter.line = line
	v.arrange()
	return nil, ""
}

// CompleteFilter implements [ui.Filtered].
func (v *valueList) CompleteFilter(line string) []string { return completeFilter(line) }

// Matches implements [ui.FilterCounter].
func (v *valueList) Matches() string {
	return fmt.Sprintf("%d of %d  ", len(v.listed()), len(v.groups()))
}

// arrange makes the rows. The cursor stays on its value and place where they are still listed.
func (v *valueList) arrange() {
	was, place := v.here()
	v.rows, v.selected.anchor = nil, -1
	hidden := 0
	for _, g := range v.ordered() {
		switch {
		case g.Dismissed && !v.dismissed && v.filter.line == "":
			hidden++
			continue
		case !v.filter.fits(g):
			continue
		}
		v.rows = append(v.rows, row{group: g})
		if v.unfolded[g.ID] {
			for n := range len(g.Places) + len(g.Exempt) {
				v.rows = append(v.rows, row{g, n + 1})
			}
		}
	}
	if hidden > 0 {
		v.rows = append(v.rows, row{place: hidden})
	}
	v.list.SetCount(len(v.rows))
	if was != nil {
		v.find(was.ID, place)
	}
	v.turned()
}

// ordered are the values in the order that the user chose; those of a survey are ordered by severity.
func (v *valueList) ordered() []*findings.Group {
	if v.order == bySeverity {
		return v.groups()
	}
	list := slices.Clone(v.groups())
	slices.SortStableFunc(list, func(a, b *findings.Group) int {
		switch v.order {
		case byClass:
			return strings.Compare(v.choices.title(a), v.choices.title(b))
		case byPath:
			return strings.Compare(a.Places[0].Path, b.Places[0].Path)
		default:
			return cmp.Compare(len(b.Places), len(a.Places))
		}
	})
	return list
}

func (v *valueList) nextOrder() {
	v.order = (v.order + 1) % orders
	v.arrange()
	v.env.Emit(ui.Say{Text: "Ordered by " + v.order.String()})
}

// find puts the cursor on a place of a value, or on the value.
func (v *valueList) find(id string, place int) (found bool) {
	at := slices.IndexFunc(v.rows, func(r row) bool { return r.group != nil && r.group.ID == id })
	if at < 0 {
		return false
	}
	if r := at + place; r < len(v.rows) && v.rows[r].group == v.rows[at].group {
		at = r
	}
	v.list.MoveTo(at)
	return true
}

// here is the value under the cursor, and the number of its place there; nil where there is none.
func (v *valueList) here() (*findings.Group, int) {
	i, ok := v.list.At()
	if !ok || i >= len(v.rows) {
		return nil, 0
	}
	return v.rows[i].group, v.rows[i].place
}

// group is the value under the cursor, nil where there is none.
func (v *valueList) group() *findings.Group {
	g, _ := v.here()
	return g
}

// place is the place under the cursor, of a value the first one.
func (v *valueList) place() (p findings.Place, ok bool) {
	g, n := v.here()
	if g == nil {
		return p, false
	}
	return placeOf(g, max(1, n)), true
}

// placeOf is a place of a value, counted from 1.
func placeOf(g *findings.Group, n int) findings.Place {
	if n <= len(g.Places) {
		return g.Places[n-1]
	}
	return g.Exempt[n-1-len(g.Places)]
}

// turned is called when another row is under the cursor, or shows something else.
func (v *valueList) turned() {
	v.version++
	v.moved()
}

// step goes to the next value that fits, in a direction, and round the end.
func (v *valueList) step(by int, fits func(*findings.Group) bool) {
	at, ok := v.list.At()
	if !ok {
		return
	}
	for n := range len(v.rows) {
		i := ((at+by*(n+1))%len(v.rows) + len(v.rows)) % len(v.rows)
		if r := v.rows[i]; r.group != nil && r.place == 0 && fits(r.group) {
			v.list.MoveTo(i)
			v.turned()
			return
		}
	}
	v.env.Emit(ui.Say{Text: v.env.Keyed("All values are decided. {findings/purge-findings} redacts the selected ones")})
}

// undecided reports whether a value waits for the user.
func (v *valueList) undecided(g *findings.Group) bool { return !g.Dismissed && !v.selected.has(g) }

// selection are the selected values that are listed: those that a filter hides stay selected, but nothing is done to them.
func (v *valueList) selection() []*findings.Group { return v.selected.of(v.listed()) }

// chosen are the selected values; without a selection the one under the cursor.
func (v *valueList) chosen() []*findings.Group {
	if list := v.selection(); len(list) > 0 {
		return list
	}
	if g := v.group(); g != nil && !g.Dismissed {
		return single(g)
	}
	return nil
}

// listed are the values in the rows.
func (v *valueList) listed() (list []*findings.Group) {
	for _, r := range v.rows {
		if r.group != nil && r.place == 0 {
			list = append(list, r.group)
		}
	}
	return list
}

// shown are the values that are listed and count.
func (v *valueList) shown() []*findings.Group {
	return slices.DeleteFunc(v.listed(), func(g *findings.Group) bool { return g.Dismissed })
}

// alike are the listed values of the class of one.
func (v *valueList) alike(g *findings.Group) []*findings.Group {
	return slices.DeleteFunc(v.shown(), func(one *findings.Group) bool { return v.choices.of(one) != v.choices.of(g) })
}

// inFile are the values in a file that count, whatever is listed.
func (v *valueList) inFile(path string) (list []*findings.Group) {
	for _, g := range v.groups() {
		if !g.Dismissed && slices.ContainsFunc(g.Places, func(p findings.Place) bool { return p.Path == path }) {
			list = append(list, g)
		}
	}
	return list
}

// toggle selects the value under the cursor or clears it, and goes to the next one; a range it selects.
func (v *valueList) toggle() {
	if v.selected.anchor >= 0 {
		v.toggleRange()
		return
	}
	g := v.group()
	if g == nil || g.Dismissed {
		return
	}
	v.selected.set(g, !v.selected.has(g))
	at, _ := v.list.At()
	if n := slices.IndexFunc(v.rows[at+1:], func(r row) bool { return r.place == 0 && r.group != nil }); n >= 0 {
		v.list.MoveTo(at + 1 + n)
	}
	v.turned()
}

// toggleRange begins a range at the cursor, or selects the range up to it.
func (v *valueList) toggleRange() {
	if at, ok := v.list.At(); ok && v.selected.extend(v.rows, at) {
		v.turned()
	}
}

// toggleAll selects every listed value; where all are, none.
func (v *valueList) toggleAll() {
	shown := v.shown()
	on := slices.ContainsFunc(shown, v.undecided)
	for _, g := range shown {
		v.selected.set(g, on)
	}
	v.turned()
}

func (v *valueList) invert() {
	for _, g := range v.shown() {
		v.selected.set(g, !v.selected.has(g))
	}
	v.turned()
}

// clear selects nothing.
func (v *valueList) clear() {
	clear(v.selected.ids)
	v.turned()
}

// fold folds the value under the cursor.
func (v *valueList) fold() {
	if g := v.group(); g != nil && v.unfolded[g.ID] {
		delete(v.unfolded, g.ID)
		v.arrange()
		v.find(g.ID, 0)
	}
}

// unfold lists the places of the value under the cursor.
func (v *valueList) unfold() {
	switch g, place := v.here(); {
	case g == nil && len(v.rows) > 0:
		v.toggleDismissed()
	case g != nil && place == 0 && !v.unfolded[g.ID]:
		v.unfolded[g.ID] = true
		v.arrange()
	}
}

func (v *valueList) unfoldAll(on bool) {
	g := v.group()
	clear(v.unfolded)
	for _, r := range v.rows {
		if on && r.group != nil {
			v.unfolded[r.group.ID] = true
		}
	}
	v.arrange()
	if g != nil {
		v.find(g.ID, 0)
	}
}

// toggleDismissed shows the dismissed values, or hides them.
func (v *valueList) toggleDismissed() {
	v.dismissed = !v.dismissed
	v.arrange()
}

// Scopes implements [ui.Pane].
func (v *valueList) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Findings} }

// Actions implements [ui.Pane].
func (v *valueList) Actions() *ui.Actions { return v.actions }

// Receive implements [ui.Pane]: the jobs are those of the screen.
func (v *valueList) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (v *valueList) Resize(w, h int) {
	v.w, v.h = w, h
	v.list.Resize(max(0, h-v.headRows()))
}

// Cursor implements [ui.Pane].
func (v *valueList) Cursor() (ui.Point, bool) {
	at, ok := v.list.Point()
	at.Y += v.headRows()
	return at, ok
}

// Click puts the cursor on a row of the pane, counted from its top; again: it was there already.
func (v *valueList) Click(y int) (again bool) {
	hit, again := v.list.Click(y - v.headRows())
	if hit && !again {
		v.turned()
	}
	return again
}

// Path implements [ui.Listed].
func (v *valueList) Path() string {
	p, _ := v.place()
	return p.Path
}

// LineReader implements [ui.Listed]: the line of the place with its values masked.
func (v *valueList) LineReader(limit int) func() (string, error) {
	p, ok := v.place()
	if !ok {
		return nil
	}
	return ui.LineOf(p.Before+v.group().Masked()+p.After, limit)
}
