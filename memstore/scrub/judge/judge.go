// Package judge decides whether a text that a word announces may be a password, a token, a PIN or a seed.
//
// It gets a value and how it was announced, and knows nothing of the text around it. What is never one, such as a date, a
// version or a path, is in the table of ordinary.go: a false alarm is a row there.
package judge

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
)

// Judge knows which words are about secrets and never one themselves. It is safe for concurrent use.
type Judge struct {
	Stop *ascii.Words // lower case
}

// Strength says how little a text looks like anything but a password or a token, whatever announces it.
type Strength uint8

// The strengths, the least first.
const (
	Word    Strength = iota // a word, an identifier
	Name                    // a name with a number, a number, words with hyphens
	Mixed                   // letters with digits or signs, as passwords are; letters in no order that words have
	Certain                 // nothing else is built like it
)

// Accepts reports whether v may be a value of a kind that was announced in a form. Quoted values may hold blanks.
func (j *Judge) Accepts(kind Kind, form Form, v []byte, quoted bool) bool {
	if len(v) < 4 || len(v) > shape.MaxValue || bytes.HasPrefix(v, []byte(redact.Word)) {
		return false
	}
	sh := shape.Of(v)
	switch kind {
	case PIN:
		signs := len(v) - sh.Digit // 4711#
		if form == Near || sh.Digit < 4 || len(v) > 12 || signs > 1 {
			return false
		}
	case TOTP:
		if !isSeed(v, sh) {
			return false
		}
	case Password, Login:
		if !acceptsPassword(kind, form, v, sh, quoted) {
			return false
		}
	default:
		if !acceptsToken(form, v, sh) {
			return false
		}
	}
	return !j.IsStop(v) && (kind == PIN || !Ordinary(v))
}

// acceptsPassword asks the more of a password the looser it was announced.
func acceptsPassword(kind Kind, form Form, v []byte, sh shape.Shape, quoted bool) bool {
	if bytes.IndexByte(v, ' ') >= 0 {
		return quoted && form < Near && isPassphrase(v)
	}
	if sh.Other > 0 && sh.Letters()+sh.Digit < 4 && v[0] >= 0xe2 {
		return false
	}
	strength := StrengthOf(v)
	switch form {
	case Assigned:
		return strength > Word || len(v) >= 6 && quoted && sh.Lower > 0
	case Copula:
		isNumber := sh.Digit == len(v) && len(v) >= 6 && !shape.IsDay(v)
		isName := strength == Name && sh.Digit > 0 && sh.Upper > 0 && sh.Lower > 0 && sh.Soft == 0 && len(v) >= 6 // Winter2023
		return strength >= Mixed && len(v) >= 5 || isName || isNumber
	case Beside:
		return strength == Certain || strength == Mixed && len(v) >= 6 || sh.Digit == len(v) && len(v) >= 6 && len(v) <= 12 && !shape.IsDay(v)
	default:
		return isUnmistakable(v) || kind == Password && strength == Certain
	}
}

// StrengthOf judges a text by its characters alone.
func StrengthOf(v []byte) Strength {
	sh := shape.Of(v)
	letters := sh.Letters()
	switch {
	case isUnmistakable(v), IsRandom(v):
		return Certain
	case isGrouped(v), sh.Lower == len(v) && isScattered(v):
		return Mixed
	case letters+sh.Other+sh.Soft == len(v):
		if bytes.Count(v, []byte("-")) >= 3 {
			return Mixed // correct-horse-battery-staple
		}
		return Word
	case sh.Digit == len(v), isNumberedName(v, sh):
		return Name
	case sh.Digit > 0 && letters+sh.Other > 0:
		return Mixed
	}
	return Name
}

// isScattered reports small letters in an order that words don't have.
func isScattered(v []byte) bool { return len(v) >= 8 && !shape.Readable(v) && !pronounceable(v) }

// isNumberedName recognises a word with a number, as names of things have one: stage2, iChannel0, merge-queue-2, ESP8266s, v2-beta.
func isNumberedName(v []byte, sh shape.Shape) bool {
	if sh.Symbol+sh.Other > 0 || len(v) > 32 {
		return false
	}
	base := bytes.TrimRight(v, "0123456789")
	digits := len(v) - len(base)
	if digits == sh.Digit && digits > 0 && digits <= 2 && len(base) > 2 && pronounceable(bytes.ToLower(bytes.TrimRight(base, "-_."))) {
		return sh.Soft > 0 || len(v) < 7
	}
	return sh.Lower <= 1 && len(v) <= 8
}

