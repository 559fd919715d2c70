package lint

import (
	"bytes"
	"context"
	"slices"

	"memcurator/render/diff"
)

// Merged is one text for two notes that nearly say the same: the newer one, with the lines that only the older one has at their places.
type Merged struct {
	Text []byte
	Joined
	LeftOut [][]byte // the lines of Removed
}

// Joined describes what a merge does with lines of the older note that the newer one lacks.
type Joined struct {
	Added    int   // they are in the text; blank ones do not count
	Reworded int   // of them those that the newer one has in other words: a person has to choose
	Removed  []int // the newer one had them once, so they stay out: their numbers in the older one, from 0
}

// Merge joins two notes. It leaves out the lines of the older one with the numbers in removed, in ascending order: the same bytes and
// numbers make the same text, whenever it is asked for.
func Merge(ctx context.Context, older, newer []byte, removed []int) Merged {
	m := Merged{Joined: Joined{Removed: removed}}
	older, newer = ended(older), ended(newer)
	if len(removed) > 0 {
		var stays []byte
		for i, line := range lines(older) {
			if _, out := slices.BinarySearch(removed, i); out {
				m.LeftOut = append(m.LeftOut, line)
				continue
			}
			stays = append(stays, line...)
		}
		older = stays
	}
	a, b := lines(older), lines(newer)
	var onlyOlder, onlyNewer [][]byte
	for _, op := range diff.Lines(ctx, older, newer, diff.Options{}).Ops {
		switch op.Kind {
		case diff.Delete:
			m.Text = append(m.Text, bytes.Join(a[op.AStart:op.AEnd], nil)...)
			onlyOlder = append(onlyOlder, a[op.AStart:op.AEnd]...)
			continue
		case diff.Insert:
			onlyNewer = append(onlyNewer, b[op.BStart:op.BEnd]...)
		}
		m.Text = append(m.Text, bytes.Join(b[op.BStart:op.BEnd], nil)...)
	}
	for _, line := range onlyOlder {
		if len(bytes.TrimSpace(line)) > 0 {
			m.Added++
		}
	}
	m.Reworded = reworded(onlyOlder, onlyNewer)
	return m
}

// reworded counts the lines of a note that another one has in other words, or with another value for the same name.
func reworded(older, newer [][]byte) int {
	names := map[string]bool{}
	for _, line := range newer {
		names[nameIn(line)] = true
	}
	delete(names, "")
	said := map[int]bool{}
	for _, i := range diff.Reworded(older, newer) {
		said[i] = true
	}
	for i, line := range older {
		if names[nameIn(line)] {
			said[i] = true
		}
	}
	return len(said)
}

// nameIn is what a line gives a value to, as in "- deadline: Monday"; "" where it does not.
func nameIn(line []byte) string {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(name) > maxLabel || len(bytes.TrimSpace(value)) == 0 {
		return ""
	}
	return string(bytes.ToLower(bytes.Trim(name, " \t-*+#>_`")))
}

// maxLabel is how long the name of a value may be, in bytes.
const maxLabel = 60

// ended is a text with a newline at its end.
func ended(data []byte) []byte {
	if n := len(data); n > 0 && data[n-1] != '\n' {
		return append(data[:n:n], '\n')
	}
	return data
}

// lines are the lines of a text with their ends.
func lines(data []byte) [][]byte {
	all := bytes.SplitAfter(data, []byte("\n"))
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	return all
}
