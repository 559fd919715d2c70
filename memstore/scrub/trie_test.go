package scrub

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestWalkFindsWhatAPlainSearchFinds compares the automaton with a search for each word at each place.
func TestWalkFindsWhatAPlainSearchFinds(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("abAB-"[rng.IntN(5)])
		}
		return b.String()
	}
	for range 200 {
		var words []string
		for range 1 + rng.IntN(8) {
			if w := strings.ToLower(random(1 + rng.IntN(4))); !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		found, left := newWordTrie(words)
		if len(left) > 0 {
			t.Fatalf("%q: left out %v", words, left)
		}
		text := random(60)
		var want, got [][2]int // the end and the word
		for end := 1; end <= len(text); end++ {
			for i, w := range words {
				if strings.HasSuffix(strings.ToLower(text[:end]), w) {
					want = append(want, [2]int{end, i})
				}
			}
		}
		for _, h := range found.Walk([]byte(text), nil) {
			got = append(got, [2]int{int(h.End), int(h.Word)})
		}
		order := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
		slices.SortFunc(got, order)
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v, not %v", words, text, got, want)
		}
	}
}