// isUnmistakable reports three kinds of signs as only passwords mix them.
func isUnmistakable(v []byte) bool {
	sh := shape.Of(v)
	return sh.Digit >= 2 && sh.Soft <= 1 && !bytes.ContainsAny(v, `=/:()[]{}<>|,;\`) && unmistakable.Get().Match(v)
}

// unmistakable has a sign that does not join a number to a name (issue#12, node@20, 10%, %2F).
var unmistakable = ascii.NewExpression(`^[^@]*(?:[!$^~*]|%[^0-9A-F]|#(?:\D|$)|[?&][^#\d])[^@]*$|^[^@]*[A-Za-z]+\d*@\d*[A-Za-z!$#][^@.]*$`)

// IsRandom reports random letters of both cases with digits.
func IsRandom(v []byte) bool {
	sh := shape.Of(v)
	return len(v) >= 10 && sh.Soft+sh.Symbol+sh.Other == 0 && sh.Digit >= 2 && sh.Upper >= 2 && sh.Lower >= 2 && !shape.Readable(v) &&
		ascii.Run(v, ascii.Run(v, 0, ascii.Letters), ascii.Digits) < len(v)
}

// isGrouped reports three or more groups with dashes between: random ones of one length, or words with a number among them.
// Names of things have one word or number of each kind.
func isGrouped(v []byte) bool {
	groups := bytes.Split(v, []byte("-"))
	if len(groups) < 3 {
		return false
	}
	even, words, numbers, sh := len(groups[0]) >= 3, 0, 0, shape.Of(v)
	for _, g := range groups {
		even = even && len(g) == len(groups[0])
		switch {
		case len(g) <= 3 && ascii.Run(g, 0, ascii.Digits) == len(g):
			numbers++
		case len(g) >= 4 && ascii.Run(g, 0, ascii.Letters) == len(g):
			words++
		}
	}
	return len(groups) > 3 && numbers == 1 && words == len(groups)-1 || even && sh.Letters() > 0 && !shape.Readable(v)
}

// isPassphrase recognises words that a quote holds together, in small letters or with a number: none of those that hold sentences together.
func isPassphrase(v []byte) bool {
	words, plain := 0, true
	for w := range bytes.FieldsSeq(v) {
		if words++; small.Has(w) {
			return false
		}
		plain = plain && len(w) >= 3 && ascii.Run(w, 0, ascii.Lowers) == len(w)
	}
	sh := shape.Of(v)
	return words <= 10 && (sh.Digit > 0 && sh.Letters() > 0 || plain && words >= 2)
}

// small are words of sentences, and of sentences about passwords: a passphrase has none.
var small = ascii.NewWords(`le la les de du des un une et est votre das der die den ein eine und ist mit für bitte el los las una y es
 tu su con para por min max a an and as at be by can do for from has have if in is it its must no not of on or see the then this to use
 used was will with you your are but had were been who how why via son both into them their which being these those our most some such
 than plus case sensitive insensitive wrong missing match enter only once first run does forgot required password passwords token chars
 characters zeichen stellen caractères caracteres caratteri least set valid
 invalid expired user username login value text new old current confirm repeat reset same as field`)

// acceptsToken judges what follows the word for a key or token.
func acceptsToken(form Form, v []byte, sh shape.Shape) bool {
	if len(v) < 8 || bytes.IndexByte(v, ' ') >= 0 || sh.Other > 0 || sh.Letters() == 0 && len(v) < 20 || sh.Soft*3 >= len(v) {
		return false
	}
	hex := ascii.Run(v, 0, ascii.Hexes) == len(v)
	entropy := ascii.Entropy(v)
	hard := len(v) >= 10 && sh.Digit >= 2 && sh.Soft == 0 && // words with numbers that are the whole value of a key
		(sh.Upper > 0 && sh.Lower > 0 || sh.Symbol > 0 || ascii.Letters[v[len(v)-1]] && sh.Digit < 6)
	switch {
	case form == Assigned && sh.Digit > 0:
		return (len(v) >= 10 || sh.Kinds() >= 3) && (hard || !shape.Readable(v) && !isNumberedName(v, sh)) && entropy >= 2.5
	case shape.Readable(v) || form == Near && (len(v) < 24 || !IsRandom(v)):
		return false
	case len(v) >= 16:
		return (entropy >= 3.4 || entropy >= 2.9 && hex && len(v) >= 24) && (sh.Digit > 0 || sh.Upper > 2 && sh.Lower > 2)
	}
	return len(v) >= 10 && sh.Digit >= 2 && (sh.Soft == 0 || isGrouped(v)) && entropy >= 2.9
}

// AcceptsCredential judges what a header or a cookie carries.
func AcceptsCredential(v []byte) bool {
	return acceptsToken(Assigned, v, shape.Of(v)) && !Ordinary(v)
}

// isSeed recognises base32 in one piece or in groups.
func isSeed(v []byte, sh shape.Shape) bool {
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
	return n >= 16 && n <= 128 && (sh.Lower == 0 || sh.Upper == 0 && (sh.Digit > 0 || bytes.Count(v, []byte(" ")) == 3)) && !shape.Readable(v)
}

// IsStop looks for values that are words about secrets.
func (j *Judge) IsStop(v []byte) bool { return j.Stop.Has(bytes.Trim(v, ".!?,;:[")) }

// pronounceable reports a mix of vowels and consonants as words have it.
func pronounceable(v []byte) bool {
	vowels, row, longest := 0, 0, 0
	for _, c := range v {
		if bytes.IndexByte([]byte("aeiouy"), c) >= 0 {
			vowels++
			row = 0
			continue
		}
		row++
		longest = max(longest, row)
	}
	return vowels*5 >= len(v) && vowels*10 <= len(v)*8 && longest <= 4
}

// IsSmall reports a word that holds sentences together.
func IsSmall(word string) bool { return small.All[word] }
