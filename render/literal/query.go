package literal

import "strings"

// Query is a text to find within a line. An empty text, or one with a newline, is never found.
//
// With Fold, upper and lower case are equal by Unicode's simple case folding, as in [strings.EqualFold]. A text that is not UTF-8 is
// searched literally.
type Query struct {
	Text string
	Fold bool
}

// SmartCase is the query that a user means by a text: a capital makes the search match case, lower case matches both, as in other pagers.
func SmartCase(text string) Query { return Query{Text: text, Fold: text == strings.ToLower(text)} }

// Matcher returns a function that finds the matches in a line, as pairs of start and end from left to right without overlaps. It is safe
// for concurrent use.
func (q Query) Matcher() func(line []byte) [][2]int {
	if q.Text == "" || strings.Contains(q.Text, "\n") {
		return func([]byte) [][2]int { return nil }
	}
	text := New(q.Text, q.Fold, false)
	return func(line []byte) (spans [][2]int) {
		s := text.In(line)
		for at := 0; ; {
			i, j := s.Next(at)
			if i < 0 {
				return spans
			}
			spans = append(spans, [2]int{i, j})
			at = j
		}
	}
}
