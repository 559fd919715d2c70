package transcript

import (
	"strconv"
	"strings"

	"memcurator/memstore"
	"memcurator/render/text"
)

// viewed is the file that a whole view of it shows. A handler that shows no row after the last newline
// leaves open whether the file ends in one; assume that it does.
func viewed(c memstore.Command, text string) ([]byte, bool) {
	if c.ViewRange != nil {
		return nil, false
	}
	if header, body, _ := strings.Cut(text, "\n"); strings.HasPrefix(header, "Here's the content of ") {
		return numberedText(body)
	}
	data, ok := numberedText(strings.TrimSuffix(text, "\n"))
	return append(data, '\n'), ok
}

// numberedText takes the numbers off rows, which must count from 1.
func numberedText(text string) ([]byte, bool) {
	var rows []string
	for r := range strings.SplitSeq(text, "\n") {
		number, line, ok := cutNumber(r)
		if !ok || number != len(rows)+1 {
			return nil, false
		}
		rows = append(rows, line)
	}
	return []byte(strings.Join(rows, "\n")), true
}

// Total is how many steps came to each verdict, and the first that differs.
type Total struct {
	Calls int
	By    map[Verdict]int
	First int // number of the first call that differs, from 1; 0: there is none
}

// TotalOf counts steps.
func TotalOf(steps []Step) Total {
	t := Total{Calls: len(steps), By: map[Verdict]int{}}
	for i, s := range steps {
		if t.By[s.Verdict]++; s.Verdict == Differs && t.First == 0 {
			t.First = i + 1
		}
	}
	return t
}

// Verdicts are all of them, in the order in which they are reported.
var Verdicts = []Verdict{Identical, OtherDialect, Differs, Cleared, NoResult, NotReplayable, Unknown}

// String is a line such as: 212 calls: 180 identical, 5 differ.
func (t Total) String() string {
	var parts []string
	for _, v := range Verdicts {
		switch n := t.By[v]; {
		case v == Differs && n > 0:
			parts = append(parts, text.Count(n, "differs", "differ"))
		case n > 0:
			parts = append(parts, strconv.Itoa(n)+" "+string(v))
		}
	}
	return text.Count(t.Calls, "call") + ": " + strings.Join(parts, ", ")
}
