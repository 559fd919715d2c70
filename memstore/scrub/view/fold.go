package view

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
)

// Characters that a format writes escaped because bare they would end a string or open a
// tag. In the view they are code points for private use: a detector that looks for the
// end of the string does not stop at them.
const (
	InnerQuote      = 0xe022
	InnerApostrophe = 0xe027
	InnerLess       = 0xe03c
	InnerGreater    = 0xe03e
)

// Outer turns the characters of the view back into what a reader sees.
func Outer(r rune) rune {
	switch r {
	case InnerQuote, InnerApostrophe, InnerLess, InnerGreater:
		return r - 0xe000
	}
	return r
}

// skipRune omits a character from the view.
const skipRune = -1

// specials are the bytes at which a text may differ from its view: the first bytes of
// what fold knows, in UTF-8.
var specials = func() (t [256]bool) {
	for _, b := range []byte{'\\', '&', 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf0, 0xf3} {
		t[b] = true
	}
	return t
}()

// nextSpecial is the offset of the next byte from i on that fold should look at.
func nextSpecial(text []byte, i int, format Format) int {
	for ; i < len(text); i++ {
		b := text[i]
		if !specials[b] {
			continue
		}
		switch b {
		case '\\':
			if format.Escapes() || format == Markdown || (format == YAML || format == TOML) && i+1 < len(text) &&
				(text[i+1] == 'u' || text[i+1] == '"' || text[i+1] == '\\') {
				return i
			}
		case '&':
			if format == XML || format == Markdown {
				return i
			}
		default:
			return i
		}
	}
	return i
}

// fold returns what the character at i folds to and how many bytes it has; 0 where it
// folds to itself.
func fold(text []byte, i int, format Format) (rune, int) {
	r, m := folded(text, i, format)
	if m > 0 && invisible(r) {
		return skipRune, m
	}
	return r, m
}

// invisible reports whether a character is drawn as nothing: Unicode's Default_Ignorable_Code_Point, and the blank pattern of
// Braille. Inside a value it hides the value from a rule and from no reader.
func invisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r < 0x2000:
		return r == 0xad || r == 0x34f || r == 0x61c || r == 0x115f || r == 0x1160 || r == 0x17b4 || r == 0x17b5 || r >= 0x180b && r <= 0x180f
	case r < 0xfe00:
		return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0x2800 || r == 0x3164
	}
	return r <= 0xfe0f || r == 0xfeff || r == 0xffa0 || r >= 0xfff0 && r <= 0xfff8 ||
		r >= 0x1bca0 && r <= 0x1bca3 || r >= 0x1d173 && r <= 0x1d17a || r >= 0xe0000 && r <= 0xe0fff
}

func folded(text []byte, i int, format Format) (rune, int) {
	switch text[i] {
	case '\\':
		if format == Markdown {
			return foldMarkdown(text, i)
		}
		return foldEscape(text, i)
	case '&':
		return foldEntity(text, i)
	}
	r, m := utf8.DecodeRune(text[i:])
	switch {
	case r == '（' && wideDigit(text[i+m:]), r == '）' && i >= 3 && (ascii.Digits[text[i-1]] || wideDigit(text[i-3:])):
		return r - 0xff01 + '!', m
	case r >= 0xff01 && r <= 0xff5e && !fullWidthMark(r):
		return r - 0xff01 + '!', m
	case r == 0x3000 || r == 0xa0 || r == 0x202f || r >= 0x2000 && r <= 0x200a:
		return ' ', m
	case invisible(r):
		return skipRune, m
	case r >= 0x2010 && r <= 0x2015 || r == 0x2212:
		return '-', m
	}
	return 0, 0
}

// wideDigit reports a digit at the beginning of b, of either width.
func wideDigit(b []byte) bool {
	if len(b) > 0 && ascii.Digits[b[0]] {
		return true
	}
	r, _ := utf8.DecodeRune(b)
	return r >= '０' && r <= '９'
}

// fullWidthMark keeps the marks that end a value in East Asian text: as ASCII they
// could be part of a password.
func fullWidthMark(r rune) bool {
	switch r {
	case '！', '，', '；', '？', '（', '）':
		return true
	}
	return false
}

// foldMarkdown reads a backslash before punctuation.
func foldMarkdown(text []byte, i int) (rune, int) {
	if i+1 < len(text) && bytes.IndexByte([]byte(`_*-#+.!~[](){}<>|`), text[i+1]) >= 0 {
		return rune(text[i+1]), 2
	}
	return 0, 0
}

// foldEscape reads an escape of JSON.
func foldEscape(text []byte, i int) (rune, int) {
	if i+1 >= len(text) {
		return 0, 0
	}
	switch text[i+1] {
	case '"':
		return InnerQuote, 2
	case '\\', '/':
		return rune(text[i+1]), 2
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b', 'f':
		return ' ', 2
	case 'u':
		return foldUnicode(text, i)
	}
	return 0, 0
}

func foldUnicode(text []byte, i int) (rune, int) {
	r, ok := hex4(text, i+2)
	if !ok {
		return 0, 0
	}
	m := 6
	if utf16.IsSurrogate(r) {
		if low, ok := hex4(text, i+8); ok && text[i+6] == '\\' && text[i+7] == 'u' {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return utf8.RuneError, m
	}
	switch {
	case r >= 0xff10 && r <= 0xff5e && !fullWidthMark(r):
		r = r - 0xff01 + '!'
	case r == 0x3000 || r == 0xa0:
		r = ' '
	}
	return r, m
}

func hex4(text []byte, i int) (rune, bool) {
	if i+4 > len(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[i:i+4]), 16, 16)
	return rune(n), err == nil
}

// entities are those that XML itself knows, and the space of HTML.
var entities = map[string]rune{"amp": '&', "lt": InnerLess, "gt": InnerGreater, "quot": InnerQuote, "apos": InnerApostrophe, "nbsp": ' '}

func foldEntity(text []byte, i int) (rune, int) {
	end := bytes.IndexByte(text[i:min(len(text), i+12)], ';')
	if end < 2 {
		return 0, 0
	}
	name := string(text[i+1 : i+end])
	if r, ok := entities[name]; ok {
		return r, end + 1
	}
	if name[0] != '#' {
		return 0, 0
	}
	base, number := 10, name[1:]
	if len(number) > 1 && (number[0] == 'x' || number[0] == 'X') {
		base, number = 16, number[1:]
	}
	n, err := strconv.ParseUint(number, base, 21)
	if err != nil || n < 9 || n > utf8.MaxRune {
		return 0, 0
	}
	return rune(n), end + 1
}
