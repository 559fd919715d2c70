package text

import (
	"fmt"
	"testing"
)

func TestFinder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, in, want string }{
		{"note", "a note, a NOTE", "[[2 6] [10 14]]"},
		{"Note", "a note, a Note", "[[10 14]]"},
		{"aa", "aaaaa", "[[0 2] [2 4]]"},
		{"caf\u00e9", "CAFE\u0301", "[[0 6]]"},
		{"cafe\u0301", "Caf\u00e9", "[[0 5]]"},
		{"...", "a...", "[[1 4]]"},
		{"\xff", "a\xff\xfe", "[]"},
		{"", "a", "[]"},
	} {
		if got := fmt.Sprint(NewFinder(c.typed).All([]byte(c.in))); got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.typed, c.in, got, c.want)
		}
	}
}
