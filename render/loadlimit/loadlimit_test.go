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
		{"plain", "a\nb\n", Extent{2, 4}},
		{"no last newline", "a\nb", Extent{2, 3}},
		{"front matter", "---\nname: x\n---\na\n", Extent{1, 2}},
		{"only front matter", "---\nname: x\n---\n", Extent{}},
		{"a rule, no front matter", "---\na\n", Extent{2, 6}},
		{"comment with lines of its own", "a\n  <!-- one\ntwo -->  \nb\n", Extent{2, 4}},
		{"comment within a line", "a <!-- no --> b\n", Extent{1, 5}},
		{"two in a line", "a<!-- -->b<!-- -->c\n", Extent{1, 4}},
		{"text behind", "<!-- x --> b\n", Extent{1, 3}},
		{"comment after front matter", "---\nk: v\n---\n<!-- x -->\na\n", Extent{1, 2}},
		{"open comment", "a\n<!-- b\n", Extent{2, 9}},
		{"in fenced code", "```\n<!-- x -->\n```\n", Extent{3, 19}},
		{"behind fenced code", "```html\n<b>\n```\n<!-- x -->\n", Extent{3, 16}},
		{"a shorter fence does not end it", "````\n```\n<!-- x -->\n````\n", Extent{4, 25}},
		{"tildes", "~~~\n```\n~~~\n<!-- x -->\n", Extent{3, 12}},
		{"comment at the end", "a\n<!-- x -->", Extent{1, 2}},
	} {
		if got := Measure([]byte(c.text)); got != c.want {
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
		if got := Cut([]byte(c.text), c.lines, c.bytes); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// FuzzMeasure: what counts is never more than the text, and a cut at what counts cuts nothing.
func FuzzMeasure(f *testing.F) {
	f.Add("---\nk: v\n---\na<!-- x -->\n```\n<!--\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		e := Measure([]byte(text))
		if e.Bytes > int64(len(text)) || e.Lines > int64(strings.Count(text, "\n")+1) {
			t.Fatalf("%+v of %q", e, text)
		}
		if e.Bytes > 0 {
			if cut := Cut([]byte(text), e.Lines, e.Bytes); cut != 0 {
				t.Fatalf("cut %d of %+v", cut, e)
			}
			if cut := Cut([]byte(text), 0, e.Bytes-1); e.Bytes > 1 && cut == 0 {
				t.Fatalf("no cut of %+v a byte short", e)
			}
		}
	})
}
