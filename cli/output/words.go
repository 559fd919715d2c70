package output

import (
	"strings"
	"time"

	"memcurator/render/text"
)

// JSONTime is the form of times in JSON lines: RFC 3339 with nanoseconds.
const JSONTime = "2006-01-02T15:04:05.000000000Z07:00"

// Capital capitalizes the first letter of a sentence.
func Capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Clock formats a time for a list.
func Clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// OneLine prevents a name with a newline from passing for a second row of a list that the user confirms.
func OneLine(s string) string { return text.Clean(strings.ReplaceAll(s, "\n", `\n`)) }

// WidestPath is the column width of paths; longer ones push the columns after them.
const WidestPath = 48

// OrNull is a value as JSON lines have it; nil for the zero value.
func OrNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
