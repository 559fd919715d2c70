package diff

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
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

// BenchmarkLines has the sizes of the speed goals; each has a diff -u beside
// it. The hard pairs have a limit of 200 ms, in addition to the time that finding their lines takes.
func BenchmarkLines(b *testing.B) {
	benchPair(b, "1M lines, 1 edit", numbered(0, 999_999), edited(999_999, 999_999))
	benchPair(b, "100k lines, 100 edits", numbered(0, 100_000), edited(100_000, 1000))
	benchPair(b, "1M lines, 100 edits", numbered(0, 999_999), edited(999_999, 10_000))
	b.Run("100k lines, 100 edits, white space ignored", func(b *testing.B) {
		old, changed := numbered(0, 100_000), edited(100_000, 1000)
		for b.Loop() {
			Lines(context.Background(), old, changed, Options{IgnoreSpace: true})
		}
	})
	benchPair(b, "10k lines, rewritten", numbered(0, 10_000), reversed(10_000))
	benchPair(b, "10k lines, every third changed", numbered(0, 10_000), edited(10_000, 3))
	benchPair(b, "1k lines, 3 edits", numbered(0, 1000), edited(1000, 333))
}

func BenchmarkHardPairs(b *testing.B) {
	for _, p := range hardPairs(999_999) {
		benchPair(b, p.name, p.a(), p.b())
	}
}

// BenchmarkView lays out a large diff and draws screens of it.
func BenchmarkView(b *testing.B) {
	old, changed := numbered(0, 100_000), edited(100_000, 100)
	r := Lines(context.Background(), old, changed, Options{Timeout: time.Minute})
	b.Run("layout, 1,000 edits in 100k lines", func(b *testing.B) {
		for b.Loop() {
			Unified(r, NewText(old), NewText(changed), Options{})
		}
	})
	view := Unified(r, NewText(old), NewText(changed), Options{})
	b.Run("screen", func(b *testing.B) {
		for at := 0; b.Loop(); at = (at + 7919*60) % view.Len() {
			for i := at; i < min(at+60, view.Len()); i++ {
				view.At(i)
			}
		}
	})
}

func benchPair(b *testing.B, name string, old, changed []byte) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		var r *Result
		for b.Loop() {
			r = Lines(context.Background(), old, changed, Options{})
		}
		b.ReportMetric(float64(r.Added+r.Removed), "changed-lines")
	})
	b.Run(name+"/diff -u", func(b *testing.B) {
		program, err := exec.LookPath("diff")
		if err != nil {
			b.Skip("no diff program here to compare with")
		}
		fileA, fileB := filepath.Join(b.TempDir(), "a"), filepath.Join(b.TempDir(), "b")
		write(b, fileA, old)
		write(b, fileB, changed)
		for b.Loop() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			// Status 1 says that the files differ.
			_ = exec.CommandContext(ctx, program, "-u", fileA, fileB).Run()
			late := ctx.Err() != nil
			cancel()
			if late {
				b.Skip("diff -u takes more than 10 s for this pair")
			}
		}
	})
}

func write(tb testing.TB, name string, data []byte) {
	tb.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		tb.Fatal(err)
	}
}
