package cli

import (
	"bytes"
	"io"
	"unicode/utf8"

	"memcurator/render/text"
)

// screenWriter makes what goes to a terminal harmless: files and names are an
// agent's, and may hold anything. Whole lines pass at once; what follows the
// last newline waits for the next one.
type screenWriter struct {
	w       io.Writer
	options text.Options
	line    []byte // begun and not yet written
	col     int    // cells of the line that are written already
	spans   []text.Span
	out     []byte
}

// longLine is how much of a line is collected before it is written in pieces.
const longLine = 64 << 10

// Write implements [io.Writer].
func (s *screenWriter) Write(p []byte) (int, error) {
	s.out = s.out[:0]
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		rest = after
		s.line = append(s.line, line...)
		if ended {
			s.show(s.line)
			s.out = append(s.out, '\n')
			s.line, s.col = s.line[:0], 0
		} else if len(s.line) > longLine {
			whole := len(s.line) - cutOff(s.line)
			s.show(s.line[:whole])
			s.line = append(s.line[:0], s.line[whole:]...)
		}
	}
	if len(s.out) == 0 {
		return len(p), nil
	}
	if _, err := s.w.Write(s.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (s *screenWriter) show(part []byte) {
	s.options.StartCol = s.col
	s.spans = text.Spans(s.spans[:0], part, s.options)
	for _, span := range s.spans {
		s.out = append(s.out, span.Text...)
	}
	s.col += text.Total(s.spans)
}

// cutOff is the length of the character that the end of p cuts, 0 if none.
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
