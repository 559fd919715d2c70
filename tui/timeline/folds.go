package timeline

import (
	"cmp"
	"slices"

	"memcurator/memstore/past"
)

// ShowRun is the intent to show what a group changed, whose heading is under the cursor.
type ShowRun struct {
	Owner string
	Run   past.Run
	Title string
}

// Order is how the list is arranged now.
func (p *Pane) Order() Order {
	if p.other != nil {
		return ByTime
	}
	return p.order
}

// Grouped reports whether the list has headings.
func (p *Pane) Grouped() bool { return p.Order().grouped() }

// SetOrder arranges the list in another way; the cursor stays on its revision.
func (p *Pane) SetOrder(o Order) {
	at, ok := p.Selected()
	p.order, p.shown = o, 0
	p.arrange()
	switch {
	case ok && p.Select(at.Rev):
	case p.Order() == ByTime:
		p.list.Follow()
	default:
		p.list.MoveTo(0)
	}
	p.show()
}

// NextOrder arranges the list in the next way.
func (p *Pane) NextOrder() { p.SetOrder((p.order + 1) % orders) }

// Run is the group whose heading is under the cursor.
func (p *Pane) Run() (past.Run, bool) {
	group, ok := p.heading()
	if !ok {
		return past.Run{}, false
	}
	return p.groups.runs[group], true
}

// heading is the group whose heading is under the cursor.
func (p *Pane) heading() (group int, ok bool) {
	at, _ := p.list.At()
	return p.groups.headed(at)
}

// Unfolded reports whether the group whose heading is under the cursor shows its revisions.
func (p *Pane) Unfolded() bool {
	group, ok := p.heading()
	return ok && p.groups.isOpen(group)
}

// arrange lays the revisions out as the order wants it. The cursor stays on its revision or its heading.
func (p *Pane) arrange() {
	on := p.spot()
	p.choose()
	p.groups.arrange(p.rows, p.Order())
	p.laidOut(on)
}

// spot is what is under the cursor.
func (p *Pane) spot() spot {
	at, _ := p.list.At()
	if r, ok := p.at(at); ok && !p.Order().grouped() {
		return spot{rev: r.Rev}
	}
	return p.groups.spot(at)
}

// find is the row of the screen that shows a spot, -1 for none.
func (p *Pane) find(s spot) int {
	if p.Order().grouped() {
		return p.groups.find(s)
	}
	i, ok := slices.BinarySearchFunc(p.rows, s.rev, func(r past.Revision, rev int64) int { return cmp.Compare(r.Rev, rev) })
	switch {
	case !ok:
		return -1
	case p.Order() == NewestFirst:
		return len(p.rows) - 1 - i
	}
	return i
}

// count is how many rows the screen has.
func (p *Pane) count() int {
	if p.Order().grouped() {
		return len(p.groups.entries)
	}
	return len(p.rows)
}

// laidOut puts the cursor of a list whose rows are new back on what it was on.
func (p *Pane) laidOut(on spot) {
	at, _ := p.list.At()
	p.list.SetCount(p.count())
	if p.Order() == ByTime && p.list.Following() {
		return
	}
	if row := p.find(on); row >= 0 {
		at = row
	}
	p.list.MoveTo(at)
}

// fold folds or unfolds the group whose heading is under the cursor.
func (p *Pane) fold(group int, open bool) {
	p.groups.set(group, open)
	p.laidOut(spot{group: p.groups.key(group)})
	p.show()
}

// foldAll folds or unfolds all groups.
func (p *Pane) foldAll(open bool) {
	spot := p.spot()
	if !open {
		spot.rev = 0
	}
	p.groups.setAll(open)
	p.laidOut(spot)
	p.show()
}

// left folds the group whose heading is under the cursor, or goes to the heading of a revision.
func (p *Pane) left() {
	if group, ok := p.heading(); ok {
		p.fold(group, false)
		return
	}
	p.NextGroup(-1)
}

// right unfolds the group whose heading is under the cursor, or moves on to the row's content.
func (p *Pane) right() {
	if group, ok := p.heading(); ok && !p.groups.isOpen(group) {
		p.fold(group, true)
		return
	}
	if _, ok := p.list.At(); ok {
		r, _ := p.Selected()
		p.env.Emit(OpenRevision{p.owner, r})
	}
}

// toggle folds or unfolds the group whose heading is under the cursor; false: there is none.
func (p *Pane) toggle() bool {
	group, ok := p.heading()
	if ok {
		p.fold(group, !p.groups.isOpen(group))
	}
	return ok
}

// NextGroup goes to the heading after the cursor, or before it.
func (p *Pane) NextGroup(by int) bool {
	at, _ := p.list.At()
	row := p.groups.nextHeading(at, by)
	if row < 0 {
		return false
	}
	p.list.MoveTo(row)
	p.show()
	return true
}

// at is the revision of a row of the screen; false: it is a heading.
func (p *Pane) at(i int) (past.Revision, bool) {
	switch {
	case p.Order().grouped():
		return p.groups.revision(i)
	case i >= len(p.rows):
		return past.Revision{}, false
	case p.Order() == NewestFirst:
		i = len(p.rows) - 1 - i
	}
	return p.rows[i], true
}

// reveal puts the cursor on a revision, and unfolds what hides it.
func (p *Pane) reveal(rev int64) bool {
	if _, read := p.Row(rev); read && !p.everything && !slices.ContainsFunc(p.rows, func(r past.Revision) bool { return r.Rev == rev }) {
		p.everything = true // it cancels out with others
		p.arrange()
	}
	if p.Order().grouped() && !p.groups.unfold(rev) {
		return false
	}
	p.list.SetCount(p.count())
	row := p.find(spot{rev: rev})
	if row >= 0 {
		p.list.MoveTo(row)
	}
	return row >= 0
}

// sequence are the revisions in the order of the screen, with those of folded groups.
func (p *Pane) sequence() []past.Revision {
	switch p.Order() {
	case ByTime:
		return p.rows
	case NewestFirst:
		list := slices.Clone(p.rows)
		slices.Reverse(list)
		return list
	}
	return p.groups.sequence()
}
