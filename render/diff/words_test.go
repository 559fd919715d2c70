package diff

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func marked(line string, words [][2]int) string {
	var s strings.Builder
	at := 0
	for _, w := range words {
		s.WriteString(line[at:w[0]] + "[" + line[w[0]:w[1]] + "]")
		at = w[1]
	}
	return s.String() + line[at:]
}

func TestWords(t *testing.T) {
	long := strings.Repeat("word ", wordBytes/5+1)
	for _, c := range []struct{ name, a, b, wantA, wantB string }{
		{"one word", "count: 41 items", "count: 42 items", "count: [41] items", "count: [42] items"},
		{"a phrase is one mark", "see the old long report there now", "see the new short paper there now",
			"see the [old long report] there now", "see the [new short paper] there now"},
		{"short words between short changes stay", "page 41 of 50 now", "page 42 of 51 now", "page [41] of [50] now", "page [42] of [51] now"},
		{"a long equal part between changes stays", "use red for the background colour now", "use blue for the background colour later",
			"use [red] for the background colour [now]", "use [blue] for the background colour [later]"},
		{"japanese by character", "会議は月曜日です", "会議は火曜日です", "会議は[月]曜日です", "会議は[火]曜日です"},
		{"check box", "- [ ] write tests", "- [x] write tests", "- [[ ]] write tests", "- [[x]] write tests"},
		{"unlike", "alpha beta gamma", "one two three four", "alpha beta gamma", "one two three four"},
		{"white space only", "a  b", "a b", "a[  ]b", "a[ ]b"},
		{"carriage return", "a b\r", "a b", "a b[\r]", "a b"},
		{"accent stays with its letter", "le cafe\u0301 noir", "le cafe noir", "le [cafe\u0301] noir", "le [cafe] noir"},
		{"a Persian word with a joiner in it is one", "او می\u200cخواهد برود خانه", "او می\u200cخواست برود خانه",
			"او [می\u200cخواهد] برود خانه", "او [می\u200cخواست] برود خانه"},
		{"Devanagari words are whole", "यह नमस्ते एक शब्द है", "यह नमस्कार एक शब्द है", "यह [नमस्ते] एक शब्द है", "यह [नमस्कार] एक शब्द है"},
		{"joined emoji stay whole", "team \U0001F468\u200D\U0001F469 ok", "team \U0001F468\u200D\U0001F466 ok",
			"team [\U0001F468\u200D\U0001F469] ok", "team [\U0001F468\u200D\U0001F466] ok"},
		{"invalid UTF-8", "a b \xff", "a c \xff", "a b \xff", "a c \xff"},
		{"end of a long line", long + "a", long + "b", long + "[a]", long + "[b]"},
		{"middle of a long line", long + "one count: 41 " + long, long + "one count: 42 " + long,
			long + "one count: [41] " + long, long + "one count: [42] " + long},
		{"added to a long line", long + long, long + "new " + long, long + long, long + "[new ]" + long},
		{"long and unlike", long, strings.Repeat("other ", len(long)/6), long, strings.Repeat("other ", len(long)/6)},
	} {
		t.Run(c.name, func(t *testing.T) {
			inA, inB := changedWords([]byte(c.a), []byte(c.b))
			if a, b := marked(c.a, inA), marked(c.b, inB); a != c.wantA || b != c.wantB {
				t.Errorf("got  %q\n     %q\nwant %q\n     %q", a, b, c.wantA, c.wantB)
			}
		})
	}
}

// checkWords verifies marks: in order, not empty, at rune borders, and what
// they leave is the same on both sides.
func checkWords(t *testing.T, a, b []byte) {
	t.Helper()
	inA, inB := changedWords(a, b)
	if inA == nil && inB == nil {
		return
	}
	if !bytes.Equal(unmarked(t, a, inA), unmarked(t, b, inB)) {
		t.Fatalf("marks %v of %q and %v of %q leave different bytes", inA, a, inB, b)
	}
}

func unmarked(t *testing.T, line []byte, words [][2]int) []byte {
	t.Helper()
	var out []byte
	at := 0
	for _, w := range words {
		if w[0] < at || w[1] <= w[0] || w[1] > len(line) || !utf8.Valid(line[w[0]:w[1]]) {
			t.Fatalf("bad marks %v of %q", words, line)
		}
		out = append(out, line[at:w[0]]...)
		at = w[1]
	}
	return append(out, line[at:]...)
}
