package timeline

import (
	"context"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// ShowRun is the intent to show what a group changed, whose heading is under the cursor.
type ShowRun struct {
	Owner string
	Run   past.Run
	Title string
}

// Order is how the list is arranged now.
func (p *Pane) Order() Order { return p.order }

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
	return p.rows.runs[group], true
}

// Whole returns what counts the changes of a group that are in force, with those that the filter hides; nil: it hides none. What came
// and went with folders only is not counted.
func (p *Pane) Whole(run *past.Run) func(context.Context) (int, error) {
	if p.filter.text == "" {
		return nil
	}
	f, source, order, one := p.base, p.source, p.Order(), run.Newest()
	if order == ByFile {
		f.Path, f.Exact = run.Revisions[0].Path, true
	} else {
		f.Actors, f.Session = []memstore.Actor{run.Actor}, run.Session
	}
	return func(ctx context.Context) (n int, err error) {
		rows, err := past.Revisions(ctx, source, f)
		var all arrangement
		all.choose(rows, false)
		all.arrange(order)
		if group := all.group(one); group >= 0 {
			for _, r := range all.runs[group].Revisions {
				if r.UndoneBy == 0 && (r.Kind != memstore.KindDir || r.OldPath != "") {
					n++
				}
			}
		}
		return n, err
	}
}

// heading is the group whose heading is under the cursor.
func (p *Pane) heading() (group int, ok bool) {
	at, _ := p.list.At()
	return p.rows.headed(at)
}

// Unfolded reports whether the group whose heading is under the cursor shows its revisions.
func (p *Pane) Unfolded() bool {
	group, ok := p.heading()
	return ok && p.rows.isOpen(group)
}

// arrange lays the revisions out as the order wants it. The cursor stays on its revision or its heading.
func (p *Pane) arrange() {
	at, _ := p.list.At()
	on := p.rows.spot(at)
	p.rows.choose(p.read, p.filter.own())
	p.rows.arrange(p.Order())
	p.laidOut(on)
}

// laidOut puts the cursor of a list whose rows are new back on what it was on.
func (p *Pane) laidOut(on spot) {
	at, _ := p.list.At()
	p.list.SetCount(p.rows.count())
	if p.Order() == ByTime && p.list.Following() {
		return
	}
	if row := p.rows.find(on); row >= 0 {
		at = row
	}
	p.list.MoveTo(at)
}

// fold folds or unfolds the group whose heading is under the cursor.
func (p *Pane) fold(group int, open bool) {
	p.rows.set(group, open)
	p.laidOut(spot{group: p.rows.key(group)})
	p.show()
}

// foldAll folds or unfolds all groups.
func (p *Pane) foldAll(open bool) {
	at, _ := p.list.At()
	spot := p.rows.spot(at)
	if !open {
		spot.rev = 0
	}
	p.rows.setAll(open)
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
	if group, ok := p.heading(); ok && !p.rows.isOpen(group) {
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
		p.fold(group, !p.rows.isOpen(group))
	}
	return ok
}

// NextGroup goes to the heading after the cursor, or before it.
func (p *Pane) NextGroup(by int) bool {
	at, _ := p.list.At()
	row := p.rows.nextHeading(at, by)
	if row < 0 {
		return false
	}
	p.list.MoveTo(row)
	p.show()
	return true
}

// reveal puts the cursor on a revision, and unfolds what hides it.
func (p *Pane) reveal(rev int64) bool {
	listed := func(r past.Revision) bool { return r.Rev == rev }
	if _, read := p.Row(rev); read && !p.rows.everything && !slices.ContainsFunc(p.rows.listed, listed) {
		p.rows.everything = true // it cancels out with others
		p.arrange()
	}
	if p.Order().grouped() && !p.rows.unfold(rev) {
		return false
	}
	p.list.SetCount(p.rows.count())
	row := p.rows.find(spot{rev: rev})
	if row >= 0 {
		p.list.MoveTo(row)
	}
	return row >= 0
}
