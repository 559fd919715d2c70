package bigfile

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// hitLength is the obvious matcher: the length of the hit at the beginning of text, 0 for
// none.
func hitLength(text string, q Query) int {
	switch {
	case q.Text == "" || strings.Contains(q.Text, "\n"):
		return 0
	case !q.Fold || !utf8.ValidString(q.Text):
		if strings.HasPrefix(text, q.Text) {
			return len(q.Text)
		}
		return 0
	}
	for n := 1; n <= min(len(text), utf8.UTFMax*len(q.Text)); n++ {
		if part := text[:n]; utf8.ValidString(part) && strings.EqualFold(part, q.Text) {
			return n
		}
	}
	return 0
}

// allHits returns every hit, overlapping ones too, as pairs of start and end.
func allHits(text string, q Query) [][2]int {
	var hits [][2]int
	for i := range len(text) {
		if n := hitLength(text[i:], q); n > 0 {
			hits = append(hits, [2]int{i, i + n})
		}
	}
	return hits
}

func apart(hits [][2]int) [][2]int {
	var out [][2]int
	end := 0
	for _, h := range hits {
		if h[0] >= end {
			out = append(out, h)
			end = h[1]
		}
	}
	return out
}

func checkSearch(t *testing.T, f *File, text string, q Query) {
	t.Helper()
	ctx := context.Background()
	all := allHits(text, q)
	for from := range int64(len(text)) + 2 {
		i := slices.IndexFunc(all, func(h [2]int) bool { return int64(h[0]) >= from })
		h, ok, err := f.Find(ctx, q, from, false)
		checkHit(t, f, text, q, from, all, i, h, ok, err)
		if i < 0 {
			i = len(all)
		}
		h, ok, err = f.Find(ctx, q, from, true)
		checkHit(t, f, text, q, from, all, i-1, h, ok, err)
	}
	want := apart(all)
	if got := f.Matches([]byte(text), q); !slices.Equal(got, want) {
		t.Fatalf("Matches of %+v in %q = %v, want %v", q, text, got, want)
	}
	for place := range int64(len(text)) + 2 {
		before := 0
		for _, h := range want {
			if int64(h[0]) < place {
				before++
			}
		}
		if n, err := f.CountBefore(ctx, q, place); n != before || err != nil {
			t.Fatalf("CountBefore %d of %+v in %q = %d, %v; want %d", place, q, text, n, err, before)
		}
	}
	if n, err := f.Count(ctx, q, nil); n != len(want) || err != nil {
		t.Fatalf("Count of %+v in %q = %d, %v; want %d", q, text, n, err, len(want))
	}
}

// checkHit wants the i-th of all hits, none for -1.
func checkHit(t *testing.T, f *File, text string, q Query, from int64, all [][2]int, i int, h Hit, ok bool, err error) {
	t.Helper()
	if err != nil || ok != (i >= 0) {
		t.Fatalf("Find %+v from %d in %q = %+v, %v, %v; want hit %d of %v", q, from, text, h, ok, err, i, all)
	}
	if i < 0 {
		return
	}
	want := Hit{Line: -1, Offset: -1, Start: int64(all[i][0]), End: int64(all[i][1])}
	if f.Facts().Indexed >= want.Start {
		head := text[:want.Start]
		want.Line = strings.Count(head, "\n")
		want.Offset = int64(strings.LastIndexByte(head, '\n') + 1)
	}
	if h != want {
		t.Fatalf("Find %+v from %d in %q = %+v, want %+v", q, from, text, h, want)
	}
}

var queries = []string{"a", "kk", "K", "sS", "ſ", "the", " THE ", "é", "日", "日a", "🙂", "xx", "XXX", "\r", "\xff", "\x80", "a\nb", "",
	"�", "ÉK", "ΣΑΣ", "ß", "tHe"}

func TestSearchRandom(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		text, tune := randomText(r), randomTuning(r)
		q := Query{queries[r.IntN(len(queries))], r.IntN(3) > 0}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			checkSearch(t, indexed(t, Bytes([]byte(text)), tune), text, q)
		})
	}
}

func FuzzSearch(f *testing.F) {
	for i, text := range texts {
		f.Add([]byte(text), queries[i%len(queries)], true, uint64(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, q string, fold bool, seed uint64) {
		if len(b) > 200 || len(q) > 20 {
			return
		}
		tune := randomTuning(rand.New(rand.NewPCG(seed, 4)))
		checkSearch(t, indexed(t, Bytes(b), tune), string(b), Query{q, fold})
	})
}

// TestSearchRealChunks puts hits on every side of the borders of full-sized chunks.
func TestSearchRealChunks(t *testing.T) {
	text := bytes.Repeat([]byte("."), 3*standard.chunk)
	var want []int64
	for i, n := range []int{0, standard.chunk - 6, 2*standard.chunk - 3, 3*standard.chunk - 6} {
		copy(text[n:], []string{"needle", "NEEDLE"}[i%2])
		want = append(want, int64(n))
	}
	f := New(Bytes(text))
	for _, q := range []Query{{"needle", true}, {"Needle", true}} {
		var forward, backward []int64
		for from := int64(0); ; from = forward[len(forward)-1] + 1 {
			h, ok, err := f.Find(context.Background(), q, from, false)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			forward = append(forward, h.Start)
		}
		for from := int64(len(text)); ; from = backward[0] {
			h, ok, err := f.Find(context.Background(), q, from, true)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			backward = append([]int64{h.Start}, backward...)
		}
		if !slices.Equal(forward, want) || !slices.Equal(backward, want) {
			t.Errorf("forward %v, backward %v; want %v", forward, backward, want)
		}
	}
}
