package scrub

import (
	"bytes"
	"slices"
)

// wholeMost is the largest text, in bytes, of which [Engine.Added] looks at all; of a larger one only at the surroundings of the
// change.
const (
	wholeMost = 256 << 10
	nearMost  = 64 << 10
)

// Added finds the values that a change adds to a text: those in the lines it touched, and those that only the change makes
// recognizable. The offsets are those of after. Of a large text only the surroundings of the change are searched, so that it is
// cheap enough to run on every edit.
func (e *Engine) Added(name string, before, after []byte) []Finding {
	from, to := changed(before, after)
	start, end := surroundings(after, from, to)
	var list, others []Finding
	for _, f := range e.Find(name, after[start:end]) {
		f.Start, f.End = f.Start+start, f.End+start
		if f.Start <= to && from <= f.End {
			list = append(list, f)
		} else {
			others = append(others, f)
		}
	}
	if len(others) == 0 || len(before) == 0 {
		return list
	}
	// A value that the change does not touch may be recognized only now, as by a word that was put before it.
	list = append(list, e.unknown(name, before, after, others)...)
	slices.SortFunc(list, func(a, b Finding) int { return a.Start - b.Start })
	return list
}

// unknown leaves out of found what was found in the text before too.
func (e *Engine) unknown(name string, before, after []byte, found []Finding) []Finding {
	from, to := changed(after, before)
	start, end := surroundings(before, from, to)
	was := map[string]int{}
	for _, f := range e.Find(name, before[start:end]) {
		was[string(before[start+f.Start:start+f.End])]++
	}
	return slices.DeleteFunc(found, func(f Finding) bool {
		value := string(after[f.Start:f.End])
		was[value]--
		return was[value] >= 0
	})
}

// changed is the part of after that before does not have, by what both begin and end with.
func changed(before, after []byte) (from, to int) {
	most := min(len(before), len(after))
	for from < most && before[from] == after[from] {
		from++
	}
	tail := 0
	for tail < most-from && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	return from, len(after) - tail
}

// surroundings is the part of a large text that is searched: whole lines around the change.
func surroundings(text []byte, from, to int) (start, end int) {
	if len(text) <= wholeMost {
		return 0, len(text)
	}
	start, end = max(0, from-nearMost), min(len(text), to+nearMost)
	if i := bytes.IndexByte(text[start:from], '\n'); i >= 0 && start > 0 {
		start += i + 1
	}
	if i := bytes.LastIndexByte(text[to:end], '\n'); i >= 0 && end < len(text) {
		end = to + i + 1
	}
	return start, end
}
