package past

import (
	"cmp"
	"slices"
	"time"

	"memcurator/memstore"
)

// Run holds the revisions of one session. Those without a session form a run with those of the same actor
// before them, unless the pause in between was longer than [runPause].
type Run struct {
	Actor       memstore.Actor
	Session     string     // "" where none is known
	Revisions   []Revision // oldest first
	First, Last time.Time
	Files       int // paths
	Added       int // lines
	Removed     int
	Unread      int
}

// Add adds the next revision.
func (r *Run) Add(next Revision) {
	r.Revisions = append(r.Revisions, next)
	r.Last = next.Time
	r.Added += next.Added
	r.Removed += next.Removed
	if next.Unread {
		r.Unread++
	}
}

// runPause ends a run of revisions without a session.
const runPause = time.Hour

// Runs divides revisions, which come oldest first, into runs. The run with the newest revision comes first.
func Runs(list []Revision) []Run {
	type key struct {
		actor   memstore.Actor
		session string
	}
	open := map[key]int{}
	var runs []Run
	for i := range list {
		r := &list[i]
		k := key{r.Actor, r.Session}
		at, ok := open[k]
		if !ok || r.Session == "" && r.Time.Sub(runs[at].Last) > runPause {
			at = len(runs)
			open[k] = at
			runs = append(runs, Run{Actor: r.Actor, Session: r.Session, First: r.Time})
		}
		runs[at].Add(*r)
	}
	for i := range runs {
		runs[i].Files = Paths(runs[i].Revisions)
	}
	slices.SortFunc(runs, func(a, b Run) int {
		return cmp.Compare(b.Revisions[len(b.Revisions)-1].Rev, a.Revisions[len(a.Revisions)-1].Rev)
	})
	return runs
}

// Paths counts the paths that revisions are about.
func Paths(list []Revision) int {
	paths := map[string]bool{}
	for i := range list {
		paths[list[i].Path] = true
	}
	return len(paths)
}
