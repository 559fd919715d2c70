package notesgen

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// edit is a place that a tool removes: text[Start:End].
type edit struct{ Start, End int }

// score is how many of the planted values were removed.
type score struct{ Planted, Caught int }

func (s score) percent() float64 {
	if s.Planted == 0 {
		return 100
	}
	return 100 * float64(s.Caught) / float64(s.Planted)
}

// Report is what a tool reached on a store.
type Report struct {
	Classes   map[string]score // secrets and personal data, without echoes and split ones
	Kinds     map[Kind]score
	Languages map[string]score
	Edits     int // all
	Right     int // those that touch a planted value
	Decoys    int
	Altered   map[string]int // decoys that were touched, by name
	Files     int
	Broken    int // files that can no longer be read in their format
	Plain     int // characters that were not planted
	Lost      int // of those removed
}

// measure compares the edits of a tool, those of each note sorted and apart from each other, with what was
// planted. redacted are the texts after them.
func measure(notes []Note, edits [][]edit, redacted [][]byte, parses func(Format, []byte) error) *Report {
	r := &Report{Classes: map[string]score{}, Kinds: map[Kind]score{}, Languages: map[string]score{}, Altered: map[string]int{}}
	for i := range notes {
		n := &notes[i]
		r.Files++
		if parses(n.Format, redacted[i]) != nil {
			r.Broken++
		}
		r.truths(n, edits[i])
		r.edits(n, edits[i])
		for _, d := range n.Decoys {
			r.Decoys++
			if overlaps(edits[i], d.Start, d.End) {
				r.Altered[d.Name]++
			}
		}
	}
	return r
}

func overlaps(edits []edit, start, end int) bool {
	return slices.ContainsFunc(edits, func(e edit) bool { return e.Start < end && start < e.End })
}

// left is the longest run of text[start:end] that no edit covers.
func left(edits []edit, start, end int) int {
	most, at := 0, start
	for _, e := range edits {
		if e.End <= at || e.Start >= end {
			continue
		}
		most = max(most, e.Start-at)
		at = max(at, e.End)
	}
	return max(most, end-at)
}

func (r *Report) truths(n *Note, edits []edit) {
	for _, v := range n.Truths {
		caught := left(edits, v.Start, v.End) < min(8, (v.End-v.Start+1)/2)
		add(r.Kinds, v.Kind, caught)
		if v.Kind == Secret || v.Kind == Personal {
			add(r.Classes, v.Class, caught)
			add(r.Languages, v.Language, caught)
		}
	}
}

func add[K comparable](m map[K]score, key K, caught bool) {
	s := m[key]
	s.Planted++
	if caught {
		s.Caught++
	}
	m[key] = s
}

func (r *Report) edits(n *Note, edits []edit) {
	planted, lost := 0, 0
	for _, v := range n.Truths {
		planted += v.End - v.Start
	}
	for _, e := range edits {
		r.Edits++
		lost += e.End - e.Start
		right := false
		for _, v := range n.Truths {
			if common := min(e.End, v.End) - max(e.Start, v.Start); common > 0 {
				right = true
				lost -= common
			}
		}
		if right {
			r.Right++
		}
	}
	r.Plain += len(n.Text) - planted
	r.Lost += lost
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// Print writes the figures, those of other tools beside the first one.
func Print(w io.Writer, names []string, reports []*Report) {
	line := func(what string, figure func(*Report) string) {
		fmt.Fprintf(w, "%-24s", what)
		for _, r := range reports {
			fmt.Fprintf(w, " %14s", figure(r))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%-24s", "")
	for _, n := range names {
		fmt.Fprintf(w, " %14s", n)
	}
	fmt.Fprintln(w)
	for _, k := range []Kind{Secret, Personal, Echo, Split} {
		line(string(k)+" recall", func(r *Report) string { return fmt.Sprintf("%.1f %%", r.Kinds[k].percent()) })
	}
	line("precision of edits", func(r *Report) string { return fmt.Sprintf("%.2f %%", share(r.Right, r.Edits)) })
	line("look-alikes altered", func(r *Report) string { return fmt.Sprintf("%.2f %%", share(total(r.Altered), r.Decoys)) })
	line("characters altered", func(r *Report) string { return fmt.Sprintf("%.3f %%", share(r.Lost, r.Plain)) })
	line("files broken", func(r *Report) string { return fmt.Sprintf("%d/%d", r.Broken, r.Files) })
	for _, class := range slices.Sorted(maps.Keys(reports[0].Classes)) {
		line("  "+class, func(r *Report) string {
			return fmt.Sprintf("%.0f %% of %d", r.Classes[class].percent(), r.Classes[class].Planted)
		})
	}
	for _, lang := range slices.Sorted(maps.Keys(reports[0].Languages)) {
		line("  in "+lang, func(r *Report) string { return fmt.Sprintf("%.1f %%", r.Languages[lang].percent()) })
	}
	for _, name := range slices.Sorted(maps.Keys(reports[0].Altered)) {
		line("  altered "+name, func(r *Report) string { return fmt.Sprint(r.Altered[name]) })
	}
}

func total(m map[string]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}
