package lint

import (
	"sort"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text in which what looks the same is the same: lower case, no accents on Latin
// letters, ASCII for wide and mathematical letters and for Cyrillic and Greek ones that look
// Latin, nothing invisible. jumps leads from its offsets back to those of the text.
type folded struct {
	text  []byte
	jumps []jump
}

// jump says that from offset at on, the text is at origin.
type jump struct{ at, origin int32 }

// original is the offset in the text that was folded.
func (f *folded) original(at int) int {
	i := sort.Search(len(f.jumps), func(i int) bool { return int(f.jumps[i].at) > at }) - 1
	if i < 0 {
		return at
	}
	return int(f.jumps[i].origin) + at - int(f.jumps[i].at)
}

// lookalikes are letters of other scripts that are drawn like Latin ones.
var lookalikes = map[rune]byte{
	'а': 'a', 'в': 'b', 'с': 'c', 'е': 'e', 'н': 'h', 'і': 'i', 'ј': 'j', 'к': 'k', 'м': 'm', 'о': 'o', 'р': 'p', 'ѕ': 's', 'т': 't',
	'у': 'y', 'х': 'x',
	'А': 'a', 'В': 'b', 'С': 'c', 'Е': 'e', 'Н': 'h', 'І': 'i', 'Ј': 'j', 'К': 'k', 'М': 'm', 'О': 'o', 'Р': 'p', 'Ѕ': 's', 'Т': 't',
	'У': 'y', 'Х': 'x',
	'α': 'a', 'ε': 'e', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x',
	'Α': 'a', 'Β': 'b', 'Ε': 'e', 'Η': 'h', 'Ι': 'i', 'Κ': 'k', 'Μ': 'm', 'Ν': 'n', 'Ο': 'o', 'Ρ': 'p', 'Τ': 't', 'Υ': 'y', 'Χ': 'x', 'ı': 'i',
}

// fold folds a text.
func fold(data []byte) *folded {
	f := &folded{text: make([]byte, 0, len(data))}
	for i := 0; i < len(data); {
		c := data[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			f.text = append(f.text, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		n := len(f.text)
		f.rune(r, data[i:i+size])
		i += size
		if len(f.text)-n != size {
			f.jumps = append(f.jumps, jump{int32(len(f.text)), int32(i)})
		}
	}
	return f
}

// rune adds one character beyond ASCII.
func (f *folded) rune(r rune, raw []byte) {
	switch {
	case r == utf8.RuneError, ideographic(r):
		f.text = append(f.text, raw...)
	case r >= 0x2000 && r <= 0x200a, r == 0xa0, r == 0x202f, r == 0x205f:
		f.text = append(f.text, ' ')
	case r == 0x2018 || r == 0x2019:
		f.text = append(f.text, '\'')
	case r == 0x201c || r == 0x201d:
		f.text = append(f.text, '"')
	case r >= 0xff01 && r <= 0xff5e:
		f.text = append(f.text, byte(unicode.ToLower(r-0xfee0)))
	case unicode.Is(unicode.Cf, r) || variation(r) || r >= 0x300 && r <= 0x36f:
	case r == 'ß':
		f.text = append(f.text, "ss"...)
	case lookalikes[r] != 0:
		f.text = append(f.text, lookalikes[r])
	case r < 0x250 || r >= 0x1e00 && r < 0x1f00 || r >= 0x2100 && r < 0x2150 || r >= 0x1d400 && r < 0x1d800 || r >= 0x24b6 && r <= 0x24e9:
		f.latin(r, raw)
	default:
		f.text = append(f.text, raw...)
	}
}

// ideographic reports whether a character is of the bulk of Chinese, Japanese and Korean text, which folds to itself and
// hides nothing: kana, ideographs and Hangul syllables, for speed.
func ideographic(r rune) bool { return r >= 0x3041 && r <= 0x30ff || r >= 0x3400 && r <= 0xd7a3 }

// latin adds the letters that a Latin character is made of, without its accents.
func (f *folded) latin(r rune, raw []byte) {
	parts := norm.NFKD.Properties(raw).Decomposition()
	if parts == nil {
		f.text = utf8.AppendRune(f.text, unicode.ToLower(r))
		return
	}
	for len(parts) > 0 {
		p, size := utf8.DecodeRune(parts)
		if !unicode.Is(unicode.Mn, p) {
			f.text = utf8.AppendRune(f.text, unicode.ToLower(p))
		}
		parts = parts[size:]
	}
}
