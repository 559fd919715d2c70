package search

import (
	"bytes"
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// canonical is what two texts have in common that differ only in case and composition.
func canonical(s string, fold bool) string {
	s = norm.NFD.String(s)
	if !fold {
		return s
	}
	return strings.Map(func(r rune) rune {
		least := r
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			least = min(least, o)
		}
		return least
	}, s)
}

// strange is about the one letter above that has a second code point: who types K does not
// mean the sign of the kelvin, who types that means K too.
func strange(part, text string) bool {
	return strings.Contains(part, "\u212a") && !strings.Contains(text, "\u212a")
}

// obvious finds the matches of a literal in a line by trying every place. It is made for
// texts with at most one mark on a letter.
func obvious(line, text string, fold bool) []Span {
	var out []Span
	want := canonical(text, fold)
	most := 3*len(text) + 2
	for i := 0; i < len(line); {
		n := 0
		for j := i + 1; j <= min(len(line), i+most); j++ {
			part := line[i:j]
			if utf8.ValidString(part) && canonical(part, fold) == want && (fold || !strange(part, text)) {
				n = j - i
				break
			}
		}
		if n > 0 {
			out = append(out, Span{i, i + n})
			i += n
			continue
		}
		i++
	}
	return out
}

// hitsOf is what Lines must report of a text: obviously.
func hitsOf(text string, spans func(line string) []Span) []Hit {
	var out []Hit
	var at int64
	for i, line := range strings.SplitAfter(text, "\n") {
		bare := strings.TrimSuffix(line, "\n")
		if s := spans(bare); len(s) > 0 {
			out = append(out, Hit{Line: i + 1, Offset: at, Start: at + int64(s[0].Start), End: at + int64(s[0].End), Matches: len(s)})
		}
		at += int64(len(line))
	}
	return out
}

// bare leaves of a hit what hitsOf knows, and checks the rest.
func bare(t *testing.T, text string, h Hit) Hit {
	t.Helper()
	line, _, _ := strings.Cut(text[h.Offset:], "\n")
	if len(h.Text) == 0 || len(h.Text) > textMax || !strings.HasPrefix(line[h.From:], string(h.Text)) {
		t.Fatalf("line %d is kept as %q from %d; it is %.200q", h.Line, h.Text, h.From, line)
	}
	rest := strings.TrimSuffix(line[int(h.From)+len(h.Text):], "\r")
	if h.More != (rest != "") {
		t.Fatalf("line %d: more is %v, but %.100q follows", h.Line, h.More, rest)
	}
	if s := h.Spans[0]; h.Offset+h.From+int64(s.Start) != h.Start {
		t.Fatalf("line %d: the first span is %v, the match %d in a line at %d+%d", h.Line, s, h.Start, h.Offset, h.From)
	}
	return Hit{Line: h.Line, Offset: h.Offset, Start: h.Start, End: h.End, Matches: h.Matches}
}

func linesOf(t *testing.T, m *Matcher, text string) []Hit {
	t.Helper()
	var out []Hit
	counts, err := m.Lines(context.Background(), strings.NewReader(text), int64(len(text)), func(h *Hit) bool {
		out = append(out, bare(t, text, *h))
		return true
	})
	if err != nil || counts.Lines != len(out) {
		t.Fatalf("Lines = %+v, %v after %d hits", counts, err, len(out))
	}
	return out
}

func must(t testing.TB, q Query) *Matcher {
	t.Helper()
	m, err := Compile(q)
	if err != nil {
		t.Fatalf("Compile(%v): %v", q, err)
	}
	return m
}

// letters make texts in which matches are frequent and forms differ.
var letters = []string{"a", "b", "A", "k", "K", "\u212a", "s", "ſ", "S", "é", "É", "e\u0301", "E\u0301", "σ", "ς", "Σ",
	"한", "\u1112\u1161\u11ab", "日", "本", "\n", "\n", " ", "\r\n", "\xff", "🙂", "ä", "a\u0308", "ı", "İ"}

func randomOf(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) + 1 {
		b.WriteString(letters[r.IntN(len(letters))])
	}
	return b.String()
}

func checkLiteral(t *testing.T, text, query string) {
	t.Helper()
	m := must(t, Query{Text: query})
	spans := func(line string) []Span { return obvious(line, query, m.Fold()) }
	want, got := hitsOf(text, spans), linesOf(t, m, text)
	if !slices.EqualFunc(got, want, sameHit) {
		t.Fatalf("%q in %q: %+v, want %+v", query, text, got, want)
	}
	checkFind(t, m, text, want, spans)
}

