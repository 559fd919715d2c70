package policy

import (
	"slices"
	"time"

	"memcurator/memstore"
)

// A sweep is one program that reads most files of a store in a row, as a search or a backup does. The access times that it leaves say
// nothing about what the agent uses.
const (
	sweepLeast = 10          // an agent may read all files of a smaller store
	sweepPause = time.Second // the longest between two files: an agent takes longer
)

// window is a sweep, from its first file to its last; zero: there was none.
type window struct{ from, to time.Time }

// holds reports whether an access time may be of the sweep.
func (w window) holds(at time.Time) bool {
	return !w.from.IsZero() && !at.Before(w.from.Add(-sweepPause)) && !at.After(w.to.Add(sweepPause))
}

// longestRun is the longest run of times with no more than sweepPause between two of them.
func longestRun(times []time.Time) (w window, count int) {
	slices.SortFunc(times, time.Time.Compare)
	for from, i := 0, 0; i < len(times); i++ {
		if i > 0 && times[i].Sub(times[i-1]) > sweepPause {
			from = i
		}
		if n := i - from + 1; n > count {
			w, count = window{times[from], times[i]}, n
		}
	}
	return w, count
}

// sweepOf finds the sweep of a store, if most of its files were last read by one. What the agent is recorded to have read then is not
// part of it.
func sweepOf(s *memstore.Snapshot, facts *Facts, timer memstore.AccessTimer) window {
	var paths []string
	s.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && !n.Hidden {
			paths = append(paths, at)
		}
		return true
	})
	if len(paths) < sweepLeast {
		return window{}
	}
	var times []time.Time
	for _, path := range paths {
		at, err := timer.AccessTime(memstore.BackendName(path))
		if err == nil && facts.Journal[path].Used.Sub(at).Abs() > sweepPause {
			times = append(times, at)
		}
	}
	if w, count := longestRun(times); 2*count > len(paths) {
		return w
	}
	return window{}
}

// ignoreSweep removes the access times of a sweep from what is known of the files.
func (f *Facts) ignoreSweep(s *memstore.Snapshot, timer memstore.AccessTimer) {
	w := sweepOf(s, f, timer)
	for path, one := range f.Files {
		if w.holds(one.Accessed) {
			one.Accessed, one.Swept = time.Time{}, true
			f.Files[path] = one
		}
	}
}
