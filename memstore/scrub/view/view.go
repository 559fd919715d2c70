// Package view shows a text of any format as the search for sensitive values reads it: without escapes, entities,
// full-width forms and invisible characters, and with a way back to the bytes of the text.
package view

import (
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

// View is a text as the detectors read it: escapes, entities and full-width forms are
// one plain byte or rune, invisible characters are gone. Spans of it lead back to whole
// characters of the source, so that no edit cuts an escape in half.
type View struct {
	Text  []byte
	marks []mark  // by at; none: offsets are those of the source
	dense []int32 // of a UTF-16 source: the source offset of each byte and of the end
}

// mark is one place where the view differs: n bytes of it at at represent the m bytes
// of the source at from. Up to the next mark both run in step.
type mark struct{ at, n, from, m int32 }

// MaxText bounds what is scanned at all: offsets in a view have 32 bits.
const MaxText = 1<<31 - 1<<20

// add writes out as the view of the m source bytes at from.
func (v *View) add(out string, from, m int) {
	v.marks = append(v.marks, mark{int32(len(v.Text)), int32(len(out)), int32(from), int32(m)})
	v.Text = append(v.Text, out...)
}

// addRune is add for a rune.
func (v *View) addRune(r rune, from, m int) {
	before := len(v.Text)
	v.Text = utf8.AppendRune(v.Text, r)
	v.marks = append(v.marks, mark{int32(before), int32(len(v.Text) - before), int32(from), int32(m)})
}

// Span maps a span of the view to one of the source.
func (v *View) Span(start, end int) (int, int) {
	if v.dense != nil {
		return int(v.dense[start]), int(v.dense[end])
	}
	return v.from(start), v.to(end)
}

// before is the last mark that begins at or before x, -1 for none.
func (v *View) before(x int) int {
	return sort.Search(len(v.marks), func(i int) bool { return int(v.marks[i].at) > x }) - 1
}

func (v *View) from(x int) int {
	i := v.before(x)
	// Omitted characters have n = 0; a span starts after those before it.
	if i < 0 {
		return x
	}
	m := v.marks[i]
	if x < int(m.at+m.n) {
		return int(m.from)
	}
	return int(m.from+m.m) + x - int(m.at+m.n)
}

func (v *View) to(x int) int {
	if x == 0 {
		return 0
	}
	x-- // the last byte of the span
	i := v.before(x)
	if i < 0 {
		return x + 1
	}
	m := v.marks[i]
	if x < int(m.at+m.n) {
		return int(m.from + m.m)
	}
	return int(m.from+m.m) + x - int(m.at+m.n) + 1
}

// At is the offset in the view of source offset x: the first byte of the view that x, or what follows it, became.
func (v *View) At(x int) int {
	if v.dense != nil {
		return sort.Search(len(v.dense)-1, func(i int) bool { return int(v.dense[i]) >= x })
	}
	i := sort.Search(len(v.marks), func(i int) bool { return int(v.marks[i].from+v.marks[i].m) > x })
	if i < len(v.marks) && int(v.marks[i].from) <= x {
		return int(v.marks[i].at)
	}
	if i == 0 {
		return x
	}
	m := v.marks[i-1]
	return int(m.at+m.n) + x - int(m.from+m.m)
}

// New folds text as its format needs. UTF-16 becomes UTF-8 and is not folded further.
func New(text []byte, format Format) *View {
	big, wide := UTF16Order(text)
	return Of(text, format, big, wide)
}

// Of is newView for a part of a text of which it is known whether it is UTF-16.
func Of(text []byte, format Format, big, wide bool) *View {
	v := &View{}
	if wide {
		v.decode16(text, big)
		return v
	}
	kept := 0
	for i := 0; i < len(text); {
		i = nextSpecial(text, i, format)
		if i >= len(text) {
			break
		}
		out, m := fold(text, i, format)
		if m == 0 {
			i++
			continue
		}
		v.Text = append(v.Text, text[kept:i]...)
		if out == skipRune {
			v.add("", i, m)
		} else {
			v.addRune(out, i, m)
		}
		i += m
		kept = i
	}
	if v.marks == nil {
		v.Text = text
		return v
	}
	v.Text = append(v.Text, text[kept:]...)
	return v
}

// UTF16Order recognises UTF-16 by its mark, or by every other byte of the first ones being zero.
func UTF16Order(text []byte) (big, ok bool) {
	if len(text) < 4 || len(text)%2 != 0 {
		return false, false
	}
	if text[0] == 0xff && text[1] == 0xfe {
		return false, true
	}
	if text[0] == 0xfe && text[1] == 0xff {
		return true, true
	}
	even, odd, n := 0, 0, min(len(text), 512)&^1
	for i := 0; i < n; i += 2 {
		if text[i] == 0 {
			even++
		}
		if text[i+1] == 0 {
			odd++
		}
	}
	return even > odd, n >= 16 && (odd*5 > n*2 && even == 0 || even*5 > n*2 && odd == 0)
}

func unit16(text []byte, i int, big bool) uint16 {
	if big {
		return uint16(text[i])<<8 | uint16(text[i+1])
	}
	return uint16(text[i+1])<<8 | uint16(text[i])
}

func (v *View) decode16(text []byte, big bool) {
	for i := 0; i+1 < len(text); {
		r, m := rune(unit16(text, i, big)), 2
		if utf16.IsSurrogate(r) && i+3 < len(text) {
			if pair := utf16.DecodeRune(r, rune(unit16(text, i+2, big))); pair != utf8.RuneError {
				r, m = pair, 4
			}
		}
		if r == 0xfeff {
			r = ' '
		}
		before := len(v.Text)
		v.Text = utf8.AppendRune(v.Text, r)
		for range len(v.Text) - before {
			v.dense = append(v.dense, int32(i))
		}
		i += m
	}
	v.dense = append(v.dense, int32(len(text)))
}
