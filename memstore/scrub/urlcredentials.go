package scrub

import (
	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/shape"
)

// userinfo looks for name and password in front of a host: scheme://name:password@host.
func (s *scan) userinfo(start, at int) {
	b := s.text
	if start == 0 || !schemeBytes[b[start-1]] {
		return
	}
	limit := min(len(b), at+512)
	if at < len(b) && b[at] == '[' {
		return // the address of a host
	}
	colon := -1
	last := -1
	for i := at; i < limit; i++ {
		c := b[i]
		if urlEnds[c] || c >= 0x80 && shape.Latin(b[i:]) == 0 {
			break
		}
		if c == '/' && (last > 0 || colon < 0 || i > colon+1 && ascii.Run(b, colon+1, ascii.Digits) == i) || c == '?' && last > 0 {
			break
		}
		if c == ':' && colon < 0 {
			colon = i
		}
		if c == '@' {
			last = i
		}
	}
	if last < 0 {
		return
	}
	from := at
	if colon > 0 && colon < last {
		from = colon + 1
	} else if last-at < 16 {
		return // a name without a password
	}
	if last > from+2 && !judge.Ordinary(b[from:last]) {
		s.detect("url-credentials", Shaped, from, last)
	}
}

var schemeBytes = ascii.NewSet("a-zA-Z0-9+.-")

// urlEnds end a URL.
var urlEnds = ascii.NewSet("\x00- \"'`<>")
