package search

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/render/text"
)

// textMax is how much of a line a [Hit] keeps, in bytes, of which textBefore stand before the first match.
const (
	textMax    = 512
	textBefore = 120
)

// Query is what to look for.
type Query struct {
	Text   string
	Regexp bool
}

// ParseQuery reads a query as people type it: between slashes it is a regular expression, else it is the text itself. Two slashes at the
// start stand for one that is meant.
func ParseQuery(line string) Query {
	if n := len(line); n > 2 && line[0] == '/' && line[n-1] == '/' {
		return Query{Text: line[1 : n-1], Regexp: true}
	}
	return Query{Text: line}
}

// String writes a query as people type it.
func (q Query) String() string {
	if q.Regexp {
		return "/" + q.Text + "/"
	}
	return q.Text
}

// Matcher is a query made ready. It is immutable and safe for concurrent use.
type Matcher struct {
	query Query
	text  *text.Finder // nil: it is a regular expression
	re    *regexp.Regexp
}

// Span is a match, in bytes from the start of what it was looked for in.
type Span struct{ Start, End int }

// Hit is a line with matches.
type Hit struct {
	Line       int    // from 1
	Start, End int    // of the first match, in bytes from the start of the text
	Matches    int    // in the whole line, not overlapping, from the left
	Text       []byte // the line around the first match, at most textMax bytes, cut between characters
	Offset     int    // where Text begins in the text that was searched
	Spans      []Span // the matches that Text holds
}

// Compile makes a query ready. The text of the error is a sentence for the user.
func Compile(q Query) (*Matcher, error) {
	m := &Matcher{query: q}
	switch {
	case q.Text == "":
		return nil, errors.New("Nothing to search for. Type some text, or a regular expression between slashes")
	case strings.Contains(q.Text, "\n"):
		return nil, errors.New("A match is within one line. Search for one of the lines")
	case !q.Regexp:
		m.text = text.NewFinder(q.Text)
		return m, nil
	}
	source := q.Text
	if !hasUpper(escapes.ReplaceAllString(source, "")) {
		source = "(?i)" + source
	}
	var err error
	if m.re, err = regexp.Compile(source); err != nil {
		return nil, patternError(err)
	}
	return m, nil
}

func hasUpper(s string) bool { return strings.ContainsFunc(s, unicode.IsUpper) }

// escapes are what is not text of its own in a regular expression, whose letters say nothing about the case of what is meant: \S,
// \p{Greek}, (?P<Name>.
var escapes = regexp.MustCompile(`\\[pP]\{[^}]*\}|\\[pP]?.|\(\?P?<[^>]*>`)

// patternError is the sentence about an expression that does not parse.
func patternError(err error) error {
	var e *syntax.Error
	switch {
	case !errors.As(err, &e):
		return fmt.Errorf("Invalid regular expression: %w", err)
	case e.Code == syntax.ErrInvalidPerlOp:
		return errors.New("Invalid regular expression: look-ahead and look-behind are not supported")
	}
	return fmt.Errorf("Invalid regular expression %s: %s", strings.TrimPrefix(e.Expr, "(?i)"), e.Code)
}

// Query returns what the matcher looks for.
func (m *Matcher) Query() Query { return m.query }

// Spans appends the matches in one line, left to right without overlaps. A match of nothing is none for a reader.
func (m *Matcher) Spans(dst []Span, line []byte) []Span {
	if m.text != nil {
		for _, at := range m.text.All(line) {
			dst = append(dst, Span{at[0], at[1]})
		}
		return dst
	}
	for _, at := range m.re.FindAllIndex(line, -1) {
		if at[1] > at[0] {
			dst = append(dst, Span{at[0], at[1]})
		}
	}
	return dst
}

// Lines calls visit for each line of a text with matches, until it returns false. The Hit is the callee's.
func (m *Matcher) Lines(text []byte, visit func(Hit) bool) {
	var next func(from int) (start, end int) // passes over lines without a match at once
	if m.text != nil {
		next = m.text.In(text)
	}
	for at, number := 0, 1; at < len(text); number++ {
		if next != nil {
			i, _ := next(at)
			if i < 0 {
				return
			}
			passed := text[at:i]
			number += bytes.Count(passed, lineFeed)
			at += bytes.LastIndexByte(passed, '\n') + 1
		}
		line, _, _ := bytes.Cut(text[at:], lineFeed)
		if spans := m.Spans(nil, bytes.TrimSuffix(line, []byte{'\r'})); len(spans) > 0 && !visit(hitOf(line, number, at, spans)) {
			return
		}
		at += len(line) + 1
	}
}

var lineFeed = []byte{'\n'}

// hitOf is a line, which begins at a place in a text, with its matches.
func hitOf(line []byte, number, at int, spans []Span) Hit {
	first := spans[0]
	from, to := max(0, first.Start-textBefore), len(line)
	for from > 0 && from < first.Start && !utf8.RuneStart(line[from]) {
		from++
	}
	if to-from > textMax {
		to = from + textMax
		for to > from+textMax-utf8.UTFMax && !utf8.RuneStart(line[to]) {
			to--
		}
	}
	h := Hit{Line: number, Start: at + first.Start, End: at + first.End, Matches: len(spans), Offset: at + from,
		Text: bytes.TrimSuffix(bytes.Clone(line[from:to]), []byte{'\r'})}
	for _, s := range spans {
		if s.Start < from+len(h.Text) {
			h.Spans = append(h.Spans, Span{s.Start - from, min(s.End-from, len(h.Text))})
		}
	}
	return h
}

// nameSpans returns the matches in a path's last name, in bytes of the path. A query with a slash is looked for in the whole path below the
// root.
func (m *Matcher) nameSpans(path string) []Span {
	from := strings.LastIndexByte(path, '/') + 1
	if strings.Contains(m.query.Text, "/") {
		from = strings.IndexByte(path[1:], '/') + 2
	}
	spans := m.Spans(nil, []byte(path[from:]))
	for i := range spans {
		spans[i].Start += from
		spans[i].End += from
	}
	return spans
}
