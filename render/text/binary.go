package text

import "unicode/utf8"

// Bounds of the test for binary data, in bytes: how much of a file's start is examined, and how many non-text bytes it may contain
// however short it is.
const (
	binaryProbe = 8 << 10
	oddBytes    = 16
)

// Binary reports whether a file that begins with data is not text: more than a tenth of its first 8 KiB are control characters or invalid
// UTF-8. Everything that shows a file uses this rule. Unlike in git, a single NUL does not make a note binary: that would hide the rest
// of the note from its reader.
//
// Checks that must not be evaded, lint and the scan for secrets, examine more than this.
func Binary(data []byte) bool {
	head := data[:min(len(data), binaryProbe)]
	odd := 0
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		cut := i+utf8.UTFMax > len(head) && !utf8.FullRune(head[i:])
		if r == utf8.RuneError && size == 1 && !cut || r < ' ' && !textControl(r) {
			odd++
		}
		i += size
	}
	return odd > oddBytes && odd*10 > len(head)
}

// textControl reports whether a control character is normal in text; terminal logs have escapes.
func textControl(r rune) bool {
	switch r {
	case '\t', '\n', '\r', '\f', '\x1b':
		return true
	}
	return false
}
