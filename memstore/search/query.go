package search

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/search/fuzzy"
	"memcurator/render/literal"
)

const (
	// literalMax bounds a literal, in bytes.
	literalMax = 4 << 10
	// patternMax bounds a regular expression, in bytes.
	patternMax = 1_000
	// programMax bounds a compiled one, in instructions: matching takes at most the
	// product of this and lineMax for one line, a second or two.
	programMax = 4_000
)

// Query is what to look for.
type Query struct {
	Text   string
	Regexp bool
}

// ParseQuery reads a query as people type it: between slashes it is a regular expression,
// else it is the text itself. Two slashes at the start stand for one that is meant.
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
	query   Query
	fold    bool
	literal *literal.Text
	re      *regexp.Regexp
	longest int // the most bytes a match of the literal has
}

// queryError is why a query cannot be searched for: a sentence for the user.
type queryError struct {
	Sentence string
	Err      error // of the regular expression's parser, or nil
}

func (e *queryError) Error() string { return e.Sentence }

// Unwrap returns the cause.
func (e *queryError) Unwrap() error { return e.Err }

func refuse(format string, args ...any) error {
	return &queryError{Sentence: fmt.Sprintf(format, args...)}
}

// Compile makes a query ready. The text of the error is a sentence for the user.
func Compile(q Query) (*Matcher, error) {
	switch {
	case q.Text == "":
		return nil, refuse("Nothing to search for. Type some text, or a regular expression between slashes")
	case strings.Contains(q.Text, "\n"):
		return nil, refuse("A match is within one line. Search for one of the lines")
	case q.Regexp:
		return compilePattern(q)
	case len(q.Text) > literalMax:
		return nil, refuse("The text to search for is longer than %d bytes. Search for a part of it", literalMax)
	}
	m := &Matcher{query: q, fold: !hasUpper(q.Text)}
	m.literal = literal.New(q.Text, m.fold, true)
	m.longest = m.literal.Longest()
	return m, nil
}

func compilePattern(q Query) (*Matcher, error) {
	if len(q.Text) > patternMax {
		return nil, refuse("The regular expression is longer than %d bytes. Shorten it", patternMax)
	}
	m := &Matcher{query: q, fold: !hasUpper(withoutEscapes(q.Text))}
	flags := syntax.Perl
	source := q.Text
	if m.fold {
		flags |= syntax.FoldCase
		source = "(?i)" + source
	}
	parsed, err := syntax.Parse(q.Text, flags)
	if err != nil {
		return nil, patternError(err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > programMax {
		return nil, refuse("The regular expression grows too large when its repetitions are written out. Use smaller numbers in braces")
	}
	if m.re, err = regexp.Compile(source); err != nil {
		return nil, patternError(err)
	}
	return m, nil
}

// patternError is the sentence about an expression that does not parse.
func patternError(err error) error {
	sentence := "Invalid regular expression"
	if e, ok := err.(*syntax.Error); ok {
		switch e.Code {
		case syntax.ErrLarge, syntax.ErrInvalidRepeatSize, syntax.ErrNestingDepth:
			sentence = "The regular expression is too large or too deep. Use smaller numbers in braces (at most 1000) and fewer parentheses"
		case syntax.ErrInvalidPerlOp:
			sentence += ": look-ahead and look-behind are not supported"
		default:
			if e.Expr != "" && len(e.Expr) <= 60 {
				sentence += " " + e.Expr
			}
			sentence += ": " + string(e.Code)
		}
	}
	return &queryError{Sentence: sentence, Err: err}
}

// Query returns what the matcher looks for.
func (m *Matcher) Query() Query { return m.query }

// Fold reports whether upper and lower case are the same.
func (m *Matcher) Fold() bool { return m.fold }

func (m *Matcher) finder() finder {
	if m.re != nil {
		return newPatternScan(m)
	}
	return m.literal.Scan()
}

// Spans appends the matches in one line, left to right without overlaps.
func (m *Matcher) Spans(dst []Span, line []byte) []Span {
	f := m.finder()
	f.Start(line)
	for at := 0; ; {
		i, j := f.Next(at)
		if i < 0 {
			return dst
		}
		dst = append(dst, Span{i, j})
		at = j
	}
}

// lettersLeast is how many letters of a name a query must have so that they need not be beside each other.
const lettersLeast = 3

// nameSpans returns the matches in a path's last name, in bytes of the path. A query with
// a slash is looked for in the whole path below the root.
func (m *Matcher) nameSpans(path string) []Span {
	from := strings.LastIndexByte(path, '/') + 1
	if strings.Contains(m.query.Text, "/") {
		from = strings.IndexByte(path[1:], '/') + 2
	}
	spans := m.Spans(nil, []byte(path[from:]))
	if len(spans) == 0 && m.re == nil && utf8.RuneCountInString(m.query.Text) >= lettersLeast {
		for _, at := range fuzzy.Letters(path[from:], m.query.Text) {
			spans = append(spans, Span{at[0], at[1]})
		}
	}
	for i := range spans {
		spans[i].Start += from
		spans[i].End += from
	}
	return spans
}

func hasUpper(s string) bool { return strings.ContainsFunc(s, unicode.IsUpper) }

// withoutEscapes leaves out what is not text of its own in a regular expression, whose
// letters say nothing about the case of what is meant: \S, \pL, \p{Greek}, (?P<Name>.
func withoutEscapes(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		switch rest := s[i:]; {
		case len(rest) > 1 && (rest[1] == 'p' || rest[1] == 'P' || rest[1] == 'x') && rest[0] == '\\':
			i += 2
			if end := strings.IndexByte(s[i:], '}'); i < len(s) && s[i] == '{' && end >= 0 {
				i += end + 1
			} else if i < len(s) {
				i++
			}
		case rest[0] == '\\' && len(rest) > 1:
			_, n := utf8.DecodeRuneInString(rest[1:])
			i += 1 + n
		case strings.HasPrefix(rest, "(?"):
			end := strings.IndexAny(rest, ":>)")
			if end < 0 {
				return out.String()
			}
			i += end + 1
		default:
			out.WriteByte(s[i])
			i++
		}
	}
	return out.String()
}
