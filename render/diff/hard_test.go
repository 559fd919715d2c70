package diff

import (
	"context"
	"testing"
	"time"
)

func TestHardPairs(t *testing.T) {
	for _, p := range hardPairs(50_000) {
		t.Run(p.name, func(t *testing.T) {
			verify(t, p.a, p.b, Lines(context.Background(), p.a, p.b, Options{}))
		})
	}
}

func TestNoTime(t *testing.T) {
	a, b := numbered(0, 50_000), reversed(50_000)
	r := Lines(context.Background(), a, b, Options{Timeout: time.Nanosecond})
	verify(t, a, b, r)
	if !r.Approximate {
		t.Error("out of time: not approximate")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r = Lines(ctx, a, b, Options{Timeout: time.Minute})
	verify(t, a, b, r)
	if !r.Approximate {
		t.Error("canceled: not approximate")
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc\nd"))
	f.Add([]byte("\xff\n\n\n"), []byte("\r\n\xff"))
	f.Add([]byte(""), []byte("x"))
	f.Add([]byte("x\ny\nx\ny\n"), []byte("y\nx\ny\nx\nx\n"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		o := Options{Timeout: time.Minute}
		r := Lines(context.Background(), a, b, o)
		verify(t, a, b, r)
		checkRows(t, rowsOf(string(a), string(b), DefaultContext), NewText(a), NewText(b))
		checkWords(t, a, b)
	})
}
