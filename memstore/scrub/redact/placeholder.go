package redact

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// What replaces a value: "[REDACTED:class]" or "[REDACTED:class:tag]". The tag
// is a short hash, the last characters of a card, a domain or a number, never more: a
// placeholder is not scanned again, so it must not be able to hide a value.
const (
	Opening  = "[REDACTED:"
	MaxClass = 40
	maxTag   = 64
)

var (
	ClassBytes = ascii.NewSet("a-z0-9-")
	tagBytes   = ascii.NewSet("a-z0-9")
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
		if end = tagEnd(b, end+1); end == 0 {
			return 0
		}
	}
	if end >= len(b) || b[end] != ']' {
		return 0
	}
	return end + 1
}

// tagEnd is the end of a tag that begins at at, 0 for none.
func tagEnd(b []byte, at int) int {
	end := ascii.Run(b, at, tagBytes)
	if end < len(b) && b[end] == '@' && end == at {
		end = ascii.Run(b, at+1, ascii.HostBytes)
		if end-at < 4 || end-at > maxTag {
			return 0
		}
		return end
	}
	if end == at || end-at > 6 {
		return 0
	}
	return end
}
