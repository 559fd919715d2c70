package text

import (
	"bytes"
	"unicode/utf8"
)

// binaryProbe is how many bytes from the start of a file are judged.
const binaryProbe = 8 << 10

// Binary reports whether a file that begins with data cannot be read as lines of text: its first
// 8 KiB hold a NUL, or more than one byte in eight is not part of a character.
func Binary(data []byte) bool {
	head := data[:min(len(data), binaryProbe)]
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	invalid := 0
	for rest := head; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			invalid++
		}
		rest = rest[n:]
	}
	return invalid > len(head)/8+utf8.UTFMax
}
