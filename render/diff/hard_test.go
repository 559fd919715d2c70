package diff

import (
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
