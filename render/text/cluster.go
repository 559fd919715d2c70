package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"
)

// Limits of one character, against text with excessive marks.
const (
	maxMarks   = 4 // combining marks per letter
	maxLetters = 6 // letters or emoji in one character
)

const (
	zwnj   = 0x200c
	zwj    = 0x200d
	vsText = 0xfe0e
	vsPict = 0xfe0f
	keycap = 0x20e3

	thaiAm, laoAm                  = 0x0e33, 0x0eb3
	narrowVoiced, narrowSemiVoiced = 0xff9e, 0xff9f
)

// blanks are characters that count as letters or marks but are invisible:
// grapheme joiner, Hangul fillers, Khmer inherent vowels, null notehead.
var blanks = map[rune]bool{
	0x034f: true, 0x115f: true, 0x1160: true, 0x17b4: true, 0x17b5: true,
	0x3164: true, 0xffa0: true, 0x1d159: true,
}

// joining are the scripts in which ZWJ and ZWNJ change the shape of letters.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// Blank reports whether a character counts as a letter or a mark but is invisible.
func Blank(r rune) bool { return blanks[r] }

// Joins reports whether ZWJ and ZWNJ change the shape of a letter.
func Joins(r rune) bool { return unicode.In(r, joining...) }

// hidden reports whether a rune is never sent to the terminal by itself: controls, format characters (including bidirectional and tag
// characters), line separators, private use, surrogates, unassigned code points, and what is invisible though it counts as a letter.
func hidden(r rune) bool { return !unicode.IsGraphic(r) || blanks[r] || isSelector(r) }

func isMark(r rune) bool { return unicode.Is(unicode.M, r) && !hidden(r) }

func isSelector(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef || r >= 0x180b && r <= 0x180d || r == 0x180f
}

func isTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

func isRegional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// isPictograph reports whether r can be part of an emoji sequence. It asks
// the segmentation tables, because the standard library has none for this.
func isPictograph(r rune) bool {
	if r < 0x2000 && r != 0xa9 && r != 0xae || isRegional(r) {
		return false
	}
	joined := "👩\u200d" + string(r)
	c, _ := ansi.FirstGraphemeCluster(joined, ansi.GraphemeWidth)
	return len(c) == len(joined) && !unicode.Is(unicode.M, r) && r != zwj && r != zwnj && !isTone(r)
}

// separate reports whether a rune does not become one character with any letter before or behind it.
func separate(r rune) bool {
	text := "a" + string(r) + "a"
	before, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	own, _ := ansi.FirstGraphemeCluster(text[1:], ansi.GraphemeWidth)
	return len(before) == 1 && len(own) == utf8.RuneLen(r)
}

// cluster makes a unit of the character at the current position: its letters with their marks as they are, as far as a reader sees each of
// them. What follows in the same character is shown apart.
func (s *scanner) cluster() unit {
	c, w := ansi.FirstGraphemeCluster(s.line[s.pos:], ansi.GraphemeWidth)
	first, size := utf8.DecodeRune(c)
	if len(c) == size && w > 0 && (first < 0x300 || first >= 0x3041 && first <= 0x9fff) && unicode.IsLetter(first) && !blanks[first] {
		u := unit{start: s.pos, end: s.pos + size, width: w, r: first} // an everyday letter
		if size == 1 {
			u.r = 0
		}
		return u
	}
	if hidden(first) || !separate(first) {
		return s.alone(first, size)
	}
	out := utf8.AppendRune(nil, first)
	base, last := first, first // the last letter, and the last rune
	marks, letters := 0, 1
	at := size
	for at < len(c) {
		r, n := utf8.DecodeRune(c[at:])
		next, _ := utf8.DecodeRune(c[at+n:])
		drop := false // what a terminal that counts code points would give cells of its own
		switch {
		case r == utf8.RuneError && n == 1:
			n = 0
		case r == vsText || r == vsPict:
			drop = !s.o.Clusters
			if digit := last < 0x80 && next == keycap; last != base || !digit && !isPictograph(base) {
				n = 0
			}
		case isSelector(r):
			if last != base || r >= 0xfe00 && !unicode.Is(unicode.Han, base) || r < 0xfe00 && !unicode.Is(unicode.Mongolian, base) ||
				r > 0xfe02 && r < 0xfe0f {
				n = 0
			}
		case r == zwj && isPictograph(base) && isPictograph(next) && !hidden(next) && letters < maxLetters:
			drop = !s.o.Clusters
		case r == zwj || r == zwnj:
			if last == zwj || last == zwnj || !Joins(base) {
				n = 0
			}
		case r == narrowVoiced || r == narrowSemiVoiced:
			if !unicode.Is(unicode.Katakana, last) {
				n = 0
			}
		case isTone(r):
			if last != base || !s.o.Clusters {
				n = 0
			}
		case isMark(r):
			if marks++; marks > maxMarks {
				n = 0
			}
		case hidden(r) || letters == maxLetters:
			n = 0
		default:
			base, marks = r, 0
			letters++
		}
		if n == 0 {
			break
		}
		at += n
		last = r
		if !drop {
			out = utf8.AppendRune(out, r)
		}
	}
	if isRegional(first) && (letters == 1 || !isRegional(base)) {
		return s.alone(first, size)
	}
	u := unit{start: s.pos, end: s.pos + at, r: first}
	if at < len(c) {
		s.cut = u.end
	}
	switch composed := norm.NFC.Bytes(out); {
	case unicode.Is(unicode.Hangul, first) && len(composed) < len(out):
		// File names from some systems have syllables in parts, whose width varies.
		out = composed
	case last == narrowVoiced || last == narrowSemiVoiced:
		out = norm.NFKC.Bytes(out) // the wide letter, which has as many cells
	case last == thaiAm || last == laoAm:
		// The vowel AM is equivalent to a ring above and the vowel AA: same look, and the same width everywhere.
		out = append(out[:len(out)-utf8.RuneLen(last)], norm.NFKD.String(string(last))...)
	}
	if u.width = ansi.StringWidth(string(out)); u.width == 0 {
		return s.alone(first, size)
	}
	if string(out) != string(s.line[u.start:u.end]) {
		u.form, u.alt = formAlt, string(out)
	} else if len(out) == 1 {
		u.r = 0
	}
	return u
}

// alone shows a rune apart from the character it belongs to: a mark on a dotted circle, any other as a code point.
func (s *scanner) alone(r rune, size int) unit {
	alt := "◌" + string(r)
	if c, w := ansi.FirstGraphemeCluster(alt, ansi.GraphemeWidth); isMark(r) && !s.o.ASCII && len(c) == len(alt) && w > 0 {
		return unit{start: s.pos, end: s.pos + size, width: w, alt: alt, form: formAlt, kind: Invisible}
	}
	return s.number(r, size)
}
