package text

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Limits of one character, against text with excessive marks.
const (
	maxMarks       = 4 // combining marks per base
	maxPictographs = 5 // joined by ZWJ; the longest that Unicode recommends has four
	maxConjunct    = 6 // consonants in one Indic conjunct
)

// builder collects one character from a base and its additions.
type builder struct {
	s       *scanner
	out     []byte // the text to show
	end     int    // first byte of the line not consumed
	base    rune   // the base for selectors and modifiers
	fresh   bool   // nothing has followed base yet
	marks   int
	picts   int
	letters int
	joiners int
	altered bool // out differs from the bytes of the line
}

// cluster makes a unit of the character r at the current position and its
// marks, selectors and joiners.
func (s *scanner) cluster(r rune, size int) unit {
	switch classify(r) {
	case classMark:
		if s.o.ASCII {
			return s.number(r, size)
		}
		text := dottedCircle + string(r)
		w, ok := measure(text, s.o.Measure)
		if !ok {
			return s.number(r, size)
		}
		s.prev = append(s.prev[:0], text...)
		return unit{start: s.pos, end: s.pos + size, width: w, r: r, form: formDotted, kind: Invisible}
	case classBase:
	default:
		return s.number(r, size)
	}
	if len(s.prev) > 0 && melts(s.prev, r) {
		return s.number(r, size)
	}
	b := builder{s: s, out: s.buf[:0], end: s.pos + size, base: r, fresh: true, letters: 1}
	b.out = utf8.AppendRune(b.out, r)
	b.hangul()
	for b.grow() {
	}
	w, ok := measure(string(b.out), s.o.Measure)
	if !ok {
		return s.number(r, size)
	}
	s.prev = append(s.prev[:0], b.out...)
	u := unit{start: s.pos, end: b.end, width: w, r: r}
	if b.altered {
		u.form, u.alt = formAlt, string(b.out)
	}
	return u
}

// measure returns the width of text in cells, and whether terminals of this
// measure agree on it.
func measure(text string, m Measure) (int, bool) {
	switch m {
	case Clusters:
		w := ansi.StringWidth(text)
		return w, w > 0
	case codePoints:
		w := ansi.StringWidthWc(text)
		return w, w > 0
	default:
		w := ansi.StringWidth(text)
		return w, w > 0 && (!narrowIsOne || w == ansi.StringWidthWc(text))
	}
}

// peek decodes the rune at byte i of the line; size 0 means the end.
func (b *builder) peek(i int) (rune, int) {
	if i >= len(b.s.line) {
		return 0, 0
	}
	r, size := utf8.DecodeRune(b.s.line[i:])
	if r == utf8.RuneError && size <= 1 {
		return 0, 0
	}
	return r, size
}

// take adds r, size bytes long in the line, if it can be shown there.
func (b *builder) take(r rune, size int) bool {
	n := len(b.out)
	b.out = utf8.AppendRune(b.out, r)
	if _, ok := measure(string(b.out), b.s.o.Measure); !ok {
		b.out = b.out[:n]
		return false
	}
	b.end += size
	b.fresh = false
	return true
}

// grow adds the next rune of the line to the character. It returns false if
// that rune doesn't belong to it or must be shown separately.
func (b *builder) grow() bool {
	r, size := b.peek(b.end)
	if size == 0 {
		return false
	}
	switch classify(r) {
	case classMark:
		b.marks++
		return b.marks <= maxMarks && b.take(r, size)
	case classSpacing:
		return b.spacing(r, size)
	case classSelector:
		return b.selector(r, size)
	case classJoiner:
		return b.joiner(r, size)
	case classModifier:
		return b.s.o.Measure == Clusters && b.picture() && b.take(r, size)
	case classBase:
		return b.another(r, size)
	default:
		return false
	}
}

// picture reports whether the last rune is an emoji without additions.
func (b *builder) picture() bool { return b.fresh && isPictograph(b.base) }

func (b *builder) spacing(r rune, size int) bool {
	if b.s.o.Measure == Portable {
		// The Thai and Lao vowel AM is equivalent to a ring above and the vowel AA:
		// same width everywhere, same look.
		switch r {
		case 0x0e33:
			return b.split(0x0e4d, 0x0e32, size)
		case 0x0eb3:
			return b.split(0x0ecd, 0x0eb2, size)
		}
		return false
	}
	b.marks++
	return b.marks <= maxMarks && b.take(r, size)
}

