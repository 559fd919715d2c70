package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
)

// nearReach is how far from a word about passwords a text that can only be one is taken
// as one, in bytes to either side, in the same line.
const nearReach = 90

// nearby takes what is in the line of a cue and is a password or a token beyond
// doubt, however the sentence is built: "changed from ... to ...", "type ... when it asks".
func (r *values) nearby(kind prose.Kind, start, end int) {
	b := r.text
	from := max(ascii.LineStart(b, start, nearReach), r.nearEnd)
	to := ascii.LineEnd(b, end, nearReach)
	r.nearEnd = max(r.nearEnd, to)
	if !digitsWithin(b, from, to) {
		return
	}
	weak := prose.IsWeak(b[start:end])
	for at := from; at < to; {
		if !startsValue(b, at) {
			at++
			continue
		}
		stop := shape.BareEnd(b, at)
		stop = shape.Trimmed(b, at, stop, true)
		if stop <= at {
			at++
			continue
		}
		v := b[at:stop]
		switch {
		case at < end && stop > start: // the cue itself
		case kind != prose.Secret && kind != prose.Key && prose.Unmistakable(v) && (kind != prose.User || !bytes.ContainsAny(v, "*%")) ||
			(kind != prose.Login || ascii.HasFold(b[start:end], "authenticate")) && kind != prose.User &&
				prose.UnmistakableToken(v, kind == prose.Password):
			if weak && bytes.Contains(b[min(end, at):max(at, end)], []byte(". ")) {
				break // the sentence after a test that passes
			}
			if !shape.IsDummy(v) && !prose.NotASecret(v) && !r.prose.IsStop(v) && redact.PlaceholderEnd(b, at) == 0 {
				r.found.announced(detectorOf[kind], nearby, at, stop)
			}
		}
		at = stop
	}
}

// digitsWithin reports whether a value that begins before to may have two digits: none
// continues after white space.
func digitsWithin(b []byte, from, to int) bool {
	n := 0
	for i := from; i < len(b) && (i < to || i < to+shape.MaxValue && b[i] > ' '); i++ {
		if ascii.Digits[b[i]] {
			if n++; n == 2 {
				return true
			}
		}
	}
	return false
}

// startsValue reports whether a value can begin at at: a letter, digit or sign behind
// white space, a quote, a bracket or a script without spaces.
func startsValue(b []byte, at int) bool {
	if c := b[at]; c <= ' ' || c >= 0x80 || c == '"' || c == '\'' || c == '`' || c == '(' || c == '[' || c == '<' || c == '*' ||
		c == '-' || c == '|' {
		return false
	}
	if at == 0 {
		return true
	}
	switch c := b[at-1]; c {
	case ' ', '\t', '\n', '"', '\'', '`', '(', '[', '<', '*', '|', '=':
		return true
	default:
		return c >= 0x80
	}
}

// behindAddress takes the password that follows an address: "bob@corp.io / value".
func (r *values) behindAddress(end int) {
	b := r.text
	at := ascii.Run(b, end, prose.SpaceMarks)
	if word := prose.WordEnd(b, at); at > end && word < len(b) && b[word] == ' ' && prose.Ands.Has(b[at:word]) {
		r.passwordAt(ascii.Run(b, word, prose.OpenersBlank))
		return
	}
	if at >= len(b) || b[at] != '/' && b[at] != ':' && b[at] != '|' {
		return
	}
	at = ascii.Run(b, at+1, prose.SpaceMarks)
	if stop := shape.Trimmed(b, at, shape.BareEnd(b, at), true); stop > at && prose.Unmistakable(b[at:stop]) && !shape.IsDummy(b[at:stop]) {
		r.found.announced("password", nearby, at, stop)
	}
}

// secretBehind reports whether a password follows the colon behind an address, as in lists
// of leaked accounts, and no path on a host.
func (r *values) secretBehind(at int) bool {
	b := r.text
	v := b[at:shape.Trimmed(b, at, shape.BareEnd(b, at), true)]
	return len(v) >= 6 && bytes.IndexByte(v, '/') < 0 && bytes.IndexByte(v, '.') < 0 &&
		r.judge(prose.Password, prose.Beside, at, at+len(v), false)
}

// passwordAt takes a word that is built as passwords are, letters with digits and signs or in
// random groups, where a weak word has announced one.
func (r *values) passwordAt(at int) bool {
	b := r.text
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), true)
	if end-at < 7 || end-at > 40 {
		return false
	}
	v := b[at:end]
	sh := shape.Of(v)
	if sh.Letters() < 3 || !(sh.Symbol > 0 && sh.Digit > 0 || prose.UnmistakableToken(v, true) || prose.Grouped(v)) || !prose.EndsClause(v) ||
		!r.prose.Plausible(prose.Password, prose.Beside, v, false) {
		return false
	}
	r.found.announced("password", beside, at, end)
	return true
}
