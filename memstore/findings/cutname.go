package findings

import (
	"bytes"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
)

// How much of a value at the place where a name was cut is a part of it, in bytes; values of words need more, since other names have the
// same words.
const (
	cutBytes       = 8
	cutPhraseBytes = 12
	longestName    = 4 << 10
)

// cleanCutName removes from a name the beginnings of values that end where the name of a record was cut: other programs' names become
// names of files, which are shorter and can't have every character.
func (s *Scrubber) cleanCutName(name []byte) []byte {
	if _, ok := s.Store.Backend().(memstore.Redactor); !ok || len(name) > longestName {
		return name
	}
	var found []scrub.Finding
	for _, value := range s.peculiar {
		least := cutBytes
		if strings.ContainsRune(value, ' ') || !strings.ContainsAny(value, "0123456789") {
			least = cutPhraseBytes
		}
		for at := range name {
			from, n := alike(name[at:], value)
			end := at + from
			if n < len(value) && (n < least || !isCutAt(name[end:])) {
				continue
			}
			found = append(found, scrub.Finding{Start: at, End: end, Class: s.accept[value], Rule: "repeat", Score: 100})
		}
	}
	if len(found) == 0 {
		return name
	}
	slices.SortFunc(found, func(a, b scrub.Finding) int { return a.Start - b.Start })
	return s.Engine.Redact("", name, scrub.Merge(found, nil))
}

// alike is how many bytes at the start of a name stand for the first n bytes of a value: adapters write a character that no name may have
// as a dash, a blank or =XX.
func alike(name []byte, value string) (bytesOfName, n int) {
	const hexDigits = "0123456789ABCDEF"
	at := 0
	for n = 0; n < len(value) && at < len(name); n++ {
		c := value[n]
		switch rest := name[at:]; {
		case rest[0] == c:
			at++
		case len(rest) >= 3 && rest[0] == '=' && rest[1] == hexDigits[c>>4] && rest[2] == hexDigits[c&15]:
			at += 3
		case rest[0] == '-' && strings.IndexByte(`/\[]|%,"`, c) >= 0:
			at++
		default:
			return at, n
		}
	}
	return at, n
}

// isCutAt reports whether a name of a file, or a segment of a path, may have been cut before what follows: its end, its extension, the
// number or the digest that tells it from others, or the end of an ID.
func isCutAt(rest []byte) bool {
	return len(rest) == 0 || bytes.IndexByte([]byte("/.~ "), rest[0]) >= 0
}
