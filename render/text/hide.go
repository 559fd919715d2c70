package text

import (
	"slices"
	"strings"
)

// Hidden characters keep their bytes and cells, so that every offset into a line, and every row it is wrapped to, holds for the
// line with hidden characters too: each of their cells is a byte that text in UTF-8 never has, and bytes beyond those another one.
const (
	cover  = 0xff // a cell
	beyond = 0xfe // no cell; only behind a cover
)

// Hide returns a line in which the characters with hidden bytes are hidden: [Options].Hidden has them drawn as dots. Control
// characters and bytes that are not text stay.
func Hide(line []byte, hidden []bool, o Options) []byte {
	o.Hidden = false
	out := make([]byte, len(line))
	copy(out, line)
	s := newScanner(line, o)
	for {
		u, ok := s.next(len(line))
		if !ok {
			return out
		}
		switch {
		case u.form == formRaw && u.ascii():
			for i := u.start; i < u.end; i++ {
				if hidden[i] {
					out[i] = cover
				}
			}
		case u.form == formByte && out[u.start] >= beyond:
			out[u.start] = beyond - 1 // it is not text either, and hides nothing
		case u.kind == plain && u.width <= u.end-u.start && slices.Contains(hidden[u.start:u.end], true):
			for i := u.start; i < u.end; i++ {
				out[i] = beyond
				if i < u.start+u.width {
					out[i] = cover
				}
			}
		}
	}
}

// hiddenAt is the hidden character at the current position.
func (s *scanner) hiddenAt() unit {
	end := s.pos + 1
	for end < len(s.line) && s.line[end] == beyond {
		end++
	}
	return unit{start: s.pos, end: end, width: 1, alt: s.o.Dot(), form: formAlt}
}

// Dot is drawn for a cell of a hidden character.
func (o Options) Dot() string {
	if o.ASCII {
		return "*"
	}
	return "•"
}

// Dots is a text in which [Hide] hid characters, with the dots that are drawn for them.
func Dots(s string, o Options) string {
	if strings.IndexByte(s, cover) < 0 {
		return s
	}
	return strings.NewReplacer(string([]byte{cover}), o.Dot(), string([]byte{beyond}), "").Replace(s)
}
