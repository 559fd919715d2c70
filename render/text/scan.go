package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// form is how to make the text of a unit. Texts are made only for display:
// wrapping and column arithmetic need only widths.
type form uint8

const (
	formRaw    form = iota // the bytes of the line
	formSpaces             // a tab
	formASCII              // ^[, <U+202E> or \xff, in unit.alt
	formByte               // \xff, in unit.alt
	formAlt                // another text with the same look, in unit.alt
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
	case formAlt:
		return false
	}
	return true
}

func (u *unit) render(line []byte) string {
	switch u.form {
	case formRaw:
		return string(line[u.start:u.end])
	case formSpaces:
		return strings.Repeat(" ", u.width)
	}
	return u.alt
}

// scanner splits a line into units from left to right. A unit depends on nothing before it, except behind a character that was cut.
type scanner struct {
	line []byte
	o    Options
	pos  int // next byte
	col  int // cells before pos, from the start of the line
	cut  int // what is here may not be shown as it is: it would join the character before; 0: nowhere
}

func newScanner(line []byte, o Options) *scanner { return &scanner{line: line, o: o} }

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
	if b >= 0x20 && b < 0x7f && (s.pos == 0 || s.pos != s.cut) {
		end := s.pos + asciiRun(s.line[s.pos:min(len(s.line), s.pos+limit)])
		if end < len(s.line) && s.line[end] >= utf8.RuneSelf {
			end-- // it may have a combining mark
		}
		if end > s.pos {
			return unit{start: s.pos, end: end, width: end - s.pos}
		}
		return s.cluster()
	}
	if b < utf8.RuneSelf {
		return s.control(b)
	}
	r, size := utf8.DecodeRune(s.line[s.pos:])
	switch {
	case r == utf8.RuneError && size <= 1 && b == cover && s.o.Hidden:
		return s.hiddenAt()
	case r == utf8.RuneError && size <= 1:
		return unit{start: s.pos, end: s.pos + 1, width: 4, alt: fmt.Sprintf(`\x%02x`, b), form: formByte, kind: Invalid}
	case s.pos > 0 && s.pos == s.cut:
		return s.alone(r, size)
	}
	return s.cluster()
}

func (s *scanner) control(b byte) unit {
	u := unit{start: s.pos, end: s.pos + 1}
	switch {
	case b == '\t':
		u.width, u.form, u.kind = tabWidth-(s.o.StartCol+s.col)%tabWidth, formSpaces, Tab
	case b < ' ' || b == 0x7f:
		u.width, u.alt, u.form, u.kind = 2, "^"+string(rune(b^'@')), formASCII, Control
	default: // a letter
		return s.number(rune(b), 1)
	}
	return u
}

// number shows the rune at the current position as a code point.
func (s *scanner) number(r rune, size int) unit {
	k := Invisible
	if r < 0xa0 {
		k = Control
	}
	alt := fmt.Sprintf("<U+%04X>", r)
	return unit{start: s.pos, end: s.pos + size, width: len(alt), alt: alt, form: formASCII, kind: k}
}

// asciiRun returns how many bytes at the start of b are printable ASCII.
func asciiRun[T string | []byte](b T) int {
	for i := range len(b) {
		if b[i] < 0x20 || b[i] >= 0x7f {
			return i
		}
	}
	return len(b)
}
