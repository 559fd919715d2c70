package redact

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// What replaces a value: "REDACTED:class", "REDACTED-class" right behind a colon that separates fields, as in .pgpass, and
// "REDACTED:class:2" where a second key of one object needs a name of its own. YAML takes each for a text wherever a value may be. The
// class and the number are short: a placeholder is not scanned again, so it must not be able to hide a value.
const (
	Word     = "REDACTED"
	MaxClass = 40
)

var classBytes = ascii.NewSet("a-z0-9-")

// ValidClass reports whether a class may be called so.
func ValidClass(name string) bool {
	return name != "" && len(name) <= MaxClass && ascii.Run([]byte(name), 0, classBytes) == len(name)
}

// Placeholder is what replaces a value of a class.
func Placeholder(class string) string { return Word + ":" + class }

// PlaceholderEnd is the end of the placeholder that begins at at, 0 for none.
func PlaceholderEnd(b []byte, at int) int {
	from := at + len(Word) + 1
	if !bytes.HasPrefix(b[at:], []byte(Word)) || from >= len(b) || b[from-1] != ':' && b[from-1] != '-' {
		return 0
	}
	end := ascii.Run(b, from, classBytes)
	if end == from || end-from > MaxClass {
		return 0
	}
	if number := ascii.Run(b, min(end+1, len(b)), ascii.Digits); end < len(b) && b[end] == ':' && number > end+1 && number-end <= 7 {
		return number
	}
	return end
}

// InPlaceholder reports whether what begins at at is in the class or the number of a placeholder, also of one in small letters.
func InPlaceholder(b []byte, at int) bool {
	before := b[max(0, at-len(Word)-MaxClass-8):at]
	from := bytes.LastIndex(bytes.ToUpper(before), []byte(Word))
	return from >= 0 && ascii.Run(before, from+len(Word), inPlaceholder) == len(before)
}

var inPlaceholder = ascii.NewSet("a-z0-9:-")
