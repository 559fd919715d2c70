package bigfile

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// disk is a Source over an open file.
type disk struct{ *os.File }

func (d disk) Size() (int64, error) {
	info, err := d.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

const (
	benchLines = 999_998
)

// benchFile writes notes of 999,998 lines, about 56 MB; the needle is in the last one.
// other, if any, ends every 10th line.
func benchFile(b *testing.B, other string) disk {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "notes.md"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	words := strings.Fields("the agent noted that customer prefers short answers and token config was changed")
	w := bufio.NewWriterSize(f, 1<<20)
	for i := range benchLines - 1 {
		fmt.Fprintf(w, "%06d %s %s %s %s in the notes", i, words[i%13], words[i%7], words[i%11], words[i%5])
		if i%10 == 0 {
			w.WriteString(other)
		}
		w.WriteString(strings.Repeat(".", i%24) + "\n")
	}
	w.WriteString("quixotic needle\n")
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	size, err := disk{f}.Size()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	return disk{f}
}

// BenchmarkRead is the limit: the same reads, and nothing done with the bytes.
func BenchmarkRead(b *testing.B) {
	src := benchFile(b, "")
	buf := make([]byte, standard.chunk)
	for b.Loop() {
		for off, eof := int64(0), false; !eof; {
			var n int
			var err error
			if n, eof, err = readFull(src, buf, off); err != nil {
				b.Fatal(err)
			}
			off += int64(n)
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	for _, c := range []struct{ name, other string }{{"ascii", ""}, {"accents", " déjà vu"}, {"japanese", "日本語のメモを残す"}} {
		b.Run(c.name, func(b *testing.B) {
			src := benchFile(b, c.other)
			var f *File
			for b.Loop() {
				f = indexed(b, src, standard)
			}
			if n := f.Facts().Lines; n != benchLines+1 {
				b.Fatal(n, "lines")
			}
			b.ReportMetric(float64(indexBytes(f)), "index-B")
		})
	}
}

// BenchmarkOpenAtEnd is what G costs on a file just opened: the whole index and the last page.
func BenchmarkOpenAtEnd(b *testing.B) {
	src := benchFile(b, "")
	for b.Loop() {
		f := indexed(b, src, standard)
		if lines, err := f.Page(benchLines-59, 60, 4096); len(lines) != 60 || err != nil {
			b.Fatal(len(lines), err)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	f := indexed(b, benchFile(b, ""), standard)
	for _, c := range []struct {
		name  string
		first int
	}{{"start", 0}, {"middle", benchLines/2 + 37}, {"end", benchLines - 59}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if lines, err := f.Page(c.first, 60, 4096); len(lines) != 60 || err != nil {
					b.Fatal(len(lines), err)
				}
			}
		})
	}
}

func BenchmarkFind(b *testing.B) {
	for _, c := range []struct {
		name     string
		q        Query
		backward bool
		found    bool
	}{
		{"literal", Query{"quixotic", false}, false, true},
		{"folded", Query{"quixotic", true}, false, true},
		{"folded-common", Query{"needle", true}, false, true},
		{"backward", Query{"000000 the", false}, true, true},
		{"backward-folded", Query{"000000 the", true}, true, true},
		{"absent", Query{"zebra crossing", true}, false, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			f := indexed(b, benchFile(b, ""), standard)
			from := int64(0)
			if c.backward {
				from = f.Facts().Size
			}
			for b.Loop() {
				if _, ok, err := f.Find(context.Background(), c.q, from, c.backward); ok != c.found || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}
