package search

import (
	"regexp/syntax"
	"strings"
	"testing"
)

// What each match of an expression is known to hold: a given number of bytes in a row of a set.
func TestRequiredStretch(t *testing.T) {
	for _, c := range []struct {
		pattern, set string
		least        int
	}{
		{`\d{4}`, "0123456789", 4},
		{`\d{4}-\d\d`, "-0123456789", 7},
		{`^\s*(\d+)\.\d{2,}$`, ".0123456789", 4},
		{`.*[0-7]{3}x?`, "01234567", 3},
		{`(ab|[bc]d)+`, "abcd", 2},
		{`x*`, "", 0},
		{`.`, "", 0},
		{`[^a]{3}`, "", 0},
		{`(?s).{9}`, "", 0},
	} {
		parsed, err := syntax.Parse(c.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		set, least := "", 0
		if s := requiredStretch(parsed); s != nil {
			least = s.least
			for b, in := range s.set {
				if in {
					set += string(rune(b))
				}
			}
		}
		if set != c.set || least != c.least {
			t.Errorf("%s: %d of %q, want %d of %q", c.pattern, least, set, c.least, c.set)
		}
	}
}

func TestStretchIsFound(t *testing.T) {
	s := &stretch{least: 3}
	s.add('0', '9')
	for text, want := range map[string]int{
		"": -1, "12": -1, "123": 0, "a123": 1, "12a345": 3, "1a23b45c678": 8, "12345": 0, strings.Repeat("12-", 9) + "123": 27,
	} {
		if at := s.find([]byte(text), 0); at != want {
			t.Errorf("in %q at %d, want %d", text, at, want)
		}
	}
	if at := s.find([]byte("123456"), 2); at != 2 {
		t.Errorf("from 2 at %d", at)
	}
}

// Expressions are looked for by a stretch only where that says more than a text they need.
func TestStretchOrText(t *testing.T) {
	for line, want := range map[string]bool{
		`/\d{4}/`: true, `/[0-9]{4}-[0-9]{2}/`: true, `/foo|bar/`: false, `/quetz.l fl[a-z]+s/`: false, `/\d-\d/`: false, `/.+/`: false,
	} {
		if m := must(t, ParseQuery(line)); (m.stretch != nil) != want {
			t.Errorf("%s: by a stretch %v", line, !want)
		}
	}
}

// BenchmarkStretch looks for expressions without a text of their own in prose with lists, by what
// they need and without.
func BenchmarkStretch(b *testing.B) {
	text := strings.Repeat("- an item of a list, with a well-known word - and a dash\nSome words of a note that an agent wrote in "+
		"12 minutes.\n", 20_000) + "on 2026-11-21\n"
	for _, line := range []string{`/\d{4}/`, `/\d{4}-\d\d/`, `/[A-Z]{3,}/`} {
		m := must(b, ParseQuery(line))
		for _, name := range []string{"by stretch", "without"} {
			b.Run(line[1:len(line)-1]+" "+name, func(b *testing.B) {
				if name == "without" {
					m.stretch = nil
				}
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := m.Count(b.Context(), strings.NewReader(text), int64(len(text)), int64(len(text)), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
