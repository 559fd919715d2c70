package text

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"
)

// form is how to make the text of a unit. Texts are made only for display:
// wrapping and column arithmetic need only widths.
type form uint8

const (
	formRaw    form = iota // the bytes of the line
	formCaret              // ^[
	formNumber             // <U+202E>
	formByte               // \xff
	formSpaces             // a tab
	formDotted             // a combining mark without a base, on a dotted circle
	formAlt                // another text with the same look, in unit.alt
	formDot                // a hidden character, in unit.alt
)

// unit is the smallest piece of a line that is shown or omitted as a whole,
// except for a run of printable ASCII, in which every byte is one cell.
type unit struct {
	start, end int // bytes of the line
	width      int // cells
	r          rune
	alt        string
	form       form
	kind       Kind
}

// ascii reports whether every cell of the unit's text is one byte, so that it
// can be cut anywhere.
func (u *unit) ascii() bool {
	switch u.form {
	case formRaw:
		return u.end-u.start == u.width && u.r == 0
	case formCaret, formNumber, formByte, formSpaces:
		return true
	default:
		return false
	}
}

func (u *unit) render(line []byte) string {
	switch u.form {
	case formCaret:
		return carets[u.r&0x7f]
	case formNumber:
		return fmt.Sprintf("<U+%04X>", u.r)
	case formByte:
		return hexBytes[u.r&0x7f]
	case formSpaces:
		return spaces(u.width)
	case formDotted:
		return dottedCircle + string(u.r)
	case formAlt, formDot:
		return u.alt
	default:
		return string(line[u.start:u.end])
	}
}

const dottedCircle = "◌"

// carets is the caret notation of the control characters 0x00 to 0x1f and
// 0x7f, by code. It is never modified after start.
var carets = func() (t [128]string) {
	for i := range 0x20 {
		t[i] = "^" + string(rune(i+'@'))
	}
	t[0x7f] = "^?"
	return t
}()

// hexBytes is the bytes 0x80 to 0xff as \xNN; no other byte can be invalid.
// It is never modified after start.
var hexBytes = func() (t [128]string) {
	for i := range t {
		t[i] = fmt.Sprintf(`\x%02x`, i+0x80)
	}
	return t
}()

const blank = "                                                                "

func spaces(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blank) {
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}

// numberWidth is the width of <U+XXXX>.
func numberWidth(r rune) int {
	switch {
	case r >= 0x100000:
		return 10
	case r >= 0x10000:
		return 9
	default:
		return 8
	}
}

// scanner splits a line into units from left to right. Whether a character
// can be shown depends at most on the unit before it, so a scanner that
// starts at a unit finds the same units as one that starts earlier, except
// for characters that would merge with the unit before.
type scanner struct {
	line []byte
	o    Options
	tab  int
	pos  int // next byte
	col  int // cells before pos, from the start of the line
	// prev is the text of the unit before pos if a following character may merge
	// with it; empty if none can.
	prev []byte
	buf  [64]byte
}

func newScanner(line []byte, o Options) *scanner {
	return &scanner{line: line, o: o, tab: o.tabWidth()}
}

// next returns the unit at the current position. A run of printable ASCII is
// cut after limit bytes, so that a caller who needs 80 cells doesn't read a
// line of 50 MB.
func (s *scanner) next(limit int) (unit, bool) {
	if s.pos >= len(s.line) {
		return unit{}, false
	}
	u := s.scan(max(limit, 1))
	s.pos = u.end
	s.col += u.width
	return u, true
}

func (s *scanner) scan(limit int) unit {
	b := s.line[s.pos]
	if b >= 0x20 && b < 0x7f {
		rest := s.line[s.pos:]
		if limit < len(rest) {
			rest = rest[:limit]
		}
		end := s.pos + asciiRun(rest)
		// The last byte may have a combining mark.
		if !s.simpleAt(end) {
			end--
		}
		if end > s.pos {
			s.prev = s.prev[:0]
			return unit{start: s.pos, end: end, width: end - s.pos}
		}
		return s.cluster(rune(b), 1)
	}
	if b < utf8.RuneSelf {
		return s.control(b)
	}
	r, size := utf8.DecodeRune(s.line[s.pos:])
	if r == utf8.RuneError && size <= 1 {
		if b == cover && s.o.Hidden {
			return s.hiddenAt()
		}
		s.prev = s.prev[:0]
		return unit{start: s.pos, end: s.pos + 1, width: 4, r: rune(b), form: formByte, kind: Invalid}
	}
	// Of the simple letters, only Hangul syllables can merge with what precedes.
	hangul := r >= hangulS && r <= hangulLast
	if w := simpleWidth(r); w > 0 && (len(s.prev) == 0 || !hangul) && s.simpleAt(s.pos+size) {
		s.prev = s.prev[:0]
		return unit{start: s.pos, end: s.pos + size, width: w, r: r}
	}
	return s.cluster(r, size)
}

func (s *scanner) control(b byte) unit {
	s.prev = s.prev[:0]
	if b == '\t' {
		w := s.tab - (s.o.StartCol+s.col)%s.tab
		return unit{start: s.pos, end: s.pos + 1, width: w, form: formSpaces, kind: Tab}
	}
	return unit{start: s.pos, end: s.pos + 1, width: 2, r: rune(b), form: formCaret, kind: Control}
}

// number shows the rune at the current position as a code point.
func (s *scanner) number(r rune, size int) unit {
	s.prev = s.prev[:0]
	k := Invisible
	if r < 0xa0 {
		k = Control
	}
	return unit{start: s.pos, end: s.pos + size, width: numberWidth(r), r: r, form: formNumber, kind: k}
}

// simpleAt reports whether the character at byte i can't merge with the one
// before it.
func (s *scanner) simpleAt(i int) bool {
	if i >= len(s.line) || s.line[i] < utf8.RuneSelf {
		return true
	}
	r, _ := utf8.DecodeRune(s.line[i:])
	return simpleWidth(r) > 0
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// asciiRun returns how many bytes at the start of b are printable ASCII. It
// checks eight bytes at a time, since long lines consist mostly of these.
func asciiRun(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		del := x ^ ones*0x7f
		if (x|(x-ones*0x20)|(del-ones))&highs != 0 {
			break
		}
	}
	for i < len(b) && b[i] >= 0x20 && b[i] < 0x7f {
		i++
	}
	return i
}

func asciiRunString(s string) int {
	i := 0
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x7f {
		i++
	}
	return i
}
