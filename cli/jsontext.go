package cli

import (
	"io"
	"unicode/utf8"

	"memcurator/cli/output"
)

// jsonText writes text as the contents of a JSON string, with the same bytes as encoding/json with SetEscapeHTML(false): invalid UTF-8
// becomes \ufffd. It holds a few hundred kilobytes at most, whatever the length of the text.
type jsonText struct {
	w    io.Writer
	sent bool   // something was written to w
	err  error  // of w
	text []byte // not yet escaped
	out  []byte // not yet written
}

// jsonBlock is how much text to escape at once, in bytes. A byte becomes at most six.
const jsonBlock = 32 << 10

// Reset begins a new line on w with head, unescaped.
func (j *jsonText) Reset(w io.Writer, head []byte) {
	if j.text == nil {
		j.text = make([]byte, 0, jsonBlock)
	}
	j.w, j.sent, j.err = w, false, nil
	j.text, j.out = j.text[:0], append(j.out[:0], head...)
}

// Write implements [io.Writer].
func (j *jsonText) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), jsonBlock-len(j.text))
		j.text = append(j.text, rest[:n]...)
		rest = rest[n:]
		if len(j.text) < jsonBlock {
			break
		}
		// Never split a character: its first byte waits for the others.
		whole := len(j.text) - output.CutOff(j.text)
		j.out = appendJSON(j.out, j.text[:whole])
		j.text = append(j.text[:0], j.text[whole:]...)
		if err := j.flush(); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// End writes the rest of the text, then tail, unescaped.
func (j *jsonText) End(tail string) error {
	j.out = append(appendJSON(j.out, j.text), tail...)
	j.text = j.text[:0]
	return j.flush()
}

func (j *jsonText) flush() error {
	if j.err == nil {
		j.sent = true
		_, j.err = j.w.Write(j.out)
	}
	j.out = j.out[:0]
	return j.err
}

// appendJSON appends text as the contents of a JSON string.
func appendJSON(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	start := 0 // of the bytes that need no escape
	for i := 0; i < len(text); {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(text[i:])
		}
		if c >= ' ' && c != '"' && c != '\\' && c != '\u2028' && c != '\u2029' && (c != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		dst = append(dst, text[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', byte(c))
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default: // and the line separators of JavaScript
			dst = append(dst, '\\', 'u', hex[c>>12], hex[c>>8&15], hex[c>>4&15], hex[c&15])
		}
		i += size
		start = i
	}
	return append(dst, text[start:]...)
}
