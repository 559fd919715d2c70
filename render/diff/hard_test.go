package diff

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/sergi/go-diff/diffmatchpatch"
)

func TestHardPairs(t *testing.T) {
	for _, p := range hardPairs(50_000) {
		t.Run(p.name, func(t *testing.T) {
			a, b := p.a(), p.b()
			for _, limit := range []int{0, 10_000} {
				verify(t, a, b, Lines(context.Background(), a, b, Options{MaxDistinct: limit}))
			}
		})
	}
}

// go-diff itself panics when it has to number more than 1,112,063 lines.
func TestMoreLinesThanSymbols(t *testing.T) {
	if testing.Short() {
		t.Skip("the texts have 700,000 lines each")
	}
	a, b := numbered(0, 700_000), numbered(1_000_000, 700_000)
	b = append(b, note(5)...)
	for _, limit := range []int{0, 2_000_000} {
		r := Lines(context.Background(), a, b, Options{Timeout: time.Minute, MaxDistinct: limit})
		verify(t, a, b, r)
		if !r.Rewritten || !r.Approximate {
			t.Errorf("limit %d: rewritten %v, approximate %v", limit, r.Rewritten, r.Approximate)
		}
	}
}

func TestSpreadEditsInManyDistinctLines(t *testing.T) {
	const limit = 1000
	a, b := numbered(0, 20_000), edited(20_000, 500)
	r := Lines(context.Background(), a, b, Options{Timeout: time.Minute, MaxDistinct: limit})
	verify(t, a, b, r)
	if r.Approximate || r.Added != 40 || r.Removed != 40 {
		t.Errorf("+%d -%d, approximate %v; want 40 and 40", r.Added, r.Removed, r.Approximate)
	}
	// A block larger than the first window, put in between.
	c := append(append(bytes.Clone(numbered(0, 9000)), numbered(50_000, 3000)...), b[len(numbered(0, 9000))-9000:]...)
	verify(t, b, c, Lines(context.Background(), b, c, Options{Timeout: time.Minute, MaxDistinct: limit}))
	block := append(append(bytes.Clone(numbered(0, 9000)), numbered(50_000, 3000)...), numbered(9000, 11_000)...)
	both := bytes.Replace(block, []byte(note(100)), []byte("changed\n"), 1)
	both = append(both, "end\n"...)
	r = Lines(context.Background(), a, both, Options{Timeout: time.Minute, MaxDistinct: limit})
	verify(t, a, both, r)
	if r.Approximate || r.Added != 3002 || r.Removed != 1 {
		t.Errorf("+%d -%d, approximate %v; want 3002 and 1", r.Added, r.Removed, r.Approximate)
	}
}

