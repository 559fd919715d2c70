package syntax

import (
	"bytes"
	"encoding/json"
)

// indentMost is the maximum depth of indentation: the file decides its depth, and a row must not be all indentation.
const indentMost = 16

// IndentJSON lays out one JSON value over several lines. false: src is not a JSON value, or the result would exceed limit bytes.
func IndentJSON(src []byte, limit int) ([]byte, bool) {
	if !json.Valid(src) {
		return nil, false
	}
	out := make([]byte, 0, min(limit, len(src)+len(src)/2))
	depth := 0
	newline := func() {
		out = append(out, '\n')
		out = append(out, bytes.Repeat([]byte("  "), min(depth, indentMost))...)
	}
	for i := 0; i < len(src) && len(out) <= limit; {
		switch c := src[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
		case '"':
			end := stringEnd(src, i)
			out = append(out, src[i:end]...)
			i = end
		case '{', '[':
			out = append(out, c)
			i++
			for i < len(src) && bytes.IndexByte([]byte(" \t\r\n"), src[i]) >= 0 {
				i++
			}
			if src[i] == '}' || src[i] == ']' {
				out = append(out, src[i])
				i++
				continue
			}
			depth++
			newline()
		case '}', ']':
			depth--
			newline()
			out = append(out, c)
			i++
		case ',':
			out = append(out, c)
			newline()
			i++
		case ':':
			out = append(out, ": "...)
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	return out, len(out) <= limit
}

// stringEnd returns the offset after the JSON string that begins at i.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}
