package redact

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// What replaces a value: "[REDACTED:class]", or "[REDACTED:class:2]" where a second key of one object needs a name of
// its own. The number is short: a placeholder is not scanned again, so it must not be able to hide a value.
const (
	Opening  = "[REDACTED:"
	MaxClass = 40
)

var (
	ClassBytes = ascii.NewSet("a-z0-9-")
)

// ValidClass reports whether a class may be called so.
func ValidClass(name string) bool {
	return name != "" && len(name) <= MaxClass && ascii.Run([]byte(name), 0, ClassBytes) == len(name)
}

// PlaceholderEnd is the end of the placeholder that begins at at, 0 for none.
func PlaceholderEnd(b []byte, at int) int {
	if !bytes.HasPrefix(b[at:], []byte(Opening)) {
		return 0
	}
	from := at + len(Opening)
	end := ascii.Run(b, from, ClassBytes)
	if end == from || end-from > MaxClass || end >= len(b) {
		return 0
	}
	if b[end] == ':' {
		number := end + 1
		if end = ascii.Run(b, number, ascii.Digits); end == number || end-number > 6 {
			return 0
		}
	}
	if end >= len(b) || b[end] != ']' {
		return 0
	}
	return end + 1
}
