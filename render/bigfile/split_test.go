package bigfile

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// tiny makes every border of the package be crossed within a few bytes.
var tiny = tuning{chunk: 7, window: 5, reach: 11, block: 3, stride: 2, gap: 6, maxStarts: 1 << 10, maxExtras: 1 << 10}

// thinning is tiny with an index that must thin itself after a few lines.
var thinning = tuning{chunk: 16, window: 4, reach: 1 << 10, block: 5, stride: 1, gap: 3, maxStarts: 5, maxExtras: 4}

var tunings = map[string]tuning{"standard": standard, "tiny": tiny, "thinning": thinning}

func indexed(t testing.TB, src Source, tune tuning) *File {
	t.Helper()
	f := newFile(src, tune)
	if err := f.Index(context.Background(), nil); err != nil {
		t.Fatalf("Index: %v", err)
	}
	return f
}

// checkAgainstSplit compares all that a complete index answers with the obvious way.
func checkAgainstSplit(t *testing.T, f *File, text string, page int) {
	t.Helper()
	lines := strings.Split(text, "\n")
	checkFacts(t, f, text, lines)
	off := int64(0)
	for i, want := range lines {
		if got, ok := f.LineStart(i); !ok || got != off {
			t.Fatalf("LineStart(%d) = %d, %v; want %d in %q", i, got, ok, off, text)
		}
		for o := off; o <= off+int64(len(want)); o++ {
			if got, ok := f.LineAt(o); !ok || got != i {
				t.Fatalf("LineAt(%d) = %d, %v; want %d in %q", o, got, ok, i, text)
			}
		}
		checkWindows(t, f, i, want)
		checkPage(t, f, lines, i, off, page)
		off += int64(len(want)) + 1
	}
	if n, ok := f.LineAt(off); ok {
		t.Fatalf("LineAt behind the end = %d", n)
	}
	if _, ok := f.LineStart(len(lines)); ok {
		t.Fatalf("LineStart behind the end is ok")
	}
	if got, err := f.Page(len(lines), 3, 9); len(got) != 0 || err != nil {
		t.Fatalf("Page behind the end = %v, %v", got, err)
	}
}

func checkFacts(t *testing.T, f *File, text string, lines []string) {
	t.Helper()
	want := Facts{
		Lines: len(lines), Complete: true, Indexed: int64(len(text)), Size: int64(len(text)),
		FirstInvalid: -1, FinalNewline: strings.HasSuffix(text, "\n"),
		HasCR: strings.Contains(text, "\r"), HasNUL: strings.Contains(text, "\x00"),
		Binary: strings.Contains(text[:min(len(text), binaryPrefix)], "\x00"),
	}
	for _, l := range lines {
		want.LongestLine = max(want.LongestLine, int64(len(l)))
	}
	for i := 0; i < len(text) && want.FirstInvalid < 0; {
		r, w := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && w == 1 {
			want.FirstInvalid = int64(i)
		}
		i += w
	}
	if got := f.Facts(); got != want {
		t.Fatalf("Facts of %q:\n got %+v\nwant %+v", text, got, want)
	}
}

func checkWindows(t *testing.T, f *File, i int, want string) {
	t.Helper()
	for from := 0; from <= len(want)+1; from++ {
		for _, most := range []int{0, 1, 3, 100} {
			part := want[min(from, len(want)):]
			part = part[:min(most, len(part))]
			got, err := f.ReadLine(i, int64(from), most)
			if err != nil || string(got) != part {
				t.Fatalf("ReadLine(%d, %d, %d) = %q, %v; want %q", i, from, most, got, err, part)
			}
		}
	}
}

func checkPage(t *testing.T, f *File, lines []string, first int, off int64, most int) {
	t.Helper()
	for _, count := range []int{1, 2, 7, len(lines) - first, len(lines) + 5} {
		got, err := f.Page(first, count, most)
		if err != nil || len(got) != max(0, min(count, len(lines)-first)) {
			t.Fatalf("Page(%d, %d) = %d lines, %v; of %d", first, count, len(got), err, len(lines))
		}
		at := off
		for k, l := range got {
			want := lines[first+k]
			text := want[:min(len(want), most)]
			if l.Number != first+k || l.Offset != at || l.Length != int64(len(want)) || string(l.Text) != text || l.Partial {
				t.Fatalf("Page(%d, %d)[%d] = %+v %q; want %q at %d", first, count, k, l, l.Text, want, at)
			}
			at += l.Length + 1
		}
	}
}

var texts = []string{
	"", "\n", "a", "a\n", "a\nb\n", "a\nb", "\n\n\n\n\n\n\n\n\n", "a\r\nb\r\n\r\nc", "\r",
	"long line that crosses every border of the tiny sizes\nx", "x\nlong line that crosses every border\n\ny",
	"héllo wörld\n日本語のテキスト\n한국어\n🙂🙂\n", "cut \xe2\x82", "bad \xff byte\n", "\xe2\x82\xac\xe2\x82\n", "\x80", "nul\x00\n",
	"ok \xef\xbf\xbd is valid", "\xed\xa0\x80", "日\xe6\x97本",
}

func TestAgainstSplit(t *testing.T) {
	for name, tune := range tunings {
		for i, text := range texts {
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				checkAgainstSplit(t, indexed(t, Bytes([]byte(text)), tune), text, 4)
			})
		}
	}
}

// randomText mixes short and long lines, empty ones, carriage returns, characters of
// every length and bytes that are none.
func randomText(r *rand.Rand) string {
	pieces := []string{"\n", "\n", "a", "kK", "sſ", " the ", "\r\n", "é", "日", "🙂", "\xff", strings.Repeat("x", 20), "\n\n\n", "K"}
	var b strings.Builder
	for range r.IntN(60) {
		n := len(pieces)
		if r.IntN(2) == 0 {
			n = 5
		}
		b.WriteString(pieces[r.IntN(n)])
	}
	return b.String()
}

func randomTuning(r *rand.Rand) tuning {
	return tuning{
		chunk: 1 + r.IntN(30), window: 1 + r.IntN(20), reach: int64(1 + r.IntN(40)), block: 1 + r.IntN(9),
		stride: 1 << r.IntN(4), gap: int64(1 + r.IntN(30)), maxStarts: 1 + r.IntN(20), maxExtras: 1 + r.IntN(10),
	}
}

func TestRandomTextsAgainstSplit(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		text, tune := randomText(r), randomTuning(r)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			f := indexed(t, Bytes([]byte(text)), tune)
			checkAgainstSplit(t, f, text, r.IntN(30))
		})
	}
}

func FuzzAgainstSplit(f *testing.F) {
	for i, text := range texts {
		f.Add([]byte(text), uint64(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		if len(b) > 120 {
			b = b[:120]
		}
		r := rand.New(rand.NewPCG(seed, 2))
		checkAgainstSplit(t, indexed(t, Bytes(bytes.Clone(b)), randomTuning(r)), string(b), r.IntN(30))
	})
}
