package flow

import (
	"strings"
	"testing"

	"memcurator/render/text"
)

func line(parts ...Span) Line {
	b := NewBuilder(text.Options{})
	for _, p := range parts {
		b.Text([]byte(p.Text), p)
	}
	return b.Line()
}

func shown(rows []Row) string {
	var out []string
	for _, r := range rows {
		var b strings.Builder
		for _, s := range r.Spans {
			b.WriteString(s.Text)
		}
		out = append(out, b.String())
	}
	return strings.Join(out, "\n")
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name  string
		l     Line
		width int
		want  string
	}{
		{"fits", line(Span{Text: "one two"}), 20, "one two"},
		{"empty", Line{}, 20, ""},
		{"wraps over looks", line(Span{Text: "one "}, Span{Text: "two", Attr: Bold}, Span{Text: " three"}), 8, "one two \nthree"},
		{"prefixes", Line{Prefix: []Span{Own("* ", Marker)}, Hang: []Span{Own("  ", Plain)},
			Spans: line(Span{Text: "one two three"}).Spans}, 9, "* one two\n  three"},
		{"prefix wider than half", Line{Prefix: []Span{Own("12345678", Marker)}, Hang: []Span{Own("12345678", Marker)},
			Spans: line(Span{Text: "abcdef"}).Spans}, 8, "1234abcd\n1234ef"},
		{"wide letters", line(Span{Text: "日本語"}), 4, "日本\n語"},
		{"wider than the row", line(Span{Text: "日a"}), 1, "\na"},
		{"tabs go on from what is before", line(Span{Text: "ab"}, Span{Text: "\tc", Role: Code}), 20, "ab      c"},
		{"hostile", line(Span{Text: "a\x1b[31m\r\u202e\xff"}), 40, `a^[[31m^M<U+202E>\xff`},
	} {
		rows := Rows(nil, []Line{c.l}, Options{Width: c.width})
		if got := shown(rows); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		for _, r := range rows {
			if r.Width != Width(r.Spans) || r.Width > c.width {
				t.Errorf("%s: a row of %d cells says %d, the limit is %d", c.name, Width(r.Spans), r.Width, c.width)
			}
		}
	}
}

func FuzzRows(f *testing.F) {
	f.Add("one [[two]]\t日本\u0301", "\x1b\u202e\xff", uint8(7))
	f.Fuzz(func(t *testing.T, a, b string, width uint8) {
		l := line(Span{Text: a}, Span{Text: b, Role: Code})
		joined := shown(Rows(nil, []Line{l}, Options{Width: max(8, int(width))})) // in 8 cells everything has room
		unbroken := strings.NewReplacer(" ", "", "\n", "")
		if unbroken.Replace(joined) != unbroken.Replace(l.Content()) {
			t.Fatalf("the rows hold %q of %q", joined, l.Content())
		}
		l.Prefix = []Span{Own("> ", Marker)}
		l.Hang = l.Prefix
		for _, r := range Rows(nil, []Line{l}, Options{Width: int(width)}) {
			joined := shown([]Row{r})
			if w := text.Width(joined); w != r.Width || r.Width > max(1, int(width)) {
				t.Fatalf("%q takes %d cells, the row says %d, the limit is %d", joined, w, r.Width, width)
			}
		}
	})
}
