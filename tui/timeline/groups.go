package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Order is how a list of revisions is arranged.
type Order uint8

// The orders. In groups the newest comes first, in time last. NewestFirst is by time the other way round, for a list with no other order.
const (
	ByTime Order = iota
	BySession
	ByFile
	orders
	NewestFirst Order = orders
)

func (o Order) String() string { return [...]string{"time", "session", "file", "time"}[o] }

// grouped reports whether there are headings.
func (o Order) grouped() bool { return o == BySession || o == ByFile }

// entry is a row of a list in groups: the heading of a group, or a revision below it.
type entry struct {
	group int
	row   int // of the revisions; -1: the heading
}

// arrangement is the revisions that are listed, in the order of the screen: by time, or below headings of sessions or of files.
type arrangement struct {
	order      Order
	listed     []past.Revision // oldest first
	hidden     int             // how many cancel out
	everything bool            // what cancels out is listed

	runs    []past.Run // of the headings; by time there are none
	entries []entry
	open    map[string]bool // groups that the user folded or unfolded, by their keys
}

// spot is a heading or a revision, which it stays while the list changes.
type spot struct {
	group string // key of the heading
	rev   int64  // the revision; 0: the heading
}

// arrange lays out what is listed. A group that is unfolded stays so when a newer one comes before it.
func (a *arrangement) arrange(o Order) {
	if first := a.unfolded(); first < len(a.runs) {
		a.open[a.key(first)] = a.isOpen(first)
	}
	a.order = o
	switch o {
	case ByTime, NewestFirst:
		a.runs = nil
	case ByFile:
		a.runs = byFile(a.listed)
	default:
		a.runs = past.Runs(a.listed)
	}
	a.layOut()
}

// layOut lists the rows of the screen again after a group was folded or unfolded.
func (a *arrangement) layOut() {
	a.entries = a.entries[:0]
	for i := range a.runs {
		a.entries = append(a.entries, entry{i, -1})
		if !a.isOpen(i) {
			continue
		}
		for row := range slices.Backward(a.runs[i].Revisions) {
			a.entries = append(a.entries, entry{i, row})
		}
	}
}

// byFile groups revisions, which come oldest first, by their paths.
func byFile(list []past.Revision) []past.Run {
	of := map[string]int{}
	var runs []past.Run
	for i := range list {
		r := &list[i]
		at, ok := of[r.Path]
		if !ok {
			at = len(runs)
			of[r.Path] = at
			runs = append(runs, past.Run{Files: 1, First: r.Time})
		}
		runs[at].Add(*r)
	}
	slices.SortFunc(runs, func(a, b past.Run) int { return cmp.Compare(b.Newest(), a.Newest()) })
	return runs
}

// key identifies a group while the list changes.
func (a *arrangement) key(group int) string {
	r := &a.runs[group]
	switch {
	case a.order == ByFile:
		return r.Revisions[0].Path
	case r.Session != "":
		return string(r.Actor) + " " + r.Session
	case r.Commit != "":
		return string(r.Actor) + " commit " + r.Commit
	}
	return fmt.Sprintf("%s #%d", r.Actor, r.Revisions[0].Rev)
}

// isOpen reports whether a group shows its revisions. The first one to review does unless the user folded it.
func (a *arrangement) isOpen(group int) bool {
	open, said := a.open[a.key(group)]
	return open || !said && group == a.unfolded()
}

// unfolded is the group that shows its revisions from the beginning: the first that is not the user's own, which needs no review.
func (a *arrangement) unfolded() int {
	return max(0, slices.IndexFunc(a.runs, func(r past.Run) bool { return r.Actor != memstore.Curator }))
}

// set folds or unfolds a group.
func (a *arrangement) set(group int, open bool) {
	a.open[a.key(group)] = open
	a.layOut()
}

// setAll folds or unfolds all groups.
func (a *arrangement) setAll(open bool) {
	for i := range a.runs {
		a.open[a.key(i)] = open
	}
	a.layOut()
}

// nextHeading is the row of the heading after a row, or with -1 of the one before it; -1: there is none.
func (a *arrangement) nextHeading(row, by int) int {
	for i := row + by; i >= 0 && i < len(a.entries); i += by {
		if a.entries[i].row < 0 {
			return i
		}
	}
	return -1
}

// headed is the group whose heading a row is.
func (a *arrangement) headed(row int) (group int, ok bool) {
	if row >= len(a.entries) || a.entries[row].row >= 0 {
		return 0, false
	}
	return a.entries[row].group, true
}

// count is how many rows the screen has.
func (a *arrangement) count() int {
	if a.order.grouped() {
		return len(a.entries)
	}
	return len(a.listed)
}

// at is the revision in a row of the screen; false: the row is a heading.
func (a *arrangement) at(row int) (past.Revision, bool) {
	switch {
	case row >= a.count():
		return past.Revision{}, false
	case a.order == NewestFirst:
		return a.listed[len(a.listed)-1-row], true
	case a.order == ByTime:
		return a.listed[row], true
	case a.entries[row].row < 0:
		return past.Revision{}, false
	}
	e := a.entries[row]
	return a.runs[e.group].Revisions[e.row], true
}

// spot is what a row shows.
func (a *arrangement) spot(row int) (s spot) {
	r, _ := a.at(row)
	if row < len(a.entries) {
		s.group = a.key(a.entries[row].group)
	}
	s.rev = r.Rev
	return s
}

// find is the row that shows a spot, -1 for none.
func (a *arrangement) find(s spot) int {
	if a.order.grouped() {
		return slices.IndexFunc(a.entries, func(e entry) bool {
			if e.row < 0 {
				return s.rev == 0 && a.key(e.group) == s.group
			}
			return s.rev != 0 && a.runs[e.group].Revisions[e.row].Rev == s.rev
		})
	}
	i, ok := slices.BinarySearchFunc(a.listed, s.rev, func(r past.Revision, rev int64) int { return cmp.Compare(r.Rev, rev) })
	switch {
	case !ok:
		return -1
	case a.order == NewestFirst:
		return len(a.listed) - 1 - i
	}
	return i
}

// group is the group of a revision, -1 if it is in none.
func (a *arrangement) group(rev int64) int {
	return slices.IndexFunc(a.runs, func(run past.Run) bool {
		return slices.ContainsFunc(run.Revisions, func(r past.Revision) bool { return r.Rev == rev })
	})
}

// unfold opens the group of a revision; false: it is in none.
func (a *arrangement) unfold(rev int64) bool {
	group := a.group(rev)
	if group >= 0 && !a.isOpen(group) {
		a.set(group, true)
	}
	return group >= 0
}

// sequence are the revisions from the top down, with those of folded groups.
func (a *arrangement) sequence() (out []past.Revision) {
	switch a.order {
	case ByTime:
		return a.listed
	case NewestFirst:
		out = slices.Clone(a.listed)
		slices.Reverse(out)
		return out
	}
	for _, run := range a.runs {
		for _, r := range slices.Backward(run.Revisions) {
			out = append(out, r)
		}
	}
	return out
}
