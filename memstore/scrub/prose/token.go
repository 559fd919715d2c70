package prose

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// PlausibleToken judges what follows the word for a key or token.
func PlausibleToken(f Form, v []byte, sh shape.Shape) bool {
	if len(v) < 8 || bytes.IndexByte(v, ' ') >= 0 || sh.Letters() == 0 && len(v) < 20 || isCall(v) || sh.Soft*3 >= len(v) || Versioned(v) {
		return false
	}
	switch {
	case f == Assigned && sh.Digit > 0:
		return (len(v) >= 10 || sh.Kinds() >= 3) && (!shape.Readable(v) || HardToken(v, sh)) && ascii.Entropy(v) >= 2.5
	case f == Assigned:
		return len(v) >= 16 && !shape.Readable(v) && ascii.Entropy(v) >= 3.2
	case sh.Letters() < 2 || shape.Readable(v) || sh.Soft*6 > len(v) && (sh.Soft*4 > len(v) || sh.Digit < 2 || sh.Upper < 2 || sh.Lower < 2):
		return false
	case len(v) >= 16:
		e := ascii.Entropy(v)
		return (e >= 3.4 || e >= 2.9 && ascii.Run(v, 0, ascii.Hexes) == len(v) && len(v) >= 24) && (sh.Digit > 0 || sh.Upper > 2 && sh.Lower > 2)
	}
	return len(v) >= 10 && sh.Digit >= 2 && (sh.Soft == 0 || Grouped(v)) && ascii.Entropy(v) >= 2.9
}

// isPublic recognises base64 of a certificate or a public key in PEM.
func isPublic(v []byte) bool {
	return bytes.HasPrefix(v, []byte("LS0tLS1CRUdJTiBDRVJU")) || bytes.HasPrefix(v, []byte("LS0tLS1CRUdJTiBQVUJMSUM"))
}

// HardToken accepts words with numbers for a token, where they are the whole value of its
// key: no marks that join words, two digits, letters of both cases or a sign.
func HardToken(v []byte, sh shape.Shape) bool {
	return len(v) >= 10 && sh.Digit >= 2 && sh.Soft == 0 && (sh.Upper > 0 && sh.Lower > 0 || sh.Symbol > 0 ||
		ascii.Letters[v[len(v)-1]] && sh.Digit < 6) && !Versioned(v)
}

// isCall recognises the source of a program: a call, an index, a path of names.
func isCall(v []byte) bool {
	i := bytes.IndexAny(v, "([{")
	return i > 0 && ascii.Run(v, 0, ascii.NameBytes) == i
}

// Versioned recognises a name with a version: "Apache-2.0", "tls1.3".
func Versioned(v []byte) bool {
	n := ascii.Run(v, 0, ascii.Letters)
	return n >= 2 && n < len(v) && (n <= 6 || shape.Readable(v[:n])) && ascii.Run(v, n, makeVersion) == len(v) && len(v)-n <= 8 &&
		(n <= 4 || len(v)-n <= 2 || bytes.ContainsAny(v[n:], ".-"))
}

var makeVersion = ascii.NewSet("0-9.v-")

// plausibleSeed recognises base32.
func plausibleSeed(v []byte) bool {
	n := 0
	for _, c := range v {
		switch {
		case c == ' ' || c == '-':
		case c >= '2' && c <= '7' || ascii.Letters[c] || c == '=':
			n++
		default:
			return false
		}
	}
	sh := shape.Of(v)
	return n >= 16 && n <= 128 && (sh.Lower == 0 || sh.Upper == 0 && (sh.Digit > 0 || bytes.Count(v, []byte(" ")) == 3)) && !shape.Readable(v)
}

// SeedEnd is the end of base32 in groups of four.
func SeedEnd(b []byte, at int) int {
	end := ascii.Run(b, at, ascii.Alnums)
	if end-at != 4 && end < len(b) && (b[end] == ' ' || b[end] == '-') {
		return end // no first group
	}
	for end-at > 0 && end+4 < len(b) && (b[end] == ' ' || b[end] == '-') && ascii.Run(b, end+1, ascii.Named["anyb32"]) == end+5 {
		end += 5
	}
	return end
}
