// Package text makes bytes of unknown origin fit for a terminal. It is the only
// sanitizer of the program: whatever an agent wrote into a file or a name goes
// through Spans, Window or Clean before it reaches the screen, and nothing else
// may decide what is harmless.
//
// The package is pure and keeps no state; every function may be called from any
// goroutine. It is used by all panes of the terminal UI and by plain output.
//
// What comes out holds no control character, no escape sequence, no
// bidirectional control and no character of width zero that stands alone. What
// was not shown as it is has a Kind other than plain, so that a pane can paint
// it differently from a file that contains the same letters.
//
// A terminal may still reorder right-to-left letters when it draws them. The
// columns given here are those of the logical order.
package text

// Kind says why a span looks as it does.
type Kind uint8

const (
	// plain is text shown as it is.
	plain Kind = iota
	// Control is a control character: ^[ for C0 and DEL, <U+009B> for C1.
	Control
	// Invisible is a character that would not be seen, or would change how its
	// neighbours are seen, in the form <U+202E>.
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

// Measure says how the terminal counts the cells of a character that consists
// of several code points. Terminals differ in this, and one row counted
// differently pushes everything to the right of it out of place.
type Measure uint8

const (
	// Portable shows only what takes the same cells whichever way the terminal
	// counts; other sequences are taken apart, and the parts that cannot stand
	// alone are shown by number. It is right on every terminal.
	Portable Measure = iota
	// Clusters is for terminals that count grapheme clusters, that is, those
	// that answered the query for mode 2027 (Unicode core).
	Clusters
	// codePoints is for terminals that add up code points. It keeps the
	// spacing vowel signs of Indic scripts on their letters, which Portable
	// cannot; emoji sequences are taken apart as in Portable.
	codePoints
)

// defaultTabWidth is the distance of tab stops in cells.
const defaultTabWidth = 8

// Options tell how a line is laid out. The zero value is right for every
// terminal.
type Options struct {
	TabWidth int     // distance of tab stops; 0 means 8
	StartCol int     // column of the first byte, for tab stops only
	ASCII    bool    // what this package adds itself is ASCII; content is not affected
	Measure  Measure // how the terminal counts cells
}

func (o Options) tabWidth() int {
	if o.TabWidth > 0 {
		return o.TabWidth
	}
	return defaultTabWidth
}

// Spans appends line to dst as spans that are safe to show. A line feed is a
// control character like any other: the caller splits lines. Joined, the texts
// of the spans are as wide as the sum of their widths.
func Spans(dst []Span, line []byte, o Options) []Span {
	s := newScanner(line, o)
	from := -1 // start of the bytes that go out as they are
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

// Clean makes one plain string of s: tabs are expanded, everything else that
// would not be seen is shown. It is meant for names, paths, messages and
// titles, and always uses the Portable measure, so that Width, Truncate and Pad
// are right for its result on any terminal.
func Clean(s string) string {
	if asciiRunString(s) == len(s) {
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
