// Package output is how commands print: lines and JSON that are safe for a terminal, numbers with their nouns, times and names. It knows
// neither stores nor flags.
package output

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"memcurator/render/text"
)

// ScreenWriter makes output safe for a terminal: files and names come from an
// agent, and may contain anything. It writes whole lines at once; text after
// the last newline waits for the next write.
type ScreenWriter struct {
	W       io.Writer
	Options text.Options
	Paint   Painter // nil: no colors
	line    []byte  // begun, but not yet written
	col     int     // cells of the line already written
	spans   []text.Span
	out     []byte
}

// longLine is how much of a line to collect before writing it in pieces.
const longLine = 64 << 10

// Write implements [io.Writer].
func (s *ScreenWriter) Write(p []byte) (int, error) {
	s.out = s.out[:0]
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		rest = after
		s.line = append(s.line, line...)
		if ended {
			s.paint(s.line)
			s.out = append(s.out, '\n')
			s.line, s.col = s.line[:0], 0
		} else if len(s.line) > longLine {
			whole := len(s.line) - cutOff(s.line)
			s.paint(s.line[:whole])
			s.line = append(s.line[:0], s.line[whole:]...)
		}
	}
	if len(s.out) == 0 {
		return len(p), nil
	}
	if _, err := s.W.Write(s.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// paint shows a line, or its beginning, in colors; the rest of a long line has none.
func (s *ScreenWriter) paint(line []byte) {
	at, begins := len(s.out), s.col == 0
	s.show(line)
	if s.Paint != nil && begins {
		s.out = append(s.out[:at], s.Paint(string(s.out[at:]))...)
	}
}

func (s *ScreenWriter) show(part []byte) {
	s.Options.StartCol = s.col
	s.spans = text.Spans(s.spans[:0], part, s.Options)
	for _, span := range s.spans {
		s.out = append(s.out, span.Text...)
	}
	s.col += text.Total(s.spans)
}

// cutOff is the length of the incomplete character at the end of p; 0 if none.
func cutOff(p []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if utf8.RuneStart(p[len(p)-i]) {
			if utf8.FullRune(p[len(p)-i:]) {
				return 0
			}
			return i
		}
	}
	return 0
}

// JSONWriter is ScreenWriter for lines of JSON: it escapes control characters as JSON does, so that the lines keep their meaning. Such
// characters occur only in JSON strings.
type JSONWriter struct {
	W    io.Writer
	rest []byte // the incomplete character at the end of the last write
	out  []byte
}

// Write implements [io.Writer].
func (j *JSONWriter) Write(p []byte) (int, error) {
	j.rest = append(j.rest, p...)
	whole := len(j.rest) - cutOff(j.rest)
	j.out = j.out[:0]
	for at := 0; at < whole; {
		r, size := utf8.DecodeRune(j.rest[at:whole])
		part := j.rest[at : at+size]
		at += size
		switch {
		case r < utf8.RuneSelf && r != 0x7f && (r >= ' ' || r == '\n'):
			j.out = append(j.out, part...)
		case r == utf8.RuneError || text.Clean(string(part)) != string(part):
			for _, unit := range utf16.AppendRune(nil, r) {
				j.out = fmt.Appendf(j.out, `\u%04x`, unit)
			}
		default:
			j.out = append(j.out, part...)
		}
	}
	j.rest = append(j.rest[:0], j.rest[whole:]...)
	if _, err := j.W.Write(j.out); err != nil {
		return 0, err
	}
	return len(p), nil
}