func TestNoTime(t *testing.T) {
	a, b := numbered(0, 50_000), edited(50_000, 3)
	r := Lines(context.Background(), a, b, Options{Timeout: time.Nanosecond})
	verify(t, a, b, r)
	if !r.Approximate || !r.Rewritten {
		t.Errorf("out of time: approximate %v, rewritten %v", r.Approximate, r.Rewritten)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r = Lines(ctx, a, b, Options{Timeout: time.Minute})
	verify(t, a, b, r)
	if !r.Rewritten {
		t.Error("canceled: not rewritten")
	}
}

// A small part that differs is compared whatever the clock says: a busy machine must not make another result of it.
func TestNoTimeForASmallPart(t *testing.T) {
	a, b := numbered(0, 50_000), edited(50_000, 20_000)
	a, b = a[:len(a)/200], b[:len(b)/200]
	for _, change := range []string{"first\n", "second\n"} {
		b = append([]byte(change), b...)
		a, b = append(a, "end\n"...), append(b, change...)
	}
	r := Lines(context.Background(), a, b, Options{Timeout: time.Nanosecond})
	verify(t, a, b, r)
	if full := Lines(context.Background(), a, b, Options{Timeout: time.Minute}); r.Approximate || r.Added != full.Added || r.Removed != full.Removed {
		t.Errorf("+%d -%d, approximate %v; want +%d -%d", r.Added, r.Removed, r.Approximate, full.Added, full.Removed)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := Lines(ctx, a, b, Options{}); !r.Approximate {
		t.Error("canceled, but compared")
	}
}

// Equal ends cost no time limit: they are found even when there is none.
func TestNoTimeKeepsEnds(t *testing.T) {
	a, b := numbered(0, 1000), edited(1000, 1000)
	if r := Lines(context.Background(), a, b, Options{Timeout: time.Nanosecond}); r.Added != 1 || r.Removed != 1 {
		t.Errorf("+%d -%d", r.Added, r.Removed)
	}
}

func TestPanicInTheEngine(t *testing.T) {
	saved := engine
	defer func() { engine = saved }()
	engine = func([]rune, []rune, time.Duration) []diffmatchpatch.Diff { panic("Error encoding an int") }
	a, b := "head\nx\ny\nx\ntail\n", "head\ny\nx\ny\ny\ntail\n"
	r := compareTexts(t, a, b, Options{})
	if !r.Approximate || !r.Rewritten {
		t.Errorf("approximate %v, rewritten %v", r.Approximate, r.Rewritten)
	}
}

// Numbers in the surrogate range and above must come back from go-diff.
func TestSymbols(t *testing.T) {
	var x, y []rune
	for id := int32(0xD700); id < 0xE100; id++ {
		x = append(x, symbol(id))
		if id%100 != 0 {
			y = append(y, symbol(id))
		}
	}
	x, y = append(x, symbol(maxSymbols)), append(y, symbol(maxSymbols))
	runs, ok := compare(x, y, time.Minute)
	n := 0
	for _, r := range runs {
		n += r.n
	}
	if !ok || n != len(y) {
		t.Errorf("ok %v, %d of %d matched", ok, n, len(y))
	}
}

func TestCounts(t *testing.T) {
	if added, removed, ok := Counts([]byte("a\nb\n"), []byte("a\nc\nd\n")); added != 2 || removed != 1 || !ok {
		t.Errorf("+%d -%d %v", added, removed, ok)
	}
}

func TestCommonEnds(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		head, tail int
	}{
		{"", "", 0, 0},
		{"a\nb\n", "a\nb\n", 4, 0},
		{"a\nb", "a\nb", 3, 0},
		{"a\nb", "a\nbc", 2, 0},
		{"a\nb", "a\nb\n", 2, 0},
		{"xa\nb\n", "ya\nb\n", 0, 2},
		{"xa\nb", "ya\nb", 0, 1},
		{"xb", "yb", 0, 0},
		{"b\n", "a\nb\n", 0, 2},
		{"\n", "\n\n", 1, 0},
	} {
		head := commonHead([]byte(c.a), []byte(c.b))
		tail := commonTail([]byte(c.a[head:]), []byte(c.b[head:]))
		if head != c.head || tail != c.tail {
			t.Errorf("%q %q: %d, %d; want %d, %d", c.a, c.b, head, tail, c.head, c.tail)
		}
	}
	// A difference at every place around the block and word borders.
	text := bytes.Repeat([]byte("0123456789abcde\n"), compareBlock/8)
	for at := range len(text) {
		other := bytes.Clone(text)
		other[at] = '#'
		if n := commonPrefix(text, other); n != at {
			t.Fatalf("prefix %d, want %d", n, at)
		}
		if n := commonSuffix(text[at/3:], other[at/3:]); n != len(text)-at-1 {
			t.Fatalf("suffix %d, want %d", n, len(text)-at-1)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc\nd"), 0)
	f.Add([]byte("\xff\n\n\n"), []byte("\r\n\xff"), 2)
	f.Add([]byte(""), []byte("x"), 1)
	f.Add([]byte("x\ny\nx\ny\n"), []byte("y\nx\ny\nx\nx\n"), 1)
	f.Fuzz(func(t *testing.T, a, b []byte, distinct int) {
		o := Options{Timeout: time.Minute, MaxDistinct: distinct % 16}
		r := Lines(context.Background(), a, b, o)
		verify(t, a, b, r)
		checkRows(t, Unified(r, NewText(a), NewText(b), o), NewText(a), NewText(b))
		checkWords(t, a, b)
	})
}
