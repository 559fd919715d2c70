package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
)

// nearReach is how far from a word about passwords a text that can only be one is taken
// as one, in bytes to either side, in the same line.
const nearReach = 90

// nearby takes what stands in the line of a cue and is a password or a token beyond
// doubt, however the sentence is built: "changed from ... to ...", "type ... when it asks".
func (r *values) nearby(kind cueKind, start, end int) {
	b := r.text
	from := max(ascii.LineStart(b, start, nearReach), r.nearEnd)
	to := ascii.LineEnd(b, end, nearReach)
	r.nearEnd = max(r.nearEnd, to)
	if !digitsWithin(b, from, to) {
		return
	}
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
		case kind != cueSecret && kind != cueKey && unmistakable(v) && (kind != cueUser || bytes.IndexByte(v, '*') < 0) ||
			kind != cueLogin && kind != cueUser && unmistakableToken(v, kind == cuePassword):
			if !shape.IsDummy(v) && !notASecret(v) && !r.prose.isStop(v) && redact.PlaceholderEnd(b, at) == 0 {
				r.found.detect(detectorOf[kind], at, stop)
			}
		}
		at = stop
	}
}

// digitsWithin reports whether a value that begins before to may have two digits: none
// goes on behind white space.
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

// unmistakable reports three kinds of signs as only passwords mix them.
func unmistakable(v []byte) bool {
	if len(v) < 7 || len(v) > 40 || v[0] == '#' && ascii.Run(v, 1, ascii.Hexes) == len(v) { // a colour
		return false
	}
	marks := 0
	for i, c := range v {
		switch c {
		case '!', '$', '^', '~', '*':
			marks++
		case '%':
			if i+2 < len(v) && ascii.Hexes[v[i+1]] && ascii.Hexes[v[i+2]] && ascii.Uppers[v[i+2]] { // of a URL
				return false
			}
			marks++
		case '#', '&', '?', '@':
			if i+1 < len(v) || c == '#' {
				marks++
			}
			if rest := ascii.Run(v, i+1, ascii.Digits); c != '&' && rest == len(v) && i+1 < len(v) || c == '@' {
				return false // issue#12, name@2
			}
		case '=', '/', ':', '(', ')', '[', ']', '{', '}', '<', '>', '|', ',', ';', '\\':
			return false
		}
	}
	sh := shape.Of(v)
	return marks > 0 && sh.Digit >= 2 && sh.Letters() >= 3 && sh.Soft <= 1
}

// unmistakableToken reports random letters of both cases with digits.
func unmistakableToken(v []byte, password bool) bool {
	least := 24
	if password {
		least = 10
	}
	sh := shape.Of(v)
	return len(v) >= least && len(v) <= 256 && !bytes.HasPrefix(v, []byte("AAAA")) && sh.Soft+sh.Symbol+sh.Other == 0 && sh.Digit >= 2 &&
		sh.Upper >= 2 && sh.Lower >= 2 && !shape.Readable(v) && ascii.Run(v, ascii.Run(v, 0, ascii.Letters), ascii.Digits) < len(v) &&
		ascii.Entropy(v) > 2.8
}

// behindAddress takes the password that follows an address: "bob@corp.io / value".
func (r *values) behindAddress(end int) {
	b := r.text
	at := ascii.Run(b, end, spaceMarks)
	if word := wordEnd(b, at); at > end && word < len(b) && b[word] == ' ' && ands.Has(b[at:word]) {
		r.passwordAt(ascii.Run(b, word, openersBlank))
		return
	}
	if at >= len(b) || b[at] != '/' && b[at] != ':' && b[at] != '|' {
		return
	}
	at = ascii.Run(b, at+1, spaceMarks)
	if stop := shape.Trimmed(b, at, shape.BareEnd(b, at), true); stop > at && unmistakable(b[at:stop]) && !shape.IsDummy(b[at:stop]) {
		r.found.detect("password", at, stop)
	}
}

// secretBehind reports whether a password follows the colon behind an address, as in lists
// of leaked accounts, and no path on a host.
func (r *values) secretBehind(at int) bool {
	b := r.text
	v := b[at:shape.Trimmed(b, at, shape.BareEnd(b, at), true)]
	return len(v) >= 6 && bytes.IndexByte(v, '/') < 0 && bytes.IndexByte(v, '.') < 0 && r.judge(cuePassword, formBeside, at, at+len(v), false)
}

// headingOnly reports a line that holds nothing but a few words up to at: a title.
func headingOnly(b []byte, at int) bool {
	from := ascii.LineStart(b, at, 40)
	if at-from >= 40 {
		return false
	}
	line := bytes.TrimLeft(b[from:at], "> \t")
	if bytes.HasPrefix(line, []byte("[!")) { // a callout: "> [!note] title"
		line = line[bytes.IndexByte(line, ']')+1:]
	}
	line = bytes.TrimSpace(line)
	if n := len(line); n > 0 && line[n-1] >= 0xe2 || n > 2 && line[n-3] >= 0xe2 {
		return n <= 36 && !bytes.ContainsAny(line, "。、，：:") && bytes.Count(line, []byte(" ")) <= 2
	}
	return len(line) > 0 && bytes.Count(line, []byte(" ")) <= 3 && ascii.Run(line, 0, titleBytes) == len(line)
}

var titleBytes = ascii.NewSet("a-zA-Z \xc3\xa0-\xbf-")