// split replaces a rune by its two parts. The second is a letter of its own,
// so the character ends there.
func (b *builder) split(above, after rune, size int) bool {
	if b.marks < maxMarks {
		b.out = utf8.AppendRune(utf8.AppendRune(b.out, above), after)
		b.end += size
		b.altered = true
	}
	return false
}

func (b *builder) selector(r rune, size int) bool {
	if !b.fresh {
		return false
	}
	switch {
	case r == vsText || r == vsPict:
		digit := b.base == '#' || b.base == '*' || b.base >= '0' && b.base <= '9'
		if digit {
			if next, _ := b.peek(b.end + size); next != keycap {
				return false
			}
		} else if !isPictograph(b.base) {
			return false
		}
		if b.s.o.Measure == Clusters && b.take(r, size) {
			b.fresh = true
			return true
		}
		// It only changes the style of the emoji, and terminals disagree about the
		// width: keep the emoji and drop the selector.
		b.end += size
		b.altered = true
		return true
	case r >= 0xe0100 || r <= 0xfe02 && r >= 0xfe00:
		return unicode.Is(unicode.Han, b.base) && b.take(r, size)
	case r < 0x2000:
		return unicode.Is(unicode.Mongolian, b.base) && b.take(r, size)
	}
	return false
}

func (b *builder) joiner(r rune, size int) bool {
	if r == zwj && b.lastPictograph() {
		next, n := b.peek(b.end + size)
		if n == 0 || b.picts >= maxPictographs || !isPictograph(next) || classify(next) != classBase {
			return false
		}
		if b.s.o.Measure == Clusters {
			b.out = utf8.AppendRune(b.out, r)
		} else {
			b.altered = true
		}
		b.out = utf8.AppendRune(b.out, next)
		b.end += size + n
		b.base, b.fresh = next, true
		b.picts++
		return true
	}
	if b.joiners > 0 || !unicode.In(b.base, joining...) {
		return false
	}
	b.joiners++
	return b.take(r, size)
}

// lastPictograph reports whether the last rune is an emoji, with or without
// selector and skin tone.
func (b *builder) lastPictograph() bool {
	return b.marks == 0 && b.joiners == 0 && isPictograph(b.base)
}

// another handles a base after the base: the second half of a flag, or the
// next consonant of an Indic conjunct.
func (b *builder) another(r rune, size int) bool {
	if isRegional(r) && isRegional(b.base) && b.fresh {
		return b.take(r, size)
	}
	if b.s.o.Measure == Portable || b.marks == 0 || b.letters >= maxConjunct || !melts(b.out, r) {
		return false
	}
	if !b.take(r, size) {
		return false
	}
	b.base = r
	b.letters++
	b.marks = 0
	return true
}

// First and last Hangul parts that compose to syllables, and the count of
// each (Unicode, section 3.12).
const (
	hangulS, hangulL, hangulV, hangulT = 0xac00, 0x1100, 0x1161, 0x11a7
	hangulLs, hangulVs, hangulTs       = 19, 21, 28
	hangulLast                         = hangulS + hangulLs*hangulVs*hangulTs - 1
)

// hangul composes a syllable written in parts, as file names from some
// systems have it. The width of the parts varies between terminals, that of
// the syllable doesn't.
func (b *builder) hangul() {
	s := b.base
	if l := b.base - hangulL; l >= 0 && l < hangulLs {
		r, size := b.peek(b.end)
		v := r - hangulV
		if v < 0 || v >= hangulVs {
			return
		}
		s = hangulS + (l*hangulVs+v)*hangulTs
		b.end += size
		b.altered = true
	}
	if s < hangulS || s > hangulLast {
		return
	}
	if (s-hangulS)%hangulTs == 0 {
		r, size := b.peek(b.end)
		if t := r - hangulT; t > 0 && t < hangulTs {
			s += t
			b.end += size
			b.altered = true
		}
	}
	if b.altered {
		b.base = s
		b.out = utf8.AppendRune(slices.Delete(b.out, 0, len(b.out)), s)
	}
}
