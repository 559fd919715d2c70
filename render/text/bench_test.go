package text

import (
	"strings"
	"testing"
)

// The lines of the benchmarks: what most files hold, and the long way.
var lines = map[string][]byte{
	"ascii":  []byte(strings.Repeat("the agent remembers this line, ", 4)),
	"cjk":    []byte(strings.Repeat("記憶の中にある一行のテキスト。", 4)),
	"latin":  []byte(strings.Repeat("Größe, naïve Überlegung, déjà vu; ", 4)),
	"emoji":  []byte(strings.Repeat("✅ done 👨\u200d👩\u200d👧 ⚠\ufe0f ", 4)),
	"binary": []byte(strings.Repeat("\x00\x1b[31m\xff\xfe\u202e", 8)),
}

func BenchmarkSpans(b *testing.B) {
	for name, line := range lines {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			var dst []Span
			for b.Loop() {
				dst = Spans(dst[:0], line, Options{})
			}
		})
	}
}

// A screen of 120 columns far to the right in one long line.
func BenchmarkWindow(b *testing.B) {
	for _, name := range []string{"ascii", "cjk"} {
		long := []byte(strings.Repeat(string(lines[name]), 65536/len(lines[name])))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(long)))
			b.ReportAllocs()
			from := Column(long, len(long), Options{}) - 120
			for b.Loop() {
				Window(long, from, 120, Options{})
			}
		})
	}
}

func BenchmarkWrap(b *testing.B) {
	for _, name := range []string{"ascii", "cjk"} {
		long := []byte(strings.Repeat(string(lines[name]), 65536/len(lines[name])))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(long)))
			b.ReportAllocs()
			var dst []Row
			for b.Loop() {
				dst = Wrap(dst[:0], long, 80, Options{})
			}
		})
	}
}

func BenchmarkClean(b *testing.B) {
	name := "/memories/projects/notes.md"
	b.ReportAllocs()
	for b.Loop() {
		Clean(name)
	}
}

func BenchmarkPad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Pad("/memories/projects/notes.md", 40)
	}
}