// checkFind goes through the text match by match, in both directions.
func checkFind(t *testing.T, m *Matcher, text string, hits []Hit, spans func(string) []Span) {
	t.Helper()
	var all [][2]int64
	for _, h := range hits {
		line, _, _ := strings.Cut(text[h.Offset:], "\n")
		for _, s := range spans(line) {
			all = append(all, [2]int64{h.Offset + int64(s.Start), h.Offset + int64(s.End)})
		}
	}
	ctx, r, size := context.Background(), strings.NewReader(text), int64(len(text))
	for at := int64(0); at <= size; at++ {
		i := slices.IndexFunc(all, func(s [2]int64) bool { return s[0] >= at })
		got, ok, err := m.Find(ctx, r, size, at, false)
		if err != nil || ok != (i >= 0) || ok && got != all[i] {
			t.Fatalf("Find %q from %d in %q = %v, %v, %v; want %d of %v", m.Query(), at, text, got, ok, err, i, all)
		}
		if i < 0 {
			i = len(all)
		}
		got, ok, err = m.Find(ctx, r, size, at, true)
		if err != nil || ok != (i > 0) || ok && got != all[i-1] {
			t.Fatalf("Find %q backward from %d in %q = %v, %v, %v; want %d of %v", m.Query(), at, text, got, ok, err, i-1, all)
		}
	}
	if n, err := m.Count(ctx, r, size, size, nil); n != len(all) || err != nil {
		t.Fatalf("Count = %d, %v; want %d", n, err, len(all))
	}
}

func sameHit(a, b Hit) bool {
	return a.Line == b.Line && a.Offset == b.Offset && a.Start == b.Start && a.End == b.End && a.Matches == b.Matches
}

func TestLiteralsAgainstTheObvious(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 1))
		query := strings.NewReplacer("\n", "", "\r", "").Replace(randomOf(r, 3))
		if query == "" || !utf8.ValidString(query) {
			continue
		}
		checkLiteral(t, randomOf(r, 40), query)
	}
}

var patterns = []string{"a", "a+b", "[aä]", "^a", "b$", "é|한", "k.", "日本?", `\bs`, "(a|b)k", ".", "a*", "s{2,3}", `\S+`, "(?:k|s)a",
	"[^a]b", "A|ab", "x*", `a\z`, "日.*本", "�", "[ks]{2}", `[a-k]+\b`, "(?:[aé]b?){2}", "[^a]{2}$"}

func checkPattern(t *testing.T, text, pattern string) {
	t.Helper()
	m, err := Compile(Query{Text: pattern, Regexp: true})
	if err != nil {
		return
	}
	source := pattern
	if m.Fold() {
		source = "(?i)" + source
	}
	re := regexp.MustCompile(source)
	spans := func(line string) []Span {
		var out []Span
		for _, s := range re.FindAllStringIndex(strings.TrimSuffix(line, "\r"), -1) {
			if s[1] > s[0] {
				out = append(out, Span{s[0], s[1]})
			}
		}
		return out
	}
	want, got := hitsOf(text, spans), linesOf(t, m, text)
	if !slices.EqualFunc(got, want, sameHit) {
		t.Fatalf("/%s/ in %q: %+v, want %+v", pattern, text, got, want)
	}
	checkFind(t, m, text, want, spans)
}

func TestPatternsAgainstTheObvious(t *testing.T) {
	for seed := range uint64(800) {
		r := rand.New(rand.NewPCG(seed, 2))
		checkPattern(t, randomOf(r, 40), patterns[r.IntN(len(patterns))])
	}
}

// Exact matches are always found, and every match differs from the query at most in case
// and composition.
func FuzzLiteral(f *testing.F) {
	f.Add("a\nKelvin \u212a é e\u0301\n", "é")
	f.Add("\xff\xfe", "\xff")
	f.Add("q\u0323\u0307 q\u0307\u0323", "q\u0307\u0323")
	f.Fuzz(func(t *testing.T, text, query string) {
		m, err := Compile(Query{Text: query})
		if err != nil || len(text) > 2000 {
			return
		}
		var found [][2]int64
		if err := m.each(context.Background(), strings.NewReader(text), 0, int64(len(text)), func(i, j int64) bool {
			found = append(found, [2]int64{i, j})
			return true
		}, nil); err != nil {
			t.Fatal(err)
		}
		end := int64(0)
		for _, s := range found {
			part := text[s[0]:s[1]]
			if s[0] < end || utf8.ValidString(query) && canonical(canonical(part, m.Fold()), false) != canonical(canonical(query, m.Fold()), false) {
				t.Fatalf("%q found in %q as %q", query, text, part)
			}
			end = s[1]
		}
		for at := 0; ; {
			i := strings.Index(text[at:], query)
			if i < 0 {
				break
			}
			at += i
			if !slices.ContainsFunc(found, func(s [2]int64) bool { return s[0] < int64(at+len(query)) && s[1] > int64(at) }) {
				t.Fatalf("%q at %d in %q was not found", query, at, text)
			}
			at++
		}
	})
}

func FuzzPattern(f *testing.F) {
	for i, p := range patterns {
		f.Add(strings.Join(letters[i:], ""), p)
	}
	f.Fuzz(func(t *testing.T, text, pattern string) {
		if len(text) > 300 || bytes.ContainsRune([]byte(pattern), '\n') {
			return
		}
		checkPattern(t, text, pattern)
	})
}
