package memstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

// chunksOf makes the chunks of this test's views so small that a short text has many.
func chunksOf(t *testing.T, size int64) {
	t.Helper()
	before := wideChunk
	wideChunk = size
	t.Cleanup(func() { wideChunk = before })
}

// noneLeft checks that all goroutines that were started since have ended. One that is done
// is counted until the system has let it take its last steps.
func noneLeft(t *testing.T, before int) {
	t.Helper()
	for range 5000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// sameView runs a view by one goroutine and by several, as one string and streamed.
func sameView(t *testing.T, text string, o Options, viewRange ...int) {
	t.Helper()
	if len(viewRange) == 0 {
		viewRange = nil
	}
	ctx := context.Background()
	one := storeOf(t, o, "f", text)
	o.Workers = 3
	several := New(one.backend, o)
	c := view("/memories/f", viewRange...)
	want, got := one.Do(ctx, c), several.Do(ctx, c)
	if len(text) > 3000 {
		text = fmt.Sprint(len(text), " bytes")
	}
	name := fmt.Sprintf("%v, chunks of %d, cap %d, range %v, %q", o.Dialect, wideChunk, o.MaxViewChars, viewRange, text)
	if got.Content != want.Content || got.IsError != want.IsError {
		t.Fatalf("%s\ngot  %q\nwant %q", name, got.Content, want.Content)
	}
	var b strings.Builder
	err := several.ViewTo(ctx, &b, c)
	switch {
	case err == nil && (want.IsError || b.String() != want.Content):
		t.Fatalf("%s: streamed\ngot  %q\nwant %q", name, b.String(), want.Content)
	case err != nil && (!want.IsError || b.Len() > 0 || ViewError(o.Dialect, c.Path, err) != want.Content):
		t.Fatalf("%s: streamed %d bytes, then %v, want %q", name, b.Len(), err, want.Content)
	}
}

func randomText(r *rand.Rand) string {
	pieces := []string{"a", "line of text", "é", "日本", "🙂", "\n", "\n", "\n", "\r\n", "\t", "\u2028", strings.Repeat("long ", 20)}
	switch r.IntN(4) {
	case 0:
		pieces = append(pieces, "\xff", "\xe2\x82", "\x80", "\xf0\x9f\x98", "\xed\xa0\x80")
	case 1:
		pieces = slices.DeleteFunc(pieces, func(s string) bool { return s == "\r\n" })
	}
	var b strings.Builder
	for range r.IntN(60) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestWideViewIsTheSame(t *testing.T) {
	rounds := 1500
	if testing.Short() {
		rounds = 200
	}
	r := rand.New(rand.NewPCG(31, 7))
	chunksOf(t, 0)
	for round := range rounds {
		wideChunk = 1 + r.Int64N(40)
		o := Options{Dialect: Dialects()[round%3], MaxViewChars: max(0, r.IntN(400)-100)}
		text := randomText(r)
		sameView(t, text, o)
		sameView(t, text, o, r.IntN(20)-2, r.IntN(24)-4)
	}
}

// A rune may be across any border, and be broken there.
func TestWideViewAtBorders(t *testing.T) {
	text := "é\n日本\r\n🙂🙂\n\nx\u07ff\uffff\U0010ffff\n"
	chunksOf(t, 0)
	for wideChunk = 1; wideChunk < 12; wideChunk++ {
		if scanWide(strings.NewReader(text), int64(len(text)), &docsRules, 2) == nil {
			t.Fatalf("chunks of %d are not for several goroutines", wideChunk)
		}
		for i := range len(text) {
			sameView(t, text[:i], Options{})
			sameView(t, text[i:], Options{})
			sameView(t, text[:i]+text[i+1:], Options{})
			sameView(t, text[:i]+"\xbf"+text[i:], Options{})
			sameView(t, text[:i]+"\xf0"+text[i+1:], Options{Dialect: TypeScript})
		}
		for from := range 9 {
			for to := range 9 {
				sameView(t, text, Options{}, from, to)
			}
		}
	}
}

// The real size of the chunks, with the most rows and one more, and what is refused at the end.
func TestWideViewOfLargeFiles(t *testing.T) {
	most := strings.Repeat("\n", maxRows-1)
	for _, text := range []string{most, most + "\n", most + "x"} {
		sameView(t, text, Options{Dialect: TypeScript})
	}
	for _, text := range []string{most + "\n", most + "\nx", most + "\n\n"} {
		sameView(t, text, Options{})
		sameView(t, text, Options{}, 999_998, 1_000_002)
	}
	sameView(t, most+"\n\xff", Options{})
	long := strings.Repeat("a line of some length, é\n", 45_000)
	for _, text := range []string{long, long + strings.Repeat("x", 3*chunkSize), long + "\xff", "\xff" + long} {
		for _, d := range Dialects() {
			sameView(t, text, Options{Dialect: d})
			sameView(t, text, Options{Dialect: d, MaxViewChars: 1 << 20}, 2, -2)
		}
	}
}

// failsAt is a writer whose nth write fails or panics.
type failsAt struct {
	n, calls int
	panics   bool
	busy     atomic.Bool
	out      bytes.Buffer
}

var errWriter = errors.New("the disk is full")

func (w *failsAt) Write(p []byte) (int, error) {
	if w.busy.Swap(true) {
		panic("two writes at the same time")
	}
	defer w.busy.Store(false)
	if w.calls++; w.calls < w.n {
		return w.out.Write(p)
	}
	if w.panics {
		panic(errWriter)
	}
	return 0, errWriter
}

func TestWideWriterFails(t *testing.T) {
	chunksOf(t, 64)
	text := strings.Repeat("some line\nanother é\n", 60)
	s := storeOf(t, Options{Workers: 4}, "f", text)
	want := s.View(context.Background(), "/memories/f", nil).Content
	before := runtime.NumGoroutine()
	for n, done := 1, false; !done; n++ {
		w := &failsAt{n: n}
		err := s.ViewTo(context.Background(), w, view("/memories/f"))
		done = err == nil
		if !done && (err != errWriter || w.calls != n) || !strings.HasPrefix(want, w.out.String()) {
			t.Fatalf("write %d fails: %v after %d writes of %q", n, err, w.calls, w.out.String())
		}
		if done && (n < len(text)/64 || w.out.String() != want) {
			t.Fatalf("all well after %d writes of %d bytes", n, w.out.Len())
		}
		noneLeft(t, before)
		func() {
			defer func() {
				if p := recover(); p != any(errWriter) && !done {
					t.Errorf("write %d panics: %v", n, p)
				}
			}()
			_ = s.ViewTo(context.Background(), &failsAt{n: n, panics: true}, view("/memories/f"))
		}()
		noneLeft(t, before)
	}
}

// lingering is a file whose reads, except those of the first bytes, last until after the
// writer has failed.
type lingering struct {
	backend.File
	until  int64 // the first bytes
	failed chan struct{}
	under  atomic.Int64 // reads under way
}

func (f *lingering) ReadAt(p []byte, off int64) (int, error) {
	f.under.Add(1)
	defer f.under.Add(-1)
	if off >= f.until {
		<-f.failed
		for range 100 {
			runtime.Gosched()
		}
	}
	return f.File.ReadAt(p, off)
}

func (f *lingering) Write([]byte) (int, error) {
	close(f.failed)
	return 0, errWriter
}

// When a view has failed nothing reads its file any more.
func TestWideWaitsForItsReaders(t *testing.T) {
	chunksOf(t, 64)
	mem := NewMemory()
	must(t, mem.Create("f", []byte(strings.Repeat("line\n", 200))))
	open, err := mem.Open("f", backend.Look)
	must(t, err)
	for range 20 {
		f := &lingering{File: open, until: 1000, failed: make(chan struct{})}
		text := scanWide(f, 1000, &docsRules, 4)
		f.until = wideChunk
		if err := text.rows(f, span{first: 1, last: 201, to: 1000}); err != errWriter || f.under.Load() != 0 {
			t.Fatalf("%v, %d reads under way", err, f.under.Load())
		}
	}
}

// turning is a backend with one file that has another content from the given read on.
type turning struct {
	backend.Backend
	first, then string
	failure     error // instead of another content
	at, reads   atomic.Int64
}

type turningFile struct {
	backend.File
	owner *turning
}

func (b *turning) Open(name string, a backend.Access) (backend.File, error) {
	f, err := b.Backend.Open(name, a)
	return turningFile{f, b}, err
}

func (f turningFile) ReadAt(p []byte, off int64) (int, error) {
	b := f.owner
	text := b.first
	if b.reads.Add(1) > b.at.Load() {
		if b.failure != nil {
			return 0, b.failure
		}
		text = b.then
	}
	return strings.NewReader(text).ReadAt(p, off)
}

func turningStore(t *testing.T, first, then string, failure error) (*Store, *turning) {
	t.Helper()
	b := &turning{Backend: NewMemory(), first: first, then: then, failure: failure}
	must(t, b.Create("f", []byte(first)))
	return New(b, Options{Workers: 3}), b
}

// A file that is overwritten between the passes has another number of lines in some chunk:
// that is told, and no row of it gets a wrong number. As one string the view is tried afresh.
func TestWideFileOverwritten(t *testing.T) {
	text := strings.Repeat("one line\n", 80) // 720 bytes: 12 chunks
	const firstPass = 11*wideReads + 1
	put := func(at int, c byte) string { return text[:at] + string(c) + text[at+1:] }
	moved := []byte(put(65, '\n')) // from before a border to after it
	moved[62] = 'x'
	before := runtime.NumGoroutine()
	chunksOf(t, 0)
	for wideChunk = 63; wideChunk < 65; wideChunk++ { // a border after a newline, and one in a line
		for name, then := range map[string]string{
			"cut short":      text[:300],
			"empty":          "",
			"a line less":    put(62, 'x'),
			"a line more":    put(300, '\n'),
			"at the end":     put(len(text)-1, 'x'),
			"over a border":  string(moved),
			"newlines alone": strings.Repeat("\n", len(text)),
			"no newline":     strings.Repeat("x", len(text)),
		} {
			s, b := turningStore(t, text, then, nil)
			b.at.Store(firstPass)
			var out strings.Builder
			err := s.ViewTo(context.Background(), &out, view("/memories/f"))
			if !errors.Is(err, backend.ErrChanged) {
				t.Errorf("%s: %v\n%s", name, err, out.String())
			}
			rightNumbers(t, out.String(), 1)
			noneLeft(t, before)

			b.reads.Store(0)
			if len(then) < len(text) {
				continue // Info is that of the first content
			}
			settled := storeOf(t, Options{}, "f", then)
			if got, want := s.View(context.Background(), "/memories/f", nil),
				settled.View(context.Background(), "/memories/f", nil); got.Content != want.Content {
				t.Errorf("%s: tried afresh\ngot  %q\nwant %q", name, got.Content, want.Content)
			}
		}
	}
}

// rightNumbers checks that each row of a view, which may end anywhere, has its number.
func rightNumbers(t *testing.T, text string, first int) {
	t.Helper()
	for i, row := range strings.Split(text, "\n")[1:] {
		if !strings.HasPrefix(fmt.Sprintf("%6d\t", first+i), row[:min(len(row), rowPrefix)]) {
			t.Fatalf("row %d is %q in\n%s", first+i, row, text)
		}
	}
}

// Whenever the file changes or cannot be read any more, the view ends with a sentence,
// and what was written until then has the right numbers.
func TestWideFileChangesAtAnyRead(t *testing.T) {
	chunksOf(t, 32)
	text := strings.Repeat("line é\n", 20)
	broken := errors.New("input/output error")
	before := runtime.NumGoroutine()
	for _, then := range []string{text[:50], strings.Repeat("\n", len(text)), strings.Repeat("\xff", len(text)), "broken"} {
		for _, viewRange := range [][]int{{1, -1}, {3, 17}, {9, -1}} {
			for at := int64(0); ; at++ {
				s, b := turningStore(t, text, then, nil)
				if then == "broken" {
					b.failure = broken
				}
				b.at.Store(at)
				var out strings.Builder
				err := s.ViewTo(context.Background(), &out, view("/memories/f", viewRange...))
				noneLeft(t, before)
				if at == 0 { // before the first read
					b.reads.Store(0)
					var want strings.Builder
					errWant := New(b, Options{}).ViewTo(context.Background(), &want, view("/memories/f", viewRange...))
					if fmt.Sprint(err) != fmt.Sprint(errWant) || out.String() != want.String() {
						t.Fatalf("%q: %v, %q, want %v, %q", then, err, out.String(), errWant, want.String())
					}
					b.reads.Store(1)
				}
				if out.Len() > 0 {
					rightNumbers(t, out.String(), viewRange[0])
				}
				var tool *Error
				if err != nil && (!errors.As(err, &tool) || b.failure != nil && !errors.Is(err, broken)) {
					t.Fatalf("%q from read %d on: %v", then, at, err)
				}
				if err == nil && b.reads.Load() <= at {
					break // it was not read so often
				}
			}
		}
	}
}

// What several goroutines hold does not grow with the file.
func TestWideViewsOfUnusualSizes(t *testing.T) {
	for _, size := range []int64{-1, 0, 1, wideChunk, 1 << 62, 1<<63 - 1} {
		if scanWide(strings.NewReader(""), size, &docsRules, 8) != nil {
			t.Errorf("%d bytes are for several goroutines", size)
		}
	}
	if n := testing.AllocsPerRun(5, func() {
		if scanWide(io.NewSectionReader(zeros{}, 0, 1<<40), maxWideChunks*wideChunk+1, &docsRules, 8) != nil {
			t.Error("more chunks than are noted")
		}
	}); n > 2 {
		t.Errorf("%v allocations", n)
	}
}

type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) { clear(p); return len(p), nil }
