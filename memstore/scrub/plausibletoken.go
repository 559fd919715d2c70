package scrub

import "bytes"

// plausibleToken judges what follows the word for a key or token.
func plausibleToken(f form, v []byte, sh shape) bool {
	if len(v) < 8 || bytes.IndexByte(v, ' ') >= 0 || sh.letters() == 0 && len(v) < 20 || isCall(v) || sh.soft*3 >= len(v) || versioned(v) {
		return false
	}
	switch {
	case f == formAssigned && sh.digit > 0:
		return (len(v) >= 10 || sh.kinds() >= 3) && (!readable(v) || hardToken(v, sh)) && entropy(v) >= 2.5
	case f == formAssigned:
		return len(v) >= 16 && !readable(v) && entropy(v) >= 3.2
	case sh.letters() < 2 || readable(v) || sh.soft*6 > len(v) && (sh.soft*4 > len(v) || sh.digit < 2 || sh.upper < 2 || sh.lower < 2):
		return false
	case len(v) >= 16:
		e := entropy(v)
		return (e >= 3.4 || e >= 2.9 && run(v, 0, hexes) == len(v) && len(v) >= 24) && (sh.digit > 0 || sh.upper > 2 && sh.lower > 2)
	}
	return len(v) >= 10 && sh.digit >= 2 && (sh.soft == 0 || grouped(v)) && entropy(v) >= 2.9 && !hasWord(v)
}

// hasWord reports five letters in a row that a word may have.
func hasWord(v []byte) bool {
	for i := 0; i < len(v); i++ {
		end := run(v, i, letters)
		if end-i >= 5 && readable(v[i:end]) {
			return true
		}
		i = end
	}
	return false
}

// hardToken accepts words with numbers for a token, where they are the whole value of its
// key: no marks that join words, two digits, letters of both cases or a sign.
func hardToken(v []byte, sh shape) bool {
	return len(v) >= 10 && sh.digit >= 2 && sh.soft == 0 && (sh.upper > 0 && sh.lower > 0 || sh.symbol > 0 || letters[v[len(v)-1]] && sh.digit < 6) && !versioned(v)
}

// isCall recognises the source of a program: a call, an index, a path of names.
func isCall(v []byte) bool {
	i := bytes.IndexAny(v, "([{")
	return i > 0 && run(v, 0, names) == i
}

// versioned recognises a name with a version: "Apache-2.0", "tls1.3".
func versioned(v []byte) bool {
	n := run(v, 0, letters)
	return n >= 2 && n < len(v) && (n <= 6 || readable(v[:n])) && run(v, n, makeVersion) == len(v) && len(v)-n <= 8 && (n <= 4 || len(v)-n <= 2 || bytes.ContainsAny(v[n:], ".-"))
}

var makeVersion = makeSet("0-9.v-")

// plausibleSeed recognises base32.
func plausibleSeed(v []byte) bool {
	n := 0
	for _, c := range v {
		switch {
		case c == ' ' || c == '-':
		case c >= '2' && c <= '7' || letters[c] || c == '=':
			n++
		default:
			return false
		}
	}
	sh := shapeOf(v)
	return n >= 16 && n <= 128 && (sh.lower == 0 || sh.upper == 0 && (sh.digit > 0 || bytes.Count(v, []byte(" ")) == 3)) && !readable(v)
}

// seedEnd is the end of base32 in groups of four.
func seedEnd(b []byte, at int) int {
	end := run(b, at, alnums)
	if end-at != 4 && end < len(b) && (b[end] == ' ' || b[end] == '-') {
		return end // no first group
	}
	for end-at > 0 && end+4 < len(b) && (b[end] == ' ' || b[end] == '-') && run(b, end+1, sets["anyb32"]) == end+5 {
		end += 5
	}
	return end
}
