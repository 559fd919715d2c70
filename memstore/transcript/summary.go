package transcript

import (
	"fmt"
	"strings"

	"memcurator/render/text"
)

// Summary is what a [Reader] saw beside the calls.
type Summary struct {
	Records int  // JSON values read
	Bad     int  // damaged lines
	BadLine int  // the first of them
	CutLast bool // a file ends in the middle of a record
}

// Notes say what was seen beside the calls, each in a few words.
func (s Summary) Notes() (list []string) {
	switch {
	case s.Bad == 1:
		list = append(list, fmt.Sprintf("line %d is damaged", s.BadLine))
	case s.Bad > 1:
		list = append(list, fmt.Sprintf("%d lines are damaged, the first is line %d", s.Bad, s.BadLine))
	}
	if s.CutLast {
		list = append(list, "the last line is incomplete")
	}
	return list
}

// Describe says what was seen in a transcript without a call, in a sentence without a full stop. name is that of the file, or what several
// of them are called.
func (s Summary) Describe(name string) string {
	if s.Records == 0 {
		return fmt.Sprintf("No transcript in %s: no JSON found", name)
	}
	return strings.Join(append([]string{"No memory calls in " + name, text.Count(s.Records, "message")}, s.Notes()...), ", ")
}
