package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// class is the role of a rune in a line.
type class uint8

const (
	classBase     class = iota // a character by itself
	classMark                  // zero width, needs a base
	classSpacing               // merges with its base, although some terminals give it a cell
	classSelector              // variation selector
	classJoiner                // ZWJ and ZWNJ
	classModifier              // skin tone of an emoji
	classHidden                // never sent to the terminal
)

const (
	zwnj   = 0x200c
	zwj    = 0x200d
	vsText = 0xfe0e
	vsPict = 0xfe0f
	keycap = 0x20e3
)

// blanks are characters that count as letters or marks but are invisible:
// grapheme joiner, Hangul fillers, Khmer inherent vowels, null notehead.
var blanks = map[rune]bool{
	0x034f: true, 0x115f: true, 0x1160: true, 0x17b4: true, 0x17b5: true,
	0x3164: true, 0xffa0: true, 0x1d159: true,
}

// prepended are letters that absorb the character after them (Unicode's
// Grapheme_Cluster_Break=Prepend without the format characters).
var prepended = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0d4e, Hi: 0x0d4e, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x111c2, Hi: 0x111c3, Stride: 1}, {Lo: 0x1193f, Hi: 0x11941, Stride: 2},
		{Lo: 0x11a3a, Hi: 0x11a3a, Stride: 1}, {Lo: 0x11a84, Hi: 0x11a89, Stride: 1},
		{Lo: 0x11d46, Hi: 0x11d46, Stride: 1}, {Lo: 0x11f02, Hi: 0x11f02, Stride: 1},
	},
}

// joining are the scripts in which ZWJ and ZWNJ change the shape of letters.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

func classify(r rune) class {
	switch {
	case r == zwj || r == zwnj:
		return classJoiner
	case isSelector(r):
		return classSelector
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return classModifier
	case blanks[r] || !unicode.IsGraphic(r) || unicode.Is(prepended, r):
		// Not graphic: controls, format characters (including bidirectional and tag
		// characters), line separators, private use, surrogates and unassigned code
		// points.
		return classHidden
	case unicode.In(r, unicode.Mn, unicode.Me):
		return classMark
	case r == 0x0e33 || r == 0x0eb3 || r == 0xff9e || r == 0xff9f:
		return classSpacing
	case unicode.Is(unicode.Mc, r) && melts([]byte("a"), r):
		return classSpacing
	}
	return classBase
}

func isSelector(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef ||
		r >= 0x180b && r <= 0x180d || r == 0x180f
}

func isRegional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// isPictograph reports whether r can be part of an emoji sequence. It asks
// the segmentation tables, because the standard library has none for this.
func isPictograph(r rune) bool {
	if r < 0x2000 && r != 0xa9 && r != 0xae || isRegional(r) {
		return false
	}
	return melts([]byte("👩\u200d"), r)
}

// melts reports whether r, appended to text, becomes part of its last cluster.
func melts(text []byte, r rune) bool {
	all := utf8.AppendRune(append(make([]byte, 0, len(text)+4), text...), r)
	for i := 0; i < len(text); {
		c, _ := ansi.FirstGraphemeCluster(all[i:], ansi.GraphemeWidth)
		i += max(len(c), 1)
		if i > len(text) {
			return true
		}
	}
	return false
}

// narrow and wide are the letters of everyday text: one or two cells by every
// measure, and not part of a sequence unless something unusual follows. Such
// text needs no segmentation.
var (
	narrow = []span{
		{0xa0, 0xac}, {0xae, 0x2ff}, {0x391, 0x3a1}, {0x3a3, 0x3ff}, {0x400, 0x482},
		{0x48a, 0x52f}, {0x5d0, 0x5ea}, {0x620, 0x64a}, {0x1e00, 0x1eff}, {0x2010, 0x2027},
		{0x2030, 0x205e}, {0x20a0, 0x20c0}, {0x2500, 0x259f}, {0xff61, 0xff9d},
	}
	wide = []span{
		{0x3000, 0x3029}, {0x3041, 0x3096}, {0x309b, 0x30ff}, {0x3400, 0x4dbf},
		{0x4e00, 0x9fff}, {0xac00, 0xd7a3}, {0xf900, 0xfa6d}, {0xff01, 0xff60},
	}
	// With RUNEWIDTH_EASTASIAN the tables count letters such as Greek as two
	// cells. The two ways of counting then differ even for é: the shortcut for
	// narrow letters is off, and the width of clusters counts.
	narrowIsOne = ansi.StringWidth("α") == 1
)

type span struct{ lo, hi rune }

// simpleWidth returns the width of a rune of everyday text, 0 for any other.
func simpleWidth(r rune) int {
	if r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0x3041 && r <= 0x3096 {
		return 2
	}
	table, w := narrow, 1
	if r >= 0x3000 && r < 0xff61 {
		table, w = wide, 2
	} else if !narrowIsOne {
		return 0
	}
	for _, s := range table {
		if r <= s.hi {
			if r >= s.lo {
				return w
			}
			return 0
		}
	}
	return 0
}
