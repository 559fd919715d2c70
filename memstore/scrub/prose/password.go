package prose

import (
	"bytes"

	"unicode"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// WideWord is the end of a word in a script without ASCII letters and a number, which
// fill the rest of a line; 0 for none, or the number is a year.
func WideWord(b []byte, at int) int {
	i := at
	for i < len(b) && b[i] >= 0x80 && i-at < 40 {
		r, n := utf8.DecodeRune(b[i:])
		if !unicode.IsLetter(r) {
			return 0
		}
		i += n
	}
	end := ascii.Run(b, i, ascii.Digits)
	if n := end - i; i == at || n < 3 || n == 4 && (ascii.HasLiteral(b, i, "19") || ascii.HasLiteral(b, i, "20")) {
		return 0
	}
	if end < len(b) && b[end] != '\n' && b[end] != '\r' {
		return 0
	}
	return end
}

// Unmistakable reports three kinds of signs as only passwords mix them.
func Unmistakable(v []byte) bool {
	if len(v) < 7 || len(v) > 40 || v[0] == '#' && ascii.Run(v, 1, ascii.Hexes) == len(v) ||
		(v[0] == '#' || v[0] == '$') && ascii.Digits[v[1]] { // a colour, #64-Ubuntu, $10$-bit
		return false
	}
	marks := 0
	for i, c := range v {
		switch c {
		case '!', '$', '^', '~', '*':
			marks++
		case '%':
			if i == len(v)-1 && i > 0 && ascii.Digits[v[i-1]] { // a share: Amplitude-10%
				return false
			}
			if i+2 < len(v) && v[i+1] == '2' && v[i+2] == '0' { // a blank of a URL
				return false
			}
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

// UnmistakableToken reports random letters of both cases with digits.
func UnmistakableToken(v []byte, password bool) bool {
	least := 24
	if password {
		least = 10
	}
	sh := shape.Of(v)
	return len(v) >= least && len(v) <= 256 && !bytes.HasPrefix(v, []byte("AAAA")) && sh.Soft+sh.Symbol+sh.Other == 0 && sh.Digit >= 2 &&
		sh.Upper >= 2 && sh.Lower >= 2 && !shape.Readable(v) && ascii.Run(v, ascii.Run(v, 0, ascii.Letters), ascii.Digits) < len(v) &&
		ascii.Entropy(v) > 2.8
}

// Between are short words of sentences that no list of words for phrases has.
var Between = ascii.NewWords(`the and for are was not but has had were been its who how why via der die das und ist les des una los las
 est son from both with into them their which been being those these your our most some such than plus`)

// Scattered reports letters of both cases in no order that words have.
func Scattered(v []byte, sh shape.Shape) bool {
	return len(v) >= 8 && sh.Upper >= 2 && sh.Lower >= 2 && sh.Letters() == len(v) && !shape.Readable(v)
}

// unspeakable reports small letters that none of the supported languages has in this order.
func unspeakable(v []byte, sh shape.Shape) bool {
	return len(v) >= 8 && sh.Lower == len(v) && !shape.Readable(v) && !Pronounceable(string(v))
}

// capitalised reports one capital letter at the start of a word.
func capitalised(v []byte) bool {
	return ascii.Uppers[v[0]] && WordEnd(v, 1) == len(v) && shape.Of(v).Upper == 1
}

// HyphenWords counts the words of "correct-horse-battery-staple".
func HyphenWords(v []byte) int {
	n, long := 0, 0
	for _, c := range v {
		switch {
		case ascii.Letters[c] || ascii.Digits[c]:
			long++
		case c == '-' || c == '_' || c == '.' || c == ' ':
			if long < 2 {
				return 0
			}
			n, long = n+1, 0
		default:
			return 0
		}
	}
	if long < 2 {
		return 0
	}
	return n + 1
}

// plainWords reports two to ten words of small letters, none of those that hold sentences together or speak about secrets.
func (p *Reader) plainWords(v []byte) bool {
	n := 0
	for w := range bytes.FieldsSeq(v) {
		if n++; len(w) < 3 || ascii.Run(w, 0, ascii.Lowers) < len(w) || p.IsStop(w) || small.Has(w) || Between.Has(w) {
			return false
		}
	}
	return n >= 2 && n <= 10
}

// isPassphrase recognises a password of words, in quotes: it has none of those that hold sentences together, and a word that is
// mixed as only passwords mix them.
func isPassphrase(v []byte) bool {
	words, mixed := 0, false
	for w := range bytes.FieldsSeq(v) {
		if words++; small.Has(w) || Between.Has(w) || bytes.HasPrefix(w, []byte("--")) {
			return false
		}
		sh := shape.Of(w)
		mixed = mixed || sh.Digit > 0 && sh.Letters() > 0 && !Versioned(w) || sh.Digit > 0 && sh.Symbol > 0 || Scattered(w, sh)
	}
	return mixed && words <= 10
}

// small are the words of sentences: a passphrase has none.
var small = ascii.NewWords(`le la les de du des un une et est votre das der die den ein eine und ist mit für bitte el los las una y es
 tu su con para por min max a an and as at be by can do for from has have if in is it its must no not of on or see the then this to use
 used was will with you your`)

// wordish recognises a word with a number, a list with slashes, an abbreviation.
func wordish(v []byte, sh shape.Shape) bool {
	if sh.Symbol > 0 || sh.Other > 0 {
		return sh.Symbol == 1 && sh.Digit == 0 && (v[len(v)-1] == '!' || v[len(v)-1] == '?' || v[len(v)-1] == '%' ||
			bytes.IndexByte(v, '=') > 0 || bytes.IndexByte(v, ':') > 0 || bytes.IndexByte(v, '+') > 0 || bytes.IndexByte(v, '&') > 0 ||
			bytes.IndexByte(v, '(') >= 0)
	}
	if sh.Soft > 0 {
		return sh.Digit < 2 || sh.Lower == 0 || sh.Digit*3 > len(v)*2 || sh.Soft > 2
	}
	return sh.Digit == 1 && sh.Upper <= 1 && len(v) < 8 || sh.Lower == 0 && len(v) < 8
}

// isBracketed recognises "[--flag]", "{name}", "map[string]any", "f(x)".
func isBracketed(v []byte) bool {
	last := v[len(v)-1]
	if (v[0] == '[' || v[0] == '{') && (v[1] == ']' || v[1] == '}' || ascii.Run(v, 1, ascii.Letters) == len(v)) {
		return true
	}
	if last != ']' && last != '}' && last != ')' {
		return bytes.IndexByte(v, '{') >= 0 && bytes.IndexByte(v, '}') > 0
	}
	i := bytes.IndexAny(v, "([{")
	return i == 0 || i > 0 && ascii.Run(v, 0, ascii.NameBytes) == i
}

// numberedWord recognises "tiger(475)": a call has no such argument, in quotes the less.
func numberedWord(v []byte) bool {
	i := bytes.IndexByte(v, '(')
	return i > 0 && len(v)-i > 4 && v[len(v)-1] == ')' && ascii.Run(v, i+1, ascii.Digits) == len(v)-1
}

// Grouped reports three or more groups with dashes between: random ones of one length, or
// words with a number among them. Names of things have one word or number of each kind.
func Grouped(v []byte) bool {
	groups := bytes.Split(v, []byte("-"))
	if len(groups) < 3 || len(groups) > 8 {
		return false
	}
	even, words, numbers, sh := true, 0, 0, shape.Of(v)
	for _, g := range groups {
		if len(g) < 2 || ascii.Run(g, 0, ascii.Alnums) < len(g) {
			return false
		}
		even = even && len(g) == len(groups[0])
		switch {
		case len(g) <= 3 && ascii.Run(g, 0, ascii.Digits) == len(g):
			numbers++
		case len(g) >= 4 && ascii.Run(g, 0, ascii.Letters) == len(g):
			words++
		}
	}
	if len(groups) > 3 && numbers == 1 && words == len(groups)-1 {
		return true
	}
	return even && len(groups[0]) >= 3 && (sh.Digit >= 2 && sh.Letters() >= 3 || sh.Upper >= 3 && sh.Lower >= 3 || sh.Lower == 0) &&
		sh.Letters() > 0 && !shape.Readable(v)
}
