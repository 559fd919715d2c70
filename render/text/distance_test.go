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

func TestNearest(t *testing.T) {
	words := []string{"demo", "exec", "ls", "cat", "version", "completion", "help"}
	for word, want := range map[string]string{
		"ls": "ls", "LS": "ls", "sl": "ls", "lss": "ls", "exce": "exec", "cta": "cat", "comp": "completion", "verzjon": "version",
		"notes": "", "db": "", "memories": "", "xyz": "", "": "", "é": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
