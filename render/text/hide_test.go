package text

import (
	"strings"
	"testing"
)

// hide hides a part of a line.
func hide(line, part string) []byte {
	hidden := make([]bool, len(line))
	if i := strings.Index(line, part); i >= 0 {
		for k := range part {
			hidden[i+k] = true
		}
		for k := i; k < i+len(part); k++ {
			hidden[k] = true
		}
	}
	return Hide([]byte(line), hidden, Options{})
}

// A line with hidden characters has the bytes and the cells of the line, so that all offsets and rows hold for both.
func TestHiddenCharactersKeepBytesAndCells(t *testing.T) {
	for _, c := range []struct{ line, part, want string }{
		{"key: abcdef ok", "abcdef", "key: •••••• ok"},
		{"это Пароль!", "Пароль", "это ••••••!"},
		{"会議は東京です", "東京", "会議は••••です"},
		{"a\tb\xff\xfe secret", "secret", "a       b\\xfd\\xfd ••••••"},
		{"pw\x1b[31m", "pw\x1b[31m", "••^[••••"},
		{"cafe\u0301s", "cafe\u0301s", "•••••"},
		{"😀 smile 👍", "😀", "•• smile 👍"},
		{"none", "", "none"},
	} {
		o := Options{Hidden: true}
		got := hide(c.line, c.part)
		if len(got) != len(c.line) {
			t.Errorf("%q: %d bytes instead of %d", c.line, len(got), len(c.line))
		}
		var shown strings.Builder
		for _, s := range Spans(nil, got, o) {
			shown.WriteString(s.Text)
		}
		if shown.String() != c.want {
			t.Errorf("%q is shown as %q, want %q", c.line, shown.String(), c.want)
		}
		if a, b := Column([]byte(c.line), len(c.line), Options{}), Column(got, len(got), o); a != b {
			t.Errorf("%q: %d cells instead of %d", c.line, b, a)
		}
		for width := 1; width < 12; width++ {
			for _, row := range Wrap(nil, []byte(c.line), width, Options{}) {
				want, have := 0, 0
				for _, s := range Window([]byte(c.line)[row.Start:row.End], 0, width, Options{StartCol: row.Col}) {
					want += s.Width
				}
				for _, s := range Window(got[row.Start:row.End], 0, width, Options{StartCol: row.Col, Hidden: true}) {
					have += s.Width
					if Width(s.Text) != s.Width {
						t.Errorf("%q: %q is not %d cells", c.line, s.Text, s.Width)
					}
				}
				if want != have {
					t.Errorf("%q at %d: %d cells instead of %d", c.line, width, have, want)
				}
			}
		}
	}
	if got := Dots(string(hide("a 東京 b", "東京")), Options{ASCII: true}); got != "a **** b" {
		t.Errorf("%q", got)
	}
	if got := Spans(nil, []byte("\xff"), Options{}); got[0].Text != `\xff` {
		t.Errorf("a byte that hides nothing is shown as %q", got[0].Text)
	}
}
