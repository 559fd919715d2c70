package text

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// seeds are texts that have something of everything in them.
var seeds = []string{
	"", "plain text, nothing else", "\tindented\twith tabs\t", "a\x1b[31mred\x1b[0m\r\n", "\x1b]52;c;aGk=\a",
	"bidi \u202e\u2066 zero\u200b\ufeff width", "日本語とEnglishの混ざった行です", "한국어 \u1112\u1161\u11ab",
	"e\u0301 a\u0301\u0302\u0303\u0304\u0305\u0306\u0307", "\u0301 alone", "👨\u200d👩\u200d👧\u200d👦 🏳\ufe0f\u200d🌈 👍🏽 🇩🇪🇫 1\ufe0f\u20e3",
	"नमस्ते की क्षत्रिय", "น้ำ ກຳ", "می\u200cخواهم \u0600123", "\xff\xfe\xc3\x28\xed\xa0\x80", "\U000e0001\U000e0061\u2028\u3164",
	"\u0d4e\u0d15\u1100\u1161\u11a8\u11a8\u1100\u1100", "葛\U000e0100 ᠠ\u180b ｶﾞ", "🇩\u0301🇪\ufe0f🇫", "◌\u0301\u094d\u0937",
	"\u102b\u1031\u1c32", "👨\u200d👩\u200d\U0001fc67\u200d\xf0",
}

func addSeeds(f *testing.F, args ...any) {
	for _, s := range seeds {
		f.Add(append([]any{[]byte(s)}, args...)...)
	}
}

func options(bits uint8) Options {
	return Options{
		StartCol: int(bits>>2) & 3 * 5,
		ASCII:    bits&1 != 0, Clusters: bits&2 != 0,
	}
}

// checkWidth compares the width that was said with that of the library of the terminal interface.
func checkWidth(t *testing.T, text string, said int) {
	t.Helper()
	if ansi.StringWidth(text) != said {
		t.Fatalf("%+q is said to be %d wide, by clusters it is %d", text, said, ansi.StringWidth(text))
	}
}

func FuzzSpans(f *testing.F) {
	addSeeds(f, uint8(0))
	addSeeds(f, uint8(2))
	addSeeds(f, uint8(5))
	f.Fuzz(checkSpans)
}

func checkSpans(t *testing.T, line []byte, bits uint8) {
	t.Helper()
	o := options(bits)
	spans := Spans(nil, line, o)
	text := joined(spans)
	if why := safe(text); why != "" {
		t.Fatalf("%+q holds %s", text, why)
	}
	checkWidth(t, text, Total(spans))
	for _, s := range spans {
		if s.Width <= 0 || s.Text == "" {
			t.Fatalf("an empty span %+v", s)
		}
		checkWidth(t, s.Text, s.Width)
	}
	if n := Column(line, len(line), o); n != Total(spans) {
		t.Fatalf("the line ends in column %d, the spans are %d wide", n, Total(spans))
	}
}

func FuzzClean(f *testing.F) {
	addSeeds(f)
	f.Fuzz(checkClean)
}

func checkClean(t *testing.T, line []byte) {
	t.Helper()
	clean := Clean(string(line))
	if why := safe(clean); why != "" {
		t.Fatalf("%+q holds %s", clean, why)
	}
	checkWidth(t, clean, Width(clean))
	if again := Clean(clean); again != clean {
		t.Fatalf("cleaning %+q again gives %+q", clean, again)
	}
	if joined(Spans(nil, line, Options{})) != clean {
		t.Fatalf("Spans and Clean differ for %+q", line)
	}
}

func FuzzTruncate(f *testing.F) {
	addSeeds(f, 7, "…")
	addSeeds(f, 3, "...")
	f.Fuzz(checkTruncate)
}

func checkTruncate(t *testing.T, line []byte, width int, tail string) {
	t.Helper()
	s, tail, width := Clean(string(line)), Clean(tail), width%200
	head := Truncate(s, width, tail)
	end := TruncateLeft(s, width, tail)
	for _, got := range []string{head, end} {
		if Width(got) > max(width, 0) {
			t.Fatalf("%+q is wider than %d", got, width)
		}
		if why := safe(got); why != "" {
			t.Fatalf("%+q holds %s", got, why)
		}
	}
	if Width(s) <= width && (head != s || end != s) {
		t.Fatalf("%+q fits into %d and was cut", s, width)
	}
	if !strings.HasPrefix(s, strings.TrimSuffix(head, tail)) && Width(tail) < width {
		t.Fatalf("%+q is not the beginning of %+q", head, s)
	}
	for _, got := range []string{Pad(s, width), PadLeft(s, width)} {
		if lipgloss.Width(got) != max(width, 0) {
			t.Fatalf("%+q is not %d wide", got, width)
		}
	}
}

func FuzzWindow(f *testing.F) {
	addSeeds(f, uint8(0), uint8(1), uint8(5))
	addSeeds(f, uint8(2), uint8(0), uint8(80))
	addSeeds(f, uint8(4), uint8(3), uint8(2))
	f.Fuzz(checkWindow)
}

func checkWindow(t *testing.T, line []byte, bits, from, width uint8) {
	t.Helper()
	o := options(bits)
	got := Window(line, int(from), int(width), o)
	if want := max(min(Column(line, len(line), o)-int(from), int(width)), 0); Total(got) != want {
		t.Fatalf("the window is %d wide, want %d", Total(got), want)
	}
	checkWidth(t, joined(got), Total(got))
	// Where a character begins, Column and ByteAt are each other's inverse.
	if off := ByteAt(line, int(from), o); off < len(line) {
		if col := Column(line, off, o); col > int(from) || ByteAt(line, col, o) != off {
			t.Fatalf("column %d is byte %d is column %d", from, off, col)
		}
	}
}

func FuzzWrap(f *testing.F) {
	addSeeds(f, uint8(0), uint8(7))
	addSeeds(f, uint8(2), uint8(12))
	addSeeds(f, uint8(4), uint8(1))
	f.Fuzz(checkWrap)
}

func checkWrap(t *testing.T, line []byte, bits, w uint8) {
	t.Helper()
	o, width := options(bits), max(int(w), 1)
	rows := Wrap(nil, line, width, o)
	at, col := 0, o.StartCol
	for _, r := range rows {
		if r.Start != at || r.Col != col || r.End <= r.Start && len(line) > 0 {
			t.Fatalf("row %+v does not follow byte %d column %d", r, at, col)
		}
		o.StartCol = r.Col
		part := Window(line[r.Start:r.End], 0, width, o)
		if Total(part) != r.Width {
			t.Fatalf("row %+v shows as %d cells", r, Total(part))
		}
		full := Column(line[r.Start:r.End], len(line), o)
		if full > width && countUnits(line[r.Start:r.End], o) > 1 {
			t.Fatalf("row %+v holds more than one character and is %d wide", r, full)
		}
		at, col = r.End, col+full
	}
	if at != len(line) {
		t.Fatalf("the rows end at byte %d of %d", at, len(line))
	}
}

func countUnits(line []byte, o Options) int {
	s := newScanner(line, o)
	n := 0
	for {
		if _, ok := s.next(len(line)); !ok {
			return n
		}
		n++
	}
}
