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
	a, b []byte
} {
	repeat := func(s string, n int) []byte { return bytes.Repeat([]byte(s), n) }
	vocabulary := func(seed uint32, words int) []byte {
		var s bytes.Buffer
		x := seed
		for range n {
			x = x*1664525 + 1013904223
			fmt.Fprintf(&s, "event %d\n", int(x>>8)%words)
		}
		return s.Bytes()
	}
	return []struct {
		name string
		a, b []byte
	}{
		{"one line repeated, other ends", append(repeat("x\n", n-1), "y\n"...), append([]byte("z\n"), repeat("x\n", n/2)...)},
		{"two lines swapped", repeat("x\ny\n", n/2), repeat("y\nx\nx\n", n/3)},
		{"tiny vocabulary", vocabulary(1, 3), vocabulary(2, 3)},
		{"small vocabulary", vocabulary(1, 100), vocabulary(2, 100)},
		{"reversed", numbered(0, n/7), reversed(n / 7)},
		{"nothing in common", numbered(0, n), numbered(2*n, n)},
		{"empty lines against text", repeat("\n", n), numbered(0, n)},
		{"every second line changed", numbered(0, n), edited(n, 2)},
		{"unrelated, below the limit", numbered(0, n/100), numbered(n, n/100)},
	}
}

func reversed(n int) []byte {
	var s bytes.Buffer
	for i := range n {
		s.WriteString(note(n - i))
	}
	return s.Bytes()
}
