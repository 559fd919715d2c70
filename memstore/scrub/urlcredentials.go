package scrub

import (
	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/shape"
)

// urls reads what comes before the host of a URL.
type urls struct{ reader }

var urlCredentials = detector{
	name: "url-credentials",
	rule: `
[class.url-credentials]
title = "password in a URL"
severity = "critical"
rotate = "Change the password of the account in the URL."

[[rule]]
id = "url-credentials"
class = "url-credentials"
detector = "url-credentials"
score = 95
examples = ["postgres://app:{alnum:12}@db.internal:5432/app"]
counterexamples = ["https://github.com/owner/repo", "postgres://user:password@localhost/db"]
`,
	words: func() []string { return []string{"://"} },
	begin: func(s *scan) reading { return (&urls{s.reader}).userinfo },
}

// userinfo looks for name and password in front of a host: scheme://name:password@host.
func (r *urls) userinfo(start, at int) {
	b := r.text
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
		if c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c >= 0x80 && shape.Latin(b[i:]) == 0 {
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
	if from > at+1 && last-from <= 5 && ascii.Run(b, from, ascii.Digits) == last && !hostFollows(b, last) {
		return // a port
	}
	if last > from+2 && !judge.Ordinary(b[from:last]) {
		r.found.detect("url-credentials", from, last)
	}
}

var schemeBytes = ascii.NewSet("a-zA-Z0-9+.-")
