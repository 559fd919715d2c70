package text

import (
	"strings"
	"testing"
)

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		in          string
		from, width int
		want        string
	}{
		{"abcdef", 0, 3, "abc"},
		{"abcdef", 2, 3, "cde"},
		{"abcdef", 6, 3, ""},
		{"abcdef", 2, 0, ""},
		{"abcdef", -1, 2, "ab"},
		{"日本語", 1, 4, " 本 "},
		{"a\tb", 3, 6, "{T     }b"},
		{"a\x1bb", 2, 2, "{C[}b"},
		{"x\u202ey", 3, 4, "{I+202}"},
		{"e\u0301e\u0301x", 1, 2, "e\u0301x"},
		{"ab日", 0, 3, "ab "},
	} {
		if got := show(Window([]byte(c.in), c.from, c.width, Options{})); got != c.want {
			t.Errorf("Window(%+q, %d, %d) = %q, want %q", c.in, c.from, c.width, got, c.want)
		}
	}
}

func TestColumnAndByteAt(t *testing.T) {
	line := []byte("a\t日e\u0301\x1bz")
	for _, c := range []struct{ off, col int }{
		{0, 0}, {1, 1}, {2, 8}, {3, 8}, {4, 8}, {5, 10}, {6, 10}, {7, 10}, {8, 11}, {9, 13}, {10, 14}, {99, 14},
	} {
		if got := Column(line, c.off, Options{}); got != c.col {
			t.Errorf("Column(%d) = %d, want %d", c.off, got, c.col)
		}
	}
	for _, c := range []struct{ col, off int }{
		{-1, 0}, {0, 0}, {1, 1}, {7, 1}, {8, 2}, {9, 2}, {10, 5}, {11, 8}, {12, 8}, {13, 9}, {14, 10}, {99, 10},
	} {
		if got := ByteAt(line, c.col, Options{}); got != c.off {
			t.Errorf("ByteAt(%d) = %d, want %d", c.col, got, c.off)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"", 10, ""},
		{"the quick brown fox", 10, "the quick |brown fox"},
		{"the quickest brown", 10, "the quicke|st brown"},
		{"aaaaaaaaaaaaa bb", 10, "aaaaaaaaaa|aaa bb"},
		{"aaaaaaaaaa bb", 10, "aaaaaaaaaa| bb"},
		{"key=value,other=1", 12, "key=value,|other=1"},
		{"日本語日本語", 5, "日本|語日|本語"},
		{"abcd日本語", 7, "abcd日|本語"},
		{"a\x1bb", 2, "a|\x1b|b"},
		{"\u202e\u202e", 10, "\u202e|\u202e"},
	} {
		var got []string
		for _, r := range Wrap(nil, []byte(c.in), c.width, Options{}) {
			got = append(got, c.in[r.Start:r.End])
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("Wrap(%+q, %d) = %+q, want %+q", c.in, c.width, strings.Join(got, "|"), c.want)
		}
	}
}
