package rawjson

import (
	"encoding/binary"
	"math/bits"
)

// Words of eight bytes with the lowest and with the highest bit of each set.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// deepestJSON is how deep a JSON value may be nested, as encoding/json has it.
const deepestJSON = 10_000

// Valid reports whether p is one JSON value, just as [encoding/json.Valid] does and several times as fast:
// transcripts are long strings.
func Valid(p []byte) bool {
	c := checker{p: p}
	i := SkipSpace(p, 0)
	for {
		end, opened := c.Value(i)
		if end < 0 {
			return false
		}
		i = SkipSpace(p, end)
		if !opened {
			if i, opened = c.after(i); i < 0 {
				return false
			}
			if !opened {
				return i == len(p)
			}
		}
	}
}

// checker walks over a JSON value. Its methods take an offset and return the next one, -1 where the text is not JSON.
type checker struct {
	p    []byte
	open []byte // '{' and '[' that are open
}

// Value passes a value, or the bracket that opens one; opened: a value comes next.
func (c *checker) Value(i int) (end int, opened bool) {
	if i >= len(c.p) {
		return -1, false
	}
	switch b := c.p[i]; b {
	case '"':
		return stringPast(c.p, i+1), false
	case '{', '[':
		if len(c.open) == deepestJSON {
			return -1, false
		}
		i = SkipSpace(c.p, i+1)
		if i < len(c.p) && c.p[i] == b+2 {
			return i + 1, false // it is empty
		}
		c.open = append(c.open, b)
		if b == '{' {
			i = c.Key(i)
		}
		return i, true
	case 't':
		return c.word(i, "true"), false
	case 'f':
		return c.word(i, "false"), false
	case 'n':
		return c.word(i, "null"), false
	}
	return numberPast(c.p, i), false
}

// after skips what may follow a value: closing brackets, or a comma; opened: a value comes next.
func (c *checker) after(i int) (end int, opened bool) {
	for len(c.open) > 0 {
		if i >= len(c.p) {
			return -1, false
		}
		top := c.open[len(c.open)-1]
		switch c.p[i] {
		case top + 2: // the bracket that closes it
			c.open = c.open[:len(c.open)-1]
			i = SkipSpace(c.p, i+1)
			continue
		case ',':
			if i = SkipSpace(c.p, i+1); top == '{' {
				i = c.Key(i)
			}
			return i, true
		}
		return -1, false
	}
	return i, false
}

// Key passes a key and its colon.
func (c *checker) Key(i int) int {
	if i >= len(c.p) || c.p[i] != '"' {
		return -1
	}
	if i = stringPast(c.p, i+1); i < 0 {
		return -1
	}
	if i = SkipSpace(c.p, i); i >= len(c.p) || c.p[i] != ':' {
		return -1
	}
	return SkipSpace(c.p, i+1)
}

func (c *checker) word(i int, word string) int {
	if end := i + len(word); end <= len(c.p) && string(c.p[i:end]) == word {
		return end
	}
	return -1
}

// numberPast is the offset behind a number, -1 for none.
func numberPast(p []byte, i int) int {
	if i < len(p) && p[i] == '-' {
		i++
	}
	if i < len(p) && p[i] == '0' {
		i++
	} else if i = digitsPast(p, i); i < 0 {
		return -1
	}
	if i < len(p) && p[i] == '.' {
		if i = digitsPast(p, i+1); i < 0 {
			return -1
		}
	}
	if i < len(p) && (p[i] == 'e' || p[i] == 'E') {
		if i++; i < len(p) && (p[i] == '+' || p[i] == '-') {
			i++
		}
		return digitsPast(p, i)
	}
	return i
}

func digitsPast(p []byte, i int) int {
	start := i
	for i < len(p) && '0' <= p[i] && p[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// stringPast is the offset behind the string whose inside begins at i, -1 where it does not end or
// is not allowed.
func stringPast(p []byte, i int) int {
	for i < len(p) {
		if i+8 <= len(p) {
			found := specials(binary.LittleEndian.Uint64(p[i : i+8]))
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
		}
		for i+1 < len(p) && p[i] == '\\' { // they come in runs
			n := 2
			if !escapes[p[i+1]] {
				if n = escapeLen(p[i:]); n == 0 {
					return -1
				}
			}
			i += n
		}
		switch {
		case i == len(p) || p[i] < ' ' || p[i] == '\\':
			return -1
		case p[i] == '"':
			return i + 1
		}
		i++
	}
	return -1
}

// specials marks the bytes of a word that are more than themselves in a string: quotes, backslashes and control
// characters. The lowest mark is right, whatever those above it say.
func specials(w uint64) uint64 {
	quote, slash := w^('"'*lowBits), w^('\\'*lowBits)
	return ((quote-lowBits)&^quote | (slash-lowBits)&^slash | (w-' '*lowBits)&^w) & highBits
}

// special is the offset of the next byte that is more than itself in a string: a quote, a backslash, a
// control character; len(p) where there is none.
func special(p []byte, i int) int {
	for ; i+8 <= len(p); i += 8 {
		if found := specials(binary.LittleEndian.Uint64(p[i : i+8])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(p); i++ {
		if c := p[i]; c == '"' || c == '\\' || c < ' ' {
			return i
		}
	}
	return len(p)
}

// escapeLen is the length of the escape that p begins with, 0 where it is none.
func escapeLen(p []byte) int {
	if len(p) < 2 || p[0] != '\\' {
		return 0
	}
	if escapes[p[1]] {
		return 2
	}
	if _, ok := hexUnit(p); ok {
		return 6
	}
	return 0
}

// escapes are the bytes that may follow a backslash, without u.
var escapes = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// hexUnit is the code unit of the escape \uXXXX that p begins with.
func hexUnit(p []byte) (unit rune, ok bool) {
	if len(p) < 6 || p[0] != '\\' || p[1] != 'u' {
		return 0, false
	}
	for _, c := range p[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|' ' && c|' ' <= 'f':
			c = c | ' ' - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}
