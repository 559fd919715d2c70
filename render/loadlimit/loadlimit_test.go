package loadlimit

import (
	"strings"
	"testing"
)

func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Extent
	}{
		{"empty", "", Extent{}},
		{"plain", "a\nb\n", Extent{Lines: 2, Bytes: 4}},
		{"no last newline", "a\nb", Extent{Lines: 2, Bytes: 3}},
		{"front matter", "---\nname: x\n---\na\n", Extent{Lines: 1, Bytes: 2}},
		{"only front matter", "---\nname: x\n---\n", Extent{}},
		{"a rule, no front matter", "---\na\n", Extent{Lines: 2, Bytes: 6}},
		{"comment with lines of its own", "a\n  <!-- one\ntwo -->  \nb\n", Extent{Lines: 2, Bytes: 4}},
		{"comment within a line", "a <!-- no --> b\n", Extent{Lines: 1, Bytes: 5}},
		{"two in a line", "a<!-- -->b<!-- -->c\n", Extent{Lines: 1, Bytes: 4}},
		{"text behind", "<!-- x --> b\n", Extent{Lines: 1, Bytes: 3}},
		{"comment after front matter", "---\nk: v\n---\n<!-- x -->\na\n", Extent{Lines: 1, Bytes: 2}},
		{"open comment", "a\n<!-- b\n", Extent{Lines: 2, Bytes: 9}},
		{"in fenced code", "```\n<!-- x -->\n```\n", Extent{Lines: 3, Bytes: 19}},
		{"behind fenced code", "```html\n<b>\n```\n<!-- x -->\n", Extent{Lines: 3, Bytes: 16}},
		{"a shorter fence does not end it", "````\n```\n<!-- x -->\n````\n", Extent{Lines: 4, Bytes: 25}},
		{"tildes", "~~~\n```\n~~~\n<!-- x -->\n", Extent{Lines: 3, Bytes: 12}},
		{"comment at the end", "a\n<!-- x -->", Extent{Lines: 1, Bytes: 2}},
	} {
		got := Load([]byte(c.text), Limit{Stripped: true}).Have
		if got.Chars != got.Bytes || got.Tokens != (got.Bytes+3)/4 {
			t.Errorf("%s: %+v, all of it ASCII", c.name, got)
		}
		if got.Chars, got.Tokens = 0, 0; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	head := "---\nname: x\n---\n" // 3 lines that do not count
	for _, c := range []struct {
		name         string
		text         string
		lines, bytes int64
		want         int
	}{
		{"no limit", "a\nb\n", 0, 0, 0},
		{"front matter moves it down", head + "a\nb\nc\n", 2, 0, 5},
		{"as many lines as count", head + "a\nb\n", 2, 0, 0},
		{"bytes", head + "a\nb\nc\n", 0, 4, 5},
		{"inside a line", head + "abc\nd\n", 0, 2, 4},
		{"a comment between", "a\n<!--\n-->\nb\nc\n", 2, 0, 4},
		{"a comment behind the limit", "a\nb\n<!-- x -->\n", 2, 0, 0},
		{"a comment, then more", "a\nb\n<!-- x -->\nc\n", 2, 0, 3},
	} {
		if got := cutOf([]byte(c.text), claude(c.lines, c.bytes)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// cutOf is how many lines precede the first one that isn't loaded at all; 0: all is loaded, or nothing.
func cutOf(text []byte, limit Limit) int {
	l := Load(text, limit)
	return l.Line(text)
}

// claude is a limit as Claude Code has one.
func claude(lines, bytes int64) Limit {
	return Limit{Extent: Extent{Lines: lines, Bytes: bytes}, Stripped: true}
}

// FuzzMeasure: what counts is never more than the text, and a cut at what counts cuts nothing.
func FuzzMeasure(f *testing.F) {
	f.Add("---\nk: v\n---\na<!-- x -->\n```\n<!--\n```\n")
	f.Add("é") // a byte short of it, nothing is loaded: the cut is before the first line
	f.Fuzz(func(t *testing.T, text string) {
		e := Load([]byte(text), Limit{Stripped: true}).Have
		if e.Bytes > int64(len(text)) || e.Lines > int64(strings.Count(text, "\n")+1) {
			t.Fatalf("%+v of %q", e, text)
		}
		if e.Bytes > 0 {
			if cut := cutOf([]byte(text), claude(e.Lines, e.Bytes)); cut != 0 {
				t.Fatalf("cut %d of %+v", cut, e)
			}
			if l := Load([]byte(text), claude(0, e.Bytes-1)); e.Bytes > 1 && l.By != Bytes {
				t.Fatalf("no cut of %+v a byte short: %+v", e, l)
			}
		}
	})
}

func TestEstimatePart(t *testing.T) {
	for _, c := range []struct {
		text string
		size int64
		want int64
	}{{"", 0, 0}, {"abcd", 4, 1}, {"abcd", 4000, 1000}, {"日本語", 9, 3}, {"äöü", 6, 2}} {
		if got := EstimatePart([]byte(c.text), c.size); got != c.want {
			t.Errorf("%q: %d tokens, want %d", c.text, got, c.want)
		}
	}
}
