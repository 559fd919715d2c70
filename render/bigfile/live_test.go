package bigfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// changing is a text in memory that the test replaces while it is read. It counts the
// reads.
type changing struct {
	mu    sync.Mutex
	text  []byte
	reads int
	bytes int64
	fail  error
}

func (c *changing) set(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text = []byte(text)
}

func (c *changing) ReadAt(p []byte, off int64) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil {
		return 0, c.fail
	}
	c.reads++
	n, err := bytes.NewReader(c.text).ReadAt(p, off)
	c.bytes += int64(n)
	return n, err
}

func (c *changing) Size() (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int64(len(c.text)), c.fail
}

func TestGrowth(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		text := randomText(r)
		src := &changing{}
		f := newFile(src, randomTuning(r))
		for n := 0; ; n = min(len(text), n+1+r.IntN(20)) {
			src.set(text[:n])
			if err := f.Index(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			checkAgainstSplit(t, f, text[:n], 5)
			if n == len(text) {
				break
			}
		}
	}
}

func TestShrink(t *testing.T) {
	text := strings.Repeat("0123456\n", 20)
	for n := range len(text) {
		src := &changing{text: []byte(text)}
		f := indexed(t, src, tiny)
		src.set(text[:n])
		lines, err := f.Page(0, 30, 10)
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(lines) != n/8+1 {
			t.Fatalf("cut to %d: %d lines, %v", n, len(lines), err)
		}
		for first := range 22 {
			_, err := f.Page(first, 3, 3)
			// A cut behind the last text that is wanted may go unnoticed.
			if (first+2)*8+3 > n && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("cut to %d: Page(%d) says %v", n, first, err)
			}
			f.LineStart(first)
			f.LineAt(int64(first) * 8)
			_, err = f.ReadLine(first, 2, 20)
			if first*8+2 > n && first < 20 && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("cut to %d: ReadLine(%d) says %v", n, first, err)
			}
		}
		if err := f.Index(context.Background(), nil); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("Index of a shorter text: %v", err)
		}
		if f.Facts().Complete {
			t.Fatal("complete after shrinking")
		}
		f.Reset(src)
		if err := f.Index(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		checkAgainstSplit(t, f, text[:n], 10)
	}
}

func TestReadErrors(t *testing.T) {
	src := &changing{text: []byte("a\nb\nc\n")}
	f := indexed(t, src, tiny)
	src.fail = errors.New("disk on fire")
	if _, err := f.Page(0, 3, 3); !errors.Is(err, src.fail) {
		t.Errorf("Page: %v", err)
	}
	if _, err := f.ReadLine(1, 0, 3); !errors.Is(err, src.fail) {
		t.Errorf("ReadLine: %v", err)
	}
	for _, backward := range []bool{false, true} {
		if _, _, err := f.Find(context.Background(), Query{Text: "c"}, 3, backward); !errors.Is(err, src.fail) {
			t.Errorf("Find: %v", err)
		}
	}
	if err := f.Index(context.Background(), nil); !errors.Is(err, src.fail) {
		t.Errorf("Index: %v", err)
	}
	if _, ok := f.LineStart(1); ok {
		t.Error("LineStart is ok")
	}
	if _, ok := f.LineAt(2); ok {
		t.Error("LineAt is ok")
	}
}

func TestProgressAndCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f := newFile(Bytes(bytes.Repeat([]byte("abc\n"), 100)), tiny)
	f.tuning.every = 0
	var last Progress
	err := f.Index(ctx, func(p Progress) {
		if p.Bytes <= last.Bytes || p.Total != 400 || p.Lines != int(p.Bytes/4)+1 {
			t.Errorf("progress %+v after %+v", p, last)
		}
		if last = p; p.Bytes >= 200 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || f.Facts().Complete {
		t.Fatalf("Index = %v, %+v", err, f.Facts())
	}
	if err := f.Index(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Index with a dead context: %v", err)
	}
	before := f.Facts().Indexed
	if err := f.Index(context.Background(), nil); err != nil || before < 200 {
		t.Fatal(err, before)
	}
	checkAgainstSplit(t, f, strings.Repeat("abc\n", 100), 4)
}

func TestConcurrentReaders(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "line %d %s\n", i, strings.Repeat("x", i%50))
	}
	lines := strings.Split(b.String(), "\n")
	tune := thinning
	tune.chunk, tune.maxStarts = 100, 50
	src := &changing{text: []byte(b.String())}
	f := newFile(src, tune)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			if err := f.Index(context.Background(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	for reader := range 4 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(reader), 7))
			for !f.Facts().Complete {
				readSomething(t, f, lines, r.IntN(f.Facts().Lines))
			}
		})
	}
	group.Wait()
	checkFacts(t, f, b.String(), lines)
}

func readSomething(t *testing.T, f *File, lines []string, n int) {
	page, err := f.Page(n, 3, 100)
	if err != nil {
		t.Error(err)
	}
	for k, l := range page {
		if !l.Partial && string(l.Text) != lines[n+k] {
			t.Errorf("line %d = %q, want %q", n+k, l.Text, lines[n+k])
		}
	}
	if off, ok := f.LineStart(n); ok {
		if got, ok := f.LineAt(off); !ok || got != n {
			t.Errorf("LineAt(LineStart(%d)) = %d, %v", n, got, ok)
		}
	}
	if h, ok, err := f.Find(context.Background(), Query{"LINE", true}, 0, false); !ok || err != nil || h.Start != 0 {
		t.Errorf("Find = %+v, %v, %v", h, ok, err)
	}
}
