package text

import "testing"

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"theme", "theme", 0}, {"thmee", "theme", 1}, {"them", "theme", 1}, {"über", "uber", 1}, {"keys", "rules", 4}} {
		if got := EditDistance(c.a, c.b); got != c.want || got != EditDistance(c.b, c.a) {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
