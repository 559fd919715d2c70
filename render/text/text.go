// Package text makes bytes of unknown origin safe for a terminal. It is the
// only sanitizer of the program: anything that an agent wrote into a file or
// a name passes through Spans, Window or Clean before it reaches the screen,
// and nothing else may decide what is harmless.
//
// The package is pure and stateless; all functions are safe for concurrent
// use. All panes of the terminal UI and plain output use it.
//
// The output contains no control characters, escape sequences or
// bidirectional controls, and no zero-width character by itself. A span that
// doesn't show the original text has a Kind other than plain, so that a pane
// can paint it differently from a file that contains the same letters.
//
// The width of a text is the sum of the widths of its grapheme clusters, as
// the library of the terminal interface counts them (x/ansi).
//
// A terminal may still reorder right-to-left letters when it draws them.
// Columns here follow the logical order.
package text

// Kind is why a span looks as it does.
type Kind uint8

const (
	// plain is text shown unchanged.
	plain Kind = iota
	// Control is a control character: ^[ for C0 and DEL, <U+009B> for C1.
	Control
	// Invisible is a character that would be invisible, or would change how its
	// neighbors look, in the form <U+202E>.
	Invisible
	// Invalid is a byte that is not part of valid UTF-8, in the form \xff.
	Invalid
	// Tab is a tab, expanded to spaces.
	Tab
)

// Span is a run of text ready for the screen: no control characters, known
// width.
type Span struct {
	Text  string
	Kind  Kind
	Width int // cells
}

// tabWidth is the distance of tab stops in cells.
const tabWidth = 8

// Options control the layout of a line. The zero value works on every
// terminal.
type Options struct {
	StartCol int  // column of the first byte, only for tab stops
	ASCII    bool // use ASCII for what this package itself adds; content doesn't change
	Hidden   bool // characters that Hide hid are drawn as dots
	// Clusters: the terminal counts grapheme clusters, as those do that answered the query for mode 2027 (Unicode core). Others count the
	// parts of an emoji one by one, so that only its parts are shown.
	Clusters bool
}

// Spans appends line to dst as spans that are safe to show. A line feed is a
// control character like any other: the caller splits lines. The width of the
// joined texts is the sum of the spans' widths.
func Spans(dst []Span, line []byte, o Options) []Span {
	s := newScanner(line, o)
	from := -1 // start of the bytes to output unchanged
	width := 0
	for {
		u, ok := s.next(len(line))
		if ok && u.form == formRaw {
			if from < 0 {
				from = u.start
			}
			width += u.width
			continue
		}
		if from >= 0 {
			to := len(line)
			if ok {
				to = u.start
			}
			dst = append(dst, Span{Text: string(line[from:to]), Width: width})
			from, width = -1, 0
		}
		if !ok {
			return dst
		}
		dst = append(dst, Span{Text: u.render(line), Kind: u.kind, Width: u.width})
	}
}

// Total is the sum of the widths of spans.
func Total(spans []Span) int {
	n := 0
	for i := range spans {
		n += spans[i].Width
	}
	return n
}

// Clean makes a plain string of s: it expands tabs and makes everything
// invisible visible. It is for names, paths, messages and titles, and right for
// any terminal.
func Clean(s string) string {
	if asciiRun(s) == len(s) {
		return s
	}
	line := []byte(s)
	out := make([]byte, 0, len(s)+16)
	sc := newScanner(line, Options{})
	for {
		u, ok := sc.next(len(line))
		if !ok {
			return string(out)
		}
		if u.form == formRaw {
			out = append(out, line[u.start:u.end]...)
		} else {
			out = append(out, u.render(line)...)
		}
	}
}
