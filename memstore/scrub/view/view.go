// Package view shows a text of any format as the search for sensitive values reads it: without escapes, entities,
// full-width forms and invisible characters, and with a way back to the bytes of the text.
package view

import (
	"sort"
	"unicode/utf8"
)

// View is a text as the detectors read it: escapes, entities and full-width forms are
// one plain byte or rune, invisible characters are gone. Spans of it lead back to whole
// characters of the source, so that no edit cuts an escape in half.
type View struct {
	Text  []byte
	marks []mark // by at; none: offsets are those of the source
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

// New folds text as its format needs.
func New(text []byte, format Format) *View {
	v := &View{}
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
