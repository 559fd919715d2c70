package search

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func must(t testing.TB, q Query) *Matcher {
	t.Helper()
	m, err := Compile(q)
	if err != nil {
		t.Fatalf("Compile(%v): %v", q, err)
	}
	return m
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 400)
	for _, c := range []struct {
		query, text string
		want        []string // line:start-end matches spans text
	}{
		{"needle", "a\nNeedle, needle\r\nno\nneedle", []string{"2:2-8 2 [{0 6} {8 14}] Needle, needle", "4:21-27 1 [{0 6}] needle"}},
		{"Needle", "needle\nNeedle\n", []string{"2:7-13 1 [{0 6}] Needle"}},
		{"é", "cafe\u0301\nCAFÉ", []string{"1:3-6 1 [{3 6}] cafe\u0301", "2:10-12 1 [{3 5}] CAFÉ"}},
		{"日本", "東京\n日本語", []string{"2:7-13 1 [{0 6}] 日本語"}},
		{"/n.+e$/", "need\r\nnone\r\nNONE\n", []string{"2:6-10 1 [{0 4}] none", "3:12-16 1 [{0 4}] NONE"}},
		{`/\Sone/`, "Xone\n", []string{"1:0-4 1 [{0 4}] Xone"}},
		{`/\p{Greek}/`, "a Σ", []string{"1:2-4 1 [{2 4}] a Σ"}},
		{"/x*/", "a\nxx\n", []string{"2:2-4 1 [{0 2}] xx"}},
		{"//usr/", "see /USR/ and //usr/", []string{"1:14-20 1 [{14 20}] see /USR/ and //usr/"}},
		{"x", long + "x" + long, []string{"1:800-801 1 [{120 121}] " + strings.Repeat("é", 60) + "x" + strings.Repeat("é", 195)}},
		{"nothing", "a\nb\n", nil},
		{"a", "", nil},
	} {
		query := ParseQuery(c.query)
		if c.query == "//usr/" {
			query = Query{Text: c.query}
		}
		var got []string
		must(t, query).Lines([]byte(c.text), func(h Hit) bool {
			got = append(got, fmt.Sprintf("%d:%d-%d %d %v %s", h.Line, h.Start, h.End, h.Matches, h.Spans, h.Text))
			return true
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s in %.60q:\n%q, want\n%q", c.query, c.text, got, c.want)
		}
	}
}

func TestWhatCannotBeSearchedIsASentence(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":         "Nothing to search for. Type some text, or a regular expression between slashes",
		"a\nb":     "A match is within one line. Search for one of the lines",
		"/a(b/":    "Invalid regular expression a(b: missing closing )",
		"/(?=a)b/": "Invalid regular expression: look-ahead and look-behind are not supported",
	} {
		if _, err := Compile(ParseQuery(query)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", query, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, path string
		want        []Span
	}{
		{"plan", "/memories/plan/notes.md", nil},
		{"plan", "/memories/a/Plan.md", []Span{{12, 16}}},
		{"a/plan", "/memories/a/plan.md", []Span{{10, 16}}},
		{"/n.tes/", "/memories/notes.md", []Span{{10, 15}}},
		{"nts", "/memories/notes.md", nil},
	} {
		if got := must(t, ParseQuery(c.query)).nameSpans(c.path); !slices.Equal(got, c.want) {
			t.Errorf("%s in %s: %v, want %v", c.query, c.path, got, c.want)
		}
	}
}

// FuzzLines compares Lines, which passes over lines without a match, with a look at every line.
func FuzzLines(f *testing.F) {
	f.Add("a k\r\n\u212a b\nK", "k")
	f.Add("e\u0301\n\xffé", "é")
	f.Add("s\nſS", "/s+$/")
	f.Fuzz(func(t *testing.T, text, query string) {
		m, err := Compile(ParseQuery(query))
		if err != nil {
			t.Skip()
		}
		var got []int
		m.Lines([]byte(text), func(h Hit) bool {
			got = append(got, h.Line)
			if len(h.Text) > textMax || !strings.HasPrefix(text[h.Offset:], string(h.Text)) || h.Offset+h.Spans[0].Start != h.Start ||
				utf8.ValidString(text) && !utf8.Valid(h.Text) {
				t.Fatalf("%q in %q: %+v", query, text, h)
			}
			return true
		})
		var want []int
		for i, line := range bytes.Split([]byte(text), []byte("\n")) {
			if len(m.Spans(nil, bytes.TrimSuffix(line, []byte("\r")))) > 0 {
				want = append(want, i+1)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q: lines %v, want %v", query, text, got, want)
		}
	})
}
