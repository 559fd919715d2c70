package timeline

import (
	"cmp"
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

// The orders: below headings of sessions or of files, or by time only.
const (
	ByTime Order = iota
	BySession
	ByFile
	orders
)

func (o Order) String() string { return [...]string{"time", "session", "file"}[o] }

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
	case r.run.Actor == "":
		return first.Path
	case r.run.Session != "":
		return string(r.run.Actor) + " " + r.run.Session
	case r.run.Commit != "":
		return string(r.run.Actor) + " commit " + r.run.Commit
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
	p.canceled, p.newest = canceled(p.read), map[string]int64{}
	for _, r := range p.read {
		p.newest[r.Path] = max(p.newest[r.Path], r.Rev)
	}
	if p.order == ByTime {
		p.Set(rowsOf(slices.All(p.read)))
		return
	}
	oldest := slices.Clone(p.read)
	slices.Reverse(oldest)
	runs := past.Runs(oldest)
	if p.order == ByFile {
		runs = byFile(oldest)
	}
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

// byFile groups revisions, which come oldest first, by their paths. The groups have no actor.
func byFile(list []past.Revision) (runs []past.Run) {
	of := map[string]int{}
	for _, r := range list {
		at, ok := of[r.Path]
		if !ok {
			at = len(runs)
			of[r.Path] = at
			runs = append(runs, past.Run{Files: 1, First: r.Time})
		}
		runs[at].Add(r)
	}
	slices.SortFunc(runs, func(a, b past.Run) int { return cmp.Compare(b.Newest(), a.Newest()) })
	return runs
}

// canceled are the revisions, by number, with which the user undid own acts, and these acts: together they change nothing. Of what was
// undone, redone and undone again all are; of what was undone and redone the first act is in force, the other two cancel out. What is
// unread never does: it is counted until the user has seen it. The newest revision comes first.
func canceled(list []past.Revision) map[int64]bool {
	own := map[int64]past.Revision{}
	for _, r := range list {
		if !r.Unread && (r.Actor == memstore.Curator || r.Actor == memstore.Replay && r.Group != 0) {
			own[r.Rev] = r
		}
	}
	out := map[int64]bool{}
	for _, one := range list {
		r, ok := own[one.Rev]
		if !ok || r.Undoes == 0 || out[r.Rev] {
			continue
		}
		if _, ok := own[r.Undoes]; ok && !out[r.Undoes] {
			out[r.Rev], out[r.Undoes] = true, true
		}
	}
	return out
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
	p.SetOrder((p.order + 1) % orders)
	p.env.Emit(kit.Say{Text: "Sorted by " + p.order.String()})
	p.env.Emit(kit.Call(p.moved))
}

// title names a group in its heading.
func (p *Pane) title(r row) string {
	switch run := r.run; {
	case p.order == ByFile:
		return kit.PathText(run.Revisions[0].Path)
	case run.Session != "":
		return text.FitID(run.Session, text.LongID) + "  " + p.titles[run.Session]
	case run.Commit != "":
		return commitText(run) + "  " + run.Message
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

// Yours is the name of a group of the user's own changes.
const Yours = "yours"

// RunName names a group in a sentence.
func (p *Pane) RunName(r *past.Run) string {
	switch {
	case p.order == ByFile:
		return kit.PathText(r.Revisions[0].Path)
	case r.Session != "":
		return "session " + text.FitID(r.Session, text.LongID)
	case r.Commit != "":
		return commitText(r)
	case r.Actor == memstore.Curator:
		return Yours
	case r.Actor == memstore.Agent:
		return "the agent"
	}
	return "other programs"
}

// commitText names the commit of git that has a group.
func commitText(r *past.Run) string { return "commit " + text.Clean(past.ShortCommit(r.Commit)) }
