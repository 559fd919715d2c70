package scrub

import "bytes"

// What stands in place of a value: "[REDACTED:class]" or "[REDACTED:class:tag]". The tag
// is a short hash, the last characters of a card, a domain or a number, never more: a
// placeholder is not looked into again, so it must not be able to hide a value.
const (
	opening  = "[REDACTED:"
	maxClass = 40
	maxTag   = 64
)

var (
	classBytes = makeSet("a-z0-9-")
	tagBytes   = makeSet("a-z0-9")
	hostBytes  = makeSet("a-zA-Z0-9.-")
)

func className(name string) bool {
	return name != "" && len(name) <= maxClass && run([]byte(name), 0, classBytes) == len(name)
}

// placeholderEnd is the end of the placeholder that begins at at, 0 where there is none.
func placeholderEnd(b []byte, at int) int {
	if !bytes.HasPrefix(b[at:], []byte(opening)) {
		return 0
	}
	from := at + len(opening)
	end := run(b, from, classBytes)
	if end == from || end-from > maxClass || end >= len(b) {
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

// tagEnd is the end of a tag that begins at at, 0 where there is none.
func tagEnd(b []byte, at int) int {
	end := run(b, at, tagBytes)
	if end < len(b) && b[end] == '@' && end == at {
		end = run(b, at+1, hostBytes)
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

// placeholders are the spans of those that stand in text already.
func placeholders(text []byte) []candidate {
	var out []candidate
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(opening))
		if i < 0 {
			return out
		}
		at += i
		if end := placeholderEnd(text, at); end > 0 {
			out = append(out, candidate{start: at, end: end})
			at = end
			continue
		}
		at += len(opening)
	}
}
