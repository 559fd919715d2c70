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

// groups are revisions below headings, of sessions or of files, in the order of the screen. By time there are none.
type groups struct {
	order   Order
	runs    []past.Run
	entries []entry
	open    map[string]bool // groups that the user folded or unfolded, by their keys
}

// spot is a heading or a revision, which it stays while the list changes.
type spot struct {
	group string // key of the heading
	rev   int64  // the revision; 0: the heading
}

// arrange lays out revisions, which come oldest first. A group that is unfolded stays so when a newer one comes before it.
func (g *groups) arrange(rows []past.Revision, o Order) {
	if first := g.unfolded(); first < len(g.runs) {
		g.open[g.key(first)] = g.isOpen(first)
	}
	g.order = o
	switch o {
	case ByTime, NewestFirst:
		g.runs = nil
	case ByFile:
		g.runs = byFile(rows)
	default:
		g.runs = past.Runs(rows)
	}
	g.layOut()
}

// layOut lists the rows of the screen again after a group was folded or unfolded.
func (g *groups) layOut() {
	g.entries = g.entries[:0]
	for i := range g.runs {
		g.entries = append(g.entries, entry{i, -1})
		if !g.isOpen(i) {
			continue
		}
		for row := range slices.Backward(g.runs[i].Revisions) {
			g.entries = append(g.entries, entry{i, row})
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
func (g *groups) key(group int) string {
	r := &g.runs[group]
	switch {
	case g.order == ByFile:
		return r.Revisions[0].Path
	case r.Session != "":
		return string(r.Actor) + " " + r.Session
	}
	return fmt.Sprintf("%s #%d", r.Actor, r.Revisions[0].Rev)
}

// isOpen reports whether a group shows its revisions. The first one to review does unless the user folded it.
func (g *groups) isOpen(group int) bool {
	open, said := g.open[g.key(group)]
	return open || !said && group == g.unfolded()
}

// unfolded is the group that shows its revisions from the beginning: the first that is not the user's own, which needs no review.
func (g *groups) unfolded() int {
	return max(0, slices.IndexFunc(g.runs, func(r past.Run) bool { return r.Actor != memstore.Curator }))
}

// set folds or unfolds a group.
func (g *groups) set(group int, open bool) {
	g.open[g.key(group)] = open
	g.layOut()
}

// setAll folds or unfolds all groups.
func (g *groups) setAll(open bool) {
	for i := range g.runs {
		g.open[g.key(i)] = open
	}
	g.layOut()
}

// nextHeading is the row of the heading after a row, or with -1 of the one before it; -1: there is none.
func (g *groups) nextHeading(row, by int) int {
	for i := row + by; i >= 0 && i < len(g.entries); i += by {
		if g.entries[i].row < 0 {
			return i
		}
	}
	return -1
}

// headed is the group whose heading a row is.
func (g *groups) headed(row int) (group int, ok bool) {
	if row >= len(g.entries) || g.entries[row].row >= 0 {
		return 0, false
	}
	return g.entries[row].group, true
}

// revision is the one in a row; false: the row is a heading.
func (g *groups) revision(row int) (past.Revision, bool) {
	if row >= len(g.entries) || g.entries[row].row < 0 {
		return past.Revision{}, false
	}
	e := g.entries[row]
	return g.runs[e.group].Revisions[e.row], true
}

// spot is what a row shows.
func (g *groups) spot(row int) (s spot) {
	if row < len(g.entries) {
		r, _ := g.revision(row)
		s = spot{g.key(g.entries[row].group), r.Rev}
	}
	return s
}

// find is the row that shows a spot, -1 for none.
func (g *groups) find(s spot) int {
	return slices.IndexFunc(g.entries, func(e entry) bool {
		if e.row < 0 {
			return s.rev == 0 && g.key(e.group) == s.group
		}
		return s.rev != 0 && g.runs[e.group].Revisions[e.row].Rev == s.rev
	})
}

// unfold opens the group of a revision; false: it is in none.
func (g *groups) unfold(rev int64) bool {
	group := slices.IndexFunc(g.runs, func(run past.Run) bool {
		return slices.ContainsFunc(run.Revisions, func(r past.Revision) bool { return r.Rev == rev })
	})
	if group >= 0 && !g.isOpen(group) {
		g.set(group, true)
	}
	return group >= 0
}

// sequence are the revisions from the top down, with those of folded groups.
func (g *groups) sequence() (out []past.Revision) {
	for _, run := range g.runs {
		for _, r := range slices.Backward(run.Revisions) {
			out = append(out, r)
		}
	}
	return out
}
