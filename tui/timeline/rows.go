package timeline

import (
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Order is how a list of revisions is arranged. The newest come first in each.
type Order uint8

// The orders: by time only, or below headings of sessions.
const (
	ByTime Order = iota
	BySession
)

func (o Order) String() string { return [...]string{"time", "session"}[o] }

// row is a revision, or the heading of a group.
type row struct {
	past.Revision           // of a heading nothing
	run           *past.Run // of a heading; nil: the row is a revision
}

// key identifies a row while the list changes.
func (r row) key() string {
	if r.run == nil {
		return fmt.Sprint("#", r.Rev)
	}
	switch first := r.run.Revisions[0]; {
	case r.run.Session != "":
		return string(r.run.Actor) + " " + r.run.Session
	default:
		return fmt.Sprintf("%s #%d", r.run.Actor, first.Rev)
	}
}

// below are the revisions of a group.
func (r row) below() (list []row) {
	if r.run == nil {
		return nil
	}
	return rowsOf(slices.Backward(r.run.Revisions))
}

func rowsOf(list func(yield func(int, past.Revision) bool)) (rows []row) {
	for _, r := range list {
		rows = append(rows, row{Revision: r})
	}
	return rows
}

// list takes the revisions that are read into the rows. The first group to review is unfolded: that of the user needs no review.
func (p *Pane) list() {
	p.sums = sums{}
	if p.order == ByTime {
		p.Set(rowsOf(slices.All(p.read)))
		return
	}
	oldest := slices.Clone(p.read)
	slices.Reverse(oldest)
	runs := past.Runs(oldest)
	var rows []row
	for i := range runs {
		rows = append(rows, row{run: &runs[i]})
	}
	p.Set(rows)
	if len(rows) > 0 {
		first := rows[max(0, slices.IndexFunc(rows, func(r row) bool { return r.run.Actor != memstore.Curator }))]
		if !p.opened[first.key()] {
			p.opened[first.key()] = true
			p.Fold(first, false)
		}
	}
}

// SetOrder arranges the list in another way. The cursor stays on its revision.
func (p *Pane) SetOrder(o Order) {
	at, ok := p.Selected()
	p.order = o
	p.list()
	if !ok || !p.Select(at.Rev) {
		p.First()
	}
}

func (p *Pane) nextOrder() {
	p.SetOrder(BySession - p.order)
	p.env.Emit(kit.Say{Text: "Sorted by " + p.order.String()})
	p.env.Emit(kit.Call(p.moved))
}

// title names a group in its heading.
func (p *Pane) title(r row) string {
	switch run := r.run; {
	case run.Session != "":
		return text.FitID(run.Session, text.LongID) + "  " + p.titles[run.Session]
	case run.Actor == memstore.Curator:
		return "you"
	}
	return "no session"
}

// RunTitle names the group whose heading is under the cursor, in its diff.
func (p *Pane) RunTitle() string {
	r, _ := p.Current()
	return text.Clean(strings.TrimSpace(p.title(r)))
}

// RunName names a group in a sentence.
func (p *Pane) RunName(r *past.Run) string {
	switch {
	case r.Session != "":
		return "session " + text.FitID(r.Session, text.LongID)
	case r.Actor == memstore.Curator:
		return "your own"
	case r.Actor == memstore.Agent:
		return "the agent"
	}
	return "other programs"
}
