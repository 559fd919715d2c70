// Package output is how commands print: lines and JSON that are safe for a terminal, numbers with their nouns, times and names. It knows
// neither stores nor flags.
package output

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"memcurator/render/text"
)

// ScreenWriter makes output safe for a terminal: files and names come from an agent, and may contain anything. Each write has whole lines,
// or the end of a text.
type ScreenWriter struct {
	W       io.Writer
	Options text.Options
	Paint   Painter // nil: no colors
}

// Write implements [io.Writer].
func (s *ScreenWriter) Write(p []byte) (int, error) {
	var out strings.Builder
	for line := range bytes.Lines(p) {
		var shown strings.Builder
		for _, span := range text.Spans(nil, bytes.TrimSuffix(line, []byte{'\n'}), s.Options) {
			shown.WriteString(span.Text)
		}
		if s.Paint != nil {
			out.WriteString(s.Paint(shown.String()))
		} else {
			out.WriteString(shown.String())
		}
		if bytes.HasSuffix(line, []byte{'\n'}) {
			out.WriteByte('\n')
		}
	}
	if _, err := io.WriteString(s.W, out.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// JSONWriter is ScreenWriter for lines of JSON: it escapes control characters as JSON does, so that the lines keep their meaning. Such
// characters occur only in JSON strings. Each write has whole characters.
type JSONWriter struct{ W io.Writer }

// Write implements [io.Writer].
func (j JSONWriter) Write(p []byte) (int, error) {
	var out []byte
	for _, r := range string(p) {
		switch {
		case r == '\n', ' ' <= r && r < 0x7f:
			out = append(out, byte(r))
		case r == utf8.RuneError || text.Clean(string(r)) != string(r):
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	if _, err := j.W.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
