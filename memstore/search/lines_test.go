package search

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tinyBlocks reads a text in blocks that are barely larger than what must fit into one.
func tinyBlocks(t *testing.T, m *Matcher, text string, block, most int) []Hit {
	t.Helper()
	var out []Hit
	l := newLines(m, func(h *Hit) bool { out = append(out, bare(t, text, *h)); return true }, nil)
	l.buf, l.most = make([]byte, block), most
	if err := l.read(context.Background(), strings.NewReader(text), 0, int64(len(text)), false); err != nil {
		t.Fatal(err)
	}
	return out
}

// longText has lines of all lengths around a block, with matches at every place.
func longText(r *rand.Rand) string {
	var b strings.Builder
	for range 12 {
		n := r.IntN(60)
		if r.IntN(4) == 0 {
			n = r.IntN(1500)
		}
		for range n {
			b.WriteString([]string{"x", "y", "é", "日", "ab", "needle", "Needle", "e\u0301"}[r.IntN(8)])
		}
		b.WriteString([]string{"\n", "\n\n", "\r\n"}[r.IntN(3)])
	}
	return b.String()
}

func TestBlocksLoseNothing(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		text, block := longText(r), 1024+r.IntN(3000)
		for _, query := range []string{"needle", "Needle", "é", "日x", "xx"} {
			m := must(t, Query{Text: query})
			want := hitsOf(text, func(line string) []Span { return obvious(line, query, m.Fold()) })
			if got := tinyBlocks(t, m, text, block, 0); !slices.EqualFunc(got, want, sameHit) {
				t.Fatalf("seed %d, %q in blocks of %d: %d hits, want %d", seed, query, block, len(got), len(want))
			}
		}
	}
}

func TestExpressionsSeeTheStartOfLongLines(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		text := longText(r)
		most := 300 + r.IntN(600)
		block := 2*most + r.IntN(500)
		for _, pattern := range []string{"need+le", "^.", "x.y", "[xy]é", "(ab|日)+x"} {
			re := regexp.MustCompile("(?i)" + pattern)
			want := hitsOf(text, func(line string) []Span {
				if len(line) > most {
					line = line[:most]
				}
				var out []Span
				for _, s := range re.FindAllStringIndex(strings.TrimSuffix(line, "\r"), -1) {
					out = append(out, Span{s[0], s[1]})
				}
				return out
			})
			got := tinyBlocks(t, must(t, Query{Text: pattern, Regexp: true}), text, block, most)
			if !slices.EqualFunc(got, want, sameHit) {
				t.Fatalf("seed %d, /%s/: %d hits, want %d", seed, pattern, len(got), len(want))
			}
		}
	}
}

func TestOneLineOfManyMatchesIsOneHit(t *testing.T) {
	text := strings.Repeat("needle ", 3<<20/7) + "\nneedle\n"
	got := linesOf(t, must(t, Query{Text: "needle"}), text)
	if len(got) != 2 || got[0].Matches != 3<<20/7 || got[1].Line != 2 {
		t.Errorf("%d hits, the first with %d matches", len(got), got[0].Matches)
	}
	got = linesOf(t, must(t, Query{Text: "need.e", Regexp: true}), text)
	if len(got) != 2 || got[0].Matches != lineMax/7 {
		t.Errorf("the expression: %d hits, the first with %d matches", len(got), got[0].Matches)
	}
}

func TestReadingEndsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	text := strings.Repeat("needle\n", 1<<20)
	n := 0
	_, err := must(t, Query{Text: "needle"}).Lines(ctx, strings.NewReader(text), int64(len(text)), func(*Hit) bool {
		if n++; n == 10 {
			cancel()
		}
		return true
	})
	if err != context.Canceled || n >= 1<<20 {
		t.Errorf("Lines = %v after %d hits", err, n)
	}
}

