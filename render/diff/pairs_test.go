package diff

import (
	"bytes"
	"fmt"
)

// note is a line of about 55 bytes, different for each number.
func note(i int) string {
	return fmt.Sprintf("- [x] item %07d: checked the report and filed it\n", i)
}

// numbered is a text of n different lines; edited changes every step-th.
func numbered(from, n int) []byte {
	var s bytes.Buffer
	for i := range n {
		s.WriteString(note(from + i))
	}
	return s.Bytes()
}

func edited(n, step int) []byte {
	var s bytes.Buffer
	for i := range n {
		if i%step == step/2 {
			fmt.Fprintf(&s, "changed %d\n", i)
		} else {
			s.WriteString(note(i))
		}
	}
	return s.Bytes()
}

// hardPairs are shapes that are slow for one algorithm or another, with about
// n lines.
func hardPairs(n int) []struct {
	name string
	a, b func() []byte
} {
	repeat := func(s string, n int) func() []byte {
		return func() []byte { return bytes.Repeat([]byte(s), n) }
	}
	vocabulary := func(seed uint32, n, words int) func() []byte {
		return func() []byte {
			var s bytes.Buffer
			x := seed
			for range n {
				x = x*1664525 + 1013904223
				fmt.Fprintf(&s, "event %d\n", int(x>>8)%words)
			}
			return s.Bytes()
		}
	}
	distinct := func(from, n int) func() []byte {
		return func() []byte { return numbered(from, n) }
	}
	return []struct {
		name string
		a, b func() []byte
	}{
		{"one line repeated, other ends", func() []byte { return append(repeat("x\n", n-1)(), "y\n"...) },
			func() []byte { return append([]byte("z\n"), repeat("x\n", n/2)()...) }},
		{"two lines swapped", repeat("x\ny\n", n/2), repeat("y\nx\nx\n", n/3)},
		{"tiny vocabulary", vocabulary(1, n, 3), vocabulary(2, n, 3)},
		{"tiny vocabulary, one piece", vocabulary(1, 4096, 3), vocabulary(2, 4096, 3)},
		{"small vocabulary", vocabulary(1, n, 100), vocabulary(2, n, 100)},
		{"large vocabulary", vocabulary(1, n, n/7), vocabulary(2, n, n/7)},
		{"reversed", distinct(0, n/7), func() []byte { return reversed(n / 7) }},
		{"nothing in common", distinct(0, n), distinct(2*n, n)},
		{"empty lines against text", repeat("\n", n), distinct(0, n)},
		{"every second line changed", distinct(0, n), func() []byte { return edited(n, 2) }},
		{"every second line changed, below the limit", distinct(0, n/10), func() []byte { return edited(n/10, 2) }},
		{"unrelated, below the limit", distinct(0, n/100), distinct(n, n/100)},
	}
}

func reversed(n int) []byte {
	var s bytes.Buffer
	for i := range n {
		s.WriteString(note(n - i))
	}
	return s.Bytes()
}
