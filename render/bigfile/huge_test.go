package bigfile

import (
	"context"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// made is a text that exists only while it is read: line, repeated up to size bytes.
// last, if any, stands at its end. It counts reads and bytes.
type made struct {
	line, last string
	size       int64
	reads      atomic.Int64
	bytes      atomic.Int64
}

func (m *made) Size() (int64, error) { return m.size, nil }

func (m *made) ReadAt(p []byte, off int64) (int, error) {
	m.reads.Add(1)
	if off >= m.size {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), m.size-off))
	for i := 0; i < n; {
		if i < len(m.line) {
			i += copy(p[i:n], m.line[(off+int64(i))%int64(len(m.line)):])
			continue
		}
		// What is there repeats with the line's length: double it.
		i += copy(p[i:n], p[i%len(m.line):i])
	}
	if tail := m.size - int64(len(m.last)); off+int64(n) > tail {
		copy(p[max(0, tail-off):n], m.last[max(0, off-tail):])
	}
	m.bytes.Add(int64(n))
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// cost returns the reads and bytes that f takes.
func (m *made) cost(f func()) (reads, bytes int64) {
	reads, bytes = m.reads.Load(), m.bytes.Load()
	f()
	return m.reads.Load() - reads, m.bytes.Load() - bytes
}

// indexBytes is what the entries take, spare room included.
func indexBytes(f *File) int {
	ix := f.now.Load()
	return cap(ix.starts)*8 + cap(ix.extras)*16
}

// checkCost reads a page of 50 lines and checks that it is complete, within the given number of reads and bytes.
func checkCost(t *testing.T, f *File, src *made, first int, reads, bytes int64) {
	t.Helper()
	want := min(50, f.Facts().Lines-first)
	r, b := src.cost(func() {
		lines, err := f.Page(first, 50, 1000)
		if err != nil || len(lines) != want || lines[0].Number != first {
			t.Errorf("Page(%d) = %d lines, %v", first, len(lines), err)
		}
	})
	if r > reads || b > bytes {
		t.Errorf("Page(%d) took %d reads of %d bytes", first, r, b)
	}
}

func TestGigabyteOfText(t *testing.T) {
	src := &made{line: strings.Repeat("x", 1023) + "\n", size: 1 << 30, last: "needle"}
	if raceEnabled || testing.Short() {
		src.size = 1 << 27
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := indexed(t, src, standard)
	h, ok, err := f.Find(context.Background(), Query{"Needle", true}, 0, false)
	if err != nil || !ok || h.Start != src.size-6 || h.Line != f.Facts().Lines-1 {
		t.Errorf("Find = %+v, %v, %v", h, ok, err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("indexing and searching took %d bytes of memory in all", n)
	}
	if n := indexBytes(f); n > 1<<20 {
		t.Errorf("the index takes %d bytes", n)
	}
	checkCost(t, f, src, f.Facts().Lines-50, 2, 200<<10)
	checkCost(t, f, src, f.Facts().Lines/2+13, 2, 200<<10)
}

// giant is the length of the long line in the tests below.
const giant = 50_000_000

func TestOneGiantLine(t *testing.T) {
	src := &made{line: "0123456789", size: giant}
	f := New(src)
	check := func() {
		t.Helper()
		r, b := src.cost(func() {
			lines, err := f.Page(0, 50, 1000)
			if err != nil || len(lines) != 1 || len(lines[0].Text) != 1000 {
				t.Errorf("Page = %d lines, %v", len(lines), err)
			}
		})
		if b > 2<<20 {
			t.Errorf("Page took %d reads of %d bytes", r, b)
		}
	}
	check()
	if err := f.Index(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	check()
	if got := f.Facts(); got.Lines != 1 || got.LongestLine != giant {
		t.Errorf("Facts = %+v", got)
	}
	r, b := src.cost(func() {
		if got, err := f.ReadLine(0, giant-15, 100); string(got) != "567890123456789"[:15] || err != nil {
			t.Errorf("ReadLine = %q, %v", got, err)
		}
		if got, err := f.ReadLine(0, giant/2, 4); string(got) != "0123" || err != nil {
			t.Errorf("ReadLine = %q, %v", got, err)
		}
		if n, ok := f.LineAt(giant / 2); n != 0 || !ok {
			t.Errorf("LineAt = %d, %v", n, ok)
		}
	})
	if b > 4000 {
		t.Errorf("windows took %d reads of %d bytes", r, b)
	}
}
