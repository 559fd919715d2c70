package scrub

import "bytes"

// nearReach is how far from a word about passwords a text that can only be one is taken
// as one, in bytes to either side, in the same line.
const nearReach = 90

// nearby takes what stands in the line of a cue and is a password or a token beyond
// doubt, however the sentence is built: "changed from ... to ...", "type ... when it asks".
func (s *scan) nearby(kind cueKind, start, end int) {
	b := s.text
	from := max(lineStart(b, start, nearReach), s.nearEnd)
	to := lineEnd(b, end, nearReach)
	s.nearEnd = max(s.nearEnd, to)
	if !digitsWithin(b, from, to) {
		return
	}
	for at := from; at < to; {
		if !startsValue(b, at) {
			at++
			continue
		}
		stop := bareEnd(b, at)
		stop = trimmed(b, at, stop, true)
		if stop <= at {
			at++
			continue
		}
		v := b[at:stop]
		switch {
		case at < end && stop > start: // the cue itself
		case kind != cueSecret && kind != cueKey && unmistakable(v) && (kind != cueUser || bytes.IndexByte(v, '*') < 0) || kind != cueLogin && kind != cueUser && unmistakableToken(v, kind == cuePassword):
			if !isDummy(v) && !notASecret(v) && !s.isStop(v) && placeholderEnd(b, at) == 0 {
				s.detect(detectorOf[kind], at, stop)
			}
		}
		at = stop
	}
}

// digitsWithin reports whether a value that begins before to may have two digits: none
// goes on behind white space.
func digitsWithin(b []byte, from, to int) bool {
	n := 0
	for i := from; i < len(b) && (i < to || i < to+maxValue && b[i] > ' '); i++ {
		if digits[b[i]] {
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
	if c := b[at]; c <= ' ' || c >= 0x80 || c == '"' || c == '\'' || c == '`' || c == '(' || c == '[' || c == '<' || c == '*' || c == '-' || c == '|' {
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
	if len(v) < 7 || len(v) > 40 || v[0] == '#' && run(v, 1, hexes) == len(v) { // a colour
		return false
	}
	marks := 0
	for i, c := range v {
		switch c {
		case '!', '$', '^', '~', '*':
			marks++
		case '%':
			if i+2 < len(v) && hexes[v[i+1]] && hexes[v[i+2]] && uppers[v[i+2]] { // of a URL
				return false
			}
			marks++
		case '#', '&', '?', '@':
			if i+1 < len(v) || c == '#' {
				marks++
			}
			if rest := run(v, i+1, digits); c != '&' && rest == len(v) && i+1 < len(v) || c == '@' {
				return false // issue#12, name@2
			}
		case '=', '/', ':', '(', ')', '[', ']', '{', '}', '<', '>', '|', ',', ';', '\\':
			return false
		}
	}
	sh := shapeOf(v)
	return marks > 0 && sh.digit >= 2 && sh.letters() >= 3 && sh.soft <= 1
}

// unmistakableToken reports random letters of both cases with digits.
func unmistakableToken(v []byte, password bool) bool {
	least := 24
	if password {
		least = 10
	}
	sh := shapeOf(v)
	return len(v) >= least && len(v) <= 256 && !bytes.HasPrefix(v, []byte("AAAA")) && sh.soft+sh.symbol+sh.other == 0 && sh.digit >= 2 && sh.upper >= 2 && sh.lower >= 2 && !readable(v) && run(v, run(v, 0, letters), digits) < len(v) && entropy(v) > 2.8
}

// behindAddress takes the password that follows an address: "bob@corp.io / value".
func (s *scan) behindAddress(end int) {
	b := s.text
	at := run(b, end, spaceMarks)
	if word := wordEnd(b, at); at > end && word < len(b) && b[word] == ' ' && ands.has(b[at:word]) {
		s.passwordAt(run(b, word, openersBlank))
		return
	}
	if at >= len(b) || b[at] != '/' && b[at] != ':' && b[at] != '|' {
		return
	}
	at = run(b, at+1, spaceMarks)
	if stop := trimmed(b, at, bareEnd(b, at), true); stop > at && unmistakable(b[at:stop]) && !isDummy(b[at:stop]) {
		s.detect("password", at, stop)
	}
}

// secretBehind reports whether a password follows the colon behind an address, as in lists
// of leaked accounts, and no path on a host.
func (s *scan) secretBehind(at int) bool {
	b := s.text
	v := b[at:trimmed(b, at, bareEnd(b, at), true)]
	return len(v) >= 6 && bytes.IndexByte(v, '/') < 0 && bytes.IndexByte(v, '.') < 0 && s.judge(cuePassword, formBeside, at, at+len(v), false)
}

// headingOnly reports a line that holds nothing but a few words up to at: a title.
func headingOnly(b []byte, at int) bool {
	from := lineStart(b, at, 40)
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
	return len(line) > 0 && bytes.Count(line, []byte(" ")) <= 3 && run(line, 0, titleBytes) == len(line)
}

var titleBytes = makeSet("a-zA-Z \xc3\xa0-\xbf-")
