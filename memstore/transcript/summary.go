package transcript

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memcurator/render/text"
)

// Summary is what a [Reader] saw beside the calls.
type Summary struct {
	Records  int            // JSON values read
	Other    int            // calls of other tools that are called memory
	Tools    map[string]int // calls of other tools in the records that were read
	Bad      int            // damaged lines
	BadFile  string         // the first of them
	BadLine  int
	CutLast  bool // a file ends in the middle of a record
	Skipped  int  // records longer than [MaxRecord]
	Mentions int  // lines that are not JSON and speak of memory
}

// Notes say what was seen beside the calls, each in a few words.
func (s Summary) Notes() (list []string) {
	if s.Other > 0 {
		list = append(list, text.Count(s.Other, "call")+" of another tool named memory")
	}
	if s.Bad > 0 {
		list = append(list, s.bad())
	}
	if s.Skipped > 0 {
		list = append(list, s.skipped())
	}
	if s.CutLast {
		list = append(list, "the last line is incomplete")
	}
	return list
}

func (s Summary) bad() string {
	if s.Bad == 1 {
		return fmt.Sprintf("line %d is damaged", s.BadLine)
	}
	return fmt.Sprintf("%d lines are damaged, the first is line %d", s.Bad, s.BadLine)
}

func (s Summary) skipped() string {
	return fmt.Sprintf("%s of more than %d MB skipped", text.Count(s.Skipped, "record"), MaxRecord>>20)
}

// Add adds what was seen in other transcripts.
func (s *Summary) Add(o Summary) {
	if s.Bad == 0 {
		s.BadFile, s.BadLine = o.BadFile, o.BadLine
	}
	s.Records, s.Other, s.Bad, s.CutLast = s.Records+o.Records, s.Other+o.Other, s.Bad+o.Bad, s.CutLast || o.CutLast
	s.Skipped, s.Mentions = s.Skipped+o.Skipped, s.Mentions+o.Mentions
	if s.Tools == nil {
		s.Tools = map[string]int{}
	}
	for tool, n := range o.Tools {
		s.Tools[tool] += n
	}
}

// Describe says what was seen in a transcript without a call, in a sentence without a full stop. name is that of the file, or what several
// of them are called.
func (s Summary) Describe(name string) string {
	const mostTools = 4
	switch {
	case s.Mentions > 0 && len(s.Tools) == 0 && s.Other == 0 && s.Records <= 2*s.Mentions && s.Mentions > s.Bad:
		return fmt.Sprintf("No calls in %s: it is a printed log, %s of memory", name, text.Count(s.Mentions, "mention"))
	case s.Records == 0 && s.Skipped > 0:
		return fmt.Sprintf("Can't read %s: %s", name, s.skipped())
	case s.Records == 0:
		return fmt.Sprintf("No transcript in %s: no JSON found", name)
	}
	parts := append([]string{"No memory calls in " + name, text.Count(s.Records, "message")}, s.Notes()...)
	if s.Mentions > 0 {
		parts = append(parts, text.Count(s.Mentions, "mention")+" of memory outside JSON")
	}
	names := slices.SortedFunc(maps.Keys(s.Tools), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Tools[b], s.Tools[a]), strings.Compare(a, b))
	})
	for i, tool := range names[:min(mostTools, len(names))] {
		if names[i] = fmt.Sprintf("%s %d", text.Clean(tool), s.Tools[tool]); i == 0 {
			names[i] = "tools: " + names[i]
		}
	}
	if len(names) > 0 {
		parts = append(parts, strings.Join(names[:min(mostTools, len(names))], " "))
	}
	return strings.Join(parts, ", ")
}