func TestQueries(t *testing.T) {
	for _, c := range []struct {
		typed  string
		regexp bool
		text   string
	}{{"todo", false, "todo"}, {"/to.o/", true, "to.o"}, {"/", false, "/"}, {"//", false, "//"}, {"/a", false, "/a"},
		{"a/b/", false, "a/b/"}} {
		q := ParseQuery(c.typed)
		if q.Regexp != c.regexp || q.Text != c.text || q.String() != c.typed {
			t.Errorf("ParseQuery(%q) = %+v, written %q", c.typed, q, q)
		}
	}
	for pattern, fold := range map[string]bool{
		"todo": true, "Todo": false, `\Sx`: true, `\pLx`: true, `\p{Greek}x`: true, `\p{Greek}X`: false,
		`(?P<Name>x)`: true, `(?P<Name>X)`: false, `[A-Z]`: false, `\x{4A}b`: true, `(?i)x`: true, `\bÄ`: false, `\`: true, `(?`: true,
	} {
		if got := !hasUpper(withoutEscapes(pattern)); got != fold {
			t.Errorf("%q: fold %v, want %v", pattern, got, fold)
		}
	}
}

func TestWhatCannotBeSearchedIsASentence(t *testing.T) {
	for _, q := range []Query{
		{Text: ""}, {Text: "a\nb"}, {Text: strings.Repeat("x", literalMax+1)},
		{Text: "(", Regexp: true}, {Text: "a{1001}", Regexp: true}, {Text: "((a{100}){100}){100}", Regexp: true},
		{Text: "(a{60}){90}", Regexp: true}, {Text: "(?=x)", Regexp: true}, {Text: "\xff(", Regexp: true},
		{Text: strings.Repeat("a|", patternMax), Regexp: true}, {Text: strings.Repeat("(", 999), Regexp: true},
	} {
		_, err := Compile(q)
		if err == nil || strings.Contains(err.Error(), "regexp:") || strings.Contains(err.Error(), "error parsing") || len(err.Error()) > 200 {
			t.Errorf("Compile(%.40q) = %v", q.Text, err)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		query, path string
		want        int
	}{
		{"notes", "/memories/notes/a.md", 0}, {"a.md", "/memories/notes/a.md", 1}, {"notes/a", "/memories/notes/a.md", 1},
		{"memories", "/memories/a.md", 0}, {"memories/", "/memories/x/a.md", 0}, {"É", "/memories/e\u0301.md", 0},
		{"é", "/memories/E\u0301.md", 1},
		{"/^a/", "/memories/notes/a.md", 1}, {"/^notes\\/a/", "/memories/notes/a.md", 1},
	} {
		spans := must(t, ParseQuery(c.query)).nameSpans(c.path)
		if len(spans) != c.want {
			t.Errorf("%q in %q: %v", c.query, c.path, spans)
		}
		for _, s := range spans {
			if s.Start < len("/memories/") || s.End > len(c.path) {
				t.Errorf("%q in %q: %v", c.query, c.path, spans)
			}
		}
	}
}

// The line after the one that was enough must not replace it: the first line of a note would depend on the case of the words.
func TestTheFirstLineIsTheFirst(t *testing.T) {
	t.Parallel()
	text := "Waitlist when a sailing is full\n\nJoin the waitlist with two seats\n"
	for _, c := range []struct {
		words string
		line  int
	}{{"waitlist", 1}, {"Waitlist", 1}, {"waitlist seats", 3}, {"/(?i)waitlist/", 1}} {
		w, err := ParseWords(strings.Fields(c.words))
		if err != nil {
			t.Fatal(err)
		}
		h, ok, err := w.First(t.Context(), strings.NewReader(text), int64(len(text)))
		if err != nil || !ok || h.Line != c.line {
			t.Errorf("%s: line %d, %v, %v", c.words, h.Line, ok, err)
		}
	}
	emitted := 0
	m, err := Compile(ParseQuery("waitlist"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Lines(t.Context(), strings.NewReader(text), int64(len(text)), func(*Hit) bool { emitted++; return false }); err != nil ||
		emitted != 1 {
		t.Errorf("%d lines after the first was enough: %v", emitted, err)
	}
}
