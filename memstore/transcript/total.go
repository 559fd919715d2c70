package transcript

import (
	"fmt"
	"maps"
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
	header, body, _ := strings.Cut(text, "\n")
	_, _, rows := cutNumber(header)
	switch {
	case strings.HasPrefix(header, "Here's the content of "):
		return numberedText(body, "\t", "")
	case strings.HasPrefix(header, "Here's the result of running `cat -n` on "):
		return numberedText(strings.TrimSuffix(body, "\n"), "\t", "")
	case rows:
		for _, between := range []string{": ", "|", "\t"} {
			if data, ok := numberedText(strings.TrimSuffix(text, "\n"), between, "\n"); ok {
				return data, true
			}
		}
	}
	return nil, false
}

// numberedText takes the numbers off rows, which must count from 1.
func numberedText(text, between, end string) ([]byte, bool) {
	var rows []string
	for r := range strings.SplitSeq(text, "\n") {
		number, line, ok := strings.Cut(r, between)
		if n, err := strconv.Atoi(strings.TrimLeft(number, " ")); !ok || err != nil || n != len(rows)+1 {
			return nil, false
		}
		rows = append(rows, line)
	}
	return []byte(strings.Join(rows, "\n") + end), true
}

// Total is how many steps came to each verdict, and the first that diverges.
type Total struct {
	Calls  int
	By     map[Verdict]int
	First  *Step // that diverges
	Number int   // of First, from 1
}

// Add counts a step.
func (t *Total) Add(s Step) {
	if t.By == nil {
		t.By = map[Verdict]int{}
	}
	t.Calls++
	t.By[s.Verdict]++
	if s.Verdict.Diverges() && t.First == nil {
		t.First, t.Number = &s, t.Calls
	}
}

// clone is a copy that is counted on by itself.
func (t Total) clone() Total {
	t.By = maps.Clone(t.By)
	return t
}

// order is the one in which verdicts are reported.
var order = []Verdict{Identical, OtherDialect, Drift, Divergent, Cleared, NoResult, NotReplayable, Unknown}

// String is a line such as: 212 calls: 180 identical, 5 differ (first: call 9, turn 37, /memories/a.md).
func (t Total) String() string {
	first := ""
	if t.First != nil {
		first = fmt.Sprintf(" (first: call %d, turn %d, %s)", t.Number, t.First.Turn, t.First.Path)
	}
	return t.counts(first)
}

// Counts is [Total.String] without the first call that differs.
func (t Total) Counts() string { return t.counts("") }

func (t Total) counts(first string) string {
	var parts []string
	differs := false
	for _, v := range order {
		n := t.By[v]
		switch {
		case n == 0:
		case v.Diverges():
			if t.First != nil && !differs {
				parts = append(parts, t.differ()+first)
			}
			differs = true
		default:
			parts = append(parts, strconv.Itoa(n)+" "+v.Word())
		}
	}
	return text.Count(t.Calls, "call") + ": " + strings.Join(parts, ", ")
}

// differ says how many calls differ.
func (t Total) differ() string {
	n, word := t.By[Drift]+t.By[Divergent], "differ"
	if n == 1 {
		word = "differs"
	}
	return strconv.Itoa(n) + " " + word
}
