// Package stats sums up a store: how much it holds and where, how old and how idle it is, how it
// grew, and about what it costs to read. It is pure: its caller says what is known of the files and
// what the journal recorded. The command of the same name and the user interface call it.
package stats

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/load"
)

// File is what is known of one regular file.
type File struct {
	Path    string // agent path
	Size    int64
	Changed time.Time // its last change, as the journal has it, else the modification time
	Used    time.Time // its last use by the agent; zero: none is on record
	Uses    int
	Tokens  int64 // see [loadlimit.EstimatePart]
}

// Growth is a change of the store's size at one moment.
type Growth struct {
	At           time.Time
	Files, Bytes int64 // added, below 0 where something was removed
}

// Sum is how much a part of a store holds.
type Sum struct {
	Name   string
	Files  int
	Bytes  int64
	Tokens int64
}

// Point is what a store held at the end of a period.
type Point struct {
	At           time.Time // the start of the period
	Files, Bytes int64
}

// Stats sums up a store.
type Stats struct {
	Total   Sum
	Files   []File // all of them, as they were given
	Folders []Sum  // of the top level, the largest first; "." are the files in /memories itself
	Ages    []Sum  // since the last change, in the order of Spans
	Idle    []Sum  // since the last use by the agent; the last one has no use on record
	Growth  []Point
	Period  time.Duration // between two points of Growth
	Largest []File
	// LeastUsed are those with the fewest uses, of equal ones the longest idle first.
	LeastUsed []File
	// Start describes what a session loads; nil: the agent reads on demand, or it is unknown.
	Start *load.Start
}

// Limits of what is listed.
const (
	maxFolders = 12
	maxFiles   = 10
	maxPoints  = 16
)

// spans are the bounds of the histograms.
var spans = []struct {
	name string
	upTo time.Duration // 0: no bound
}{
	{"today", 24 * time.Hour}, {"this week", 7 * 24 * time.Hour}, {"this month", 30 * 24 * time.Hour},
	{"3 months", 91 * 24 * time.Hour}, {"a year", 365 * 24 * time.Hour}, {"longer", 0},
}

// neverUsed names the files without a use on record.
const neverUsed = "never"

// Of sums files up at a moment. growth is in order of time; it may be empty.
func Of(files []File, growth []Growth, now time.Time) *Stats {
	s := &Stats{Files: files, Ages: histogram(), Idle: append(histogram(), Sum{Name: neverUsed})}
	folders := map[string]*Sum{}
	for _, f := range files {
		s.Total.add(f)
		name := "."
		if at, _, ok := strings.Cut(strings.TrimPrefix(f.Path, memstore.Root+"/"), "/"); ok {
			name = at
		}
		if folders[name] == nil {
			folders[name] = &Sum{Name: name}
		}
		folders[name].add(f)
		s.Ages[spanOf(now.Sub(f.Changed))].add(f)
		if f.Used.IsZero() {
			s.Idle[len(spans)].add(f)
		} else {
			s.Idle[spanOf(now.Sub(f.Used))].add(f)
		}
	}
	for _, one := range folders {
		s.Folders = append(s.Folders, *one)
	}
	slices.SortFunc(s.Folders, func(a, b Sum) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name)) })
	s.Folders = rest(s.Folders)
	s.Largest = first(files, func(a, b File) int { return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Path, b.Path)) })
	s.LeastUsed = first(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Uses, b.Uses), idleSince(a).Compare(idleSince(b)), cmp.Compare(a.Path, b.Path))
	})
	s.grow(growth, now)
	return s
}

func (s *Sum) add(f File) {
	s.Files++
	s.Bytes += f.Size
	s.Tokens += f.Tokens
}

func histogram() []Sum {
	out := make([]Sum, len(spans))
	for i := range spans {
		out[i].Name = spans[i].name
	}
	return out
}

// spanOf is the place of a time in the histograms; what is yet to come is of today.
func spanOf(d time.Duration) int {
	for i := range spans {
		if spans[i].upTo == 0 || d < spans[i].upTo {
			return i
		}
	}
	return len(spans) - 1
}

// idleSince is when a file was last used, or changed where no use is on record.
func idleSince(f File) time.Time {
	if f.Used.After(f.Changed) {
		return f.Used
	}
	return f.Changed
}

// rest joins what is beyond maxFolders.
func rest(list []Sum) []Sum {
	if len(list) <= maxFolders {
		return list
	}
	others := Sum{Name: "..."}
	for _, s := range list[maxFolders-1:] {
		others.Files += s.Files
		others.Bytes += s.Bytes
		others.Tokens += s.Tokens
	}
	return append(list[:maxFolders-1:maxFolders-1], others)
}

// first are the first MaxFiles files of an order.
func first(files []File, order func(a, b File) int) []File {
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, order)
	return sorted[:min(maxFiles, len(sorted))]
}

// periods are the steps of growth, the smallest first.
var periods = []time.Duration{time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour}

// grow works out what the store held at the end of each of the last periods, backward from what it
// holds now: so that the last point is right whatever the journal has missed.
func (s *Stats) grow(growth []Growth, now time.Time) {
	if len(growth) == 0 {
		return
	}
	span := now.Sub(growth[0].At)
	for _, s.Period = range periods {
		if span <= maxPoints*s.Period {
			break
		}
	}
	files, bytes := int64(s.Total.Files), s.Total.Bytes
	at := now.Truncate(s.Period)
	i := len(growth) - 1
	for range maxPoints {
		s.Growth = append(s.Growth, Point{at, files, bytes})
		for ; i >= 0 && !growth[i].At.Before(at); i-- {
			files -= growth[i].Files
			bytes -= growth[i].Bytes
		}
		if i < 0 {
			break
		}
		at = at.Add(-s.Period)
	}
	slices.Reverse(s.Growth)
}

// Share is a part of a whole, from 0 to 1.
func Share(part, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
