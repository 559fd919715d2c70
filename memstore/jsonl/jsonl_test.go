package jsonl

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// Of the marks that a text may begin with, one before the first line is skipped.
func TestByteOrderMarkBeforeTheFirstLine(t *testing.T) {
	const mark = "\uFEFF"
	long := strings.Repeat("x", 2*lineChunk)
	for _, text := range []string{"a\n", "\n", "a", long, long + "\n"} {
		r := NewReader(strings.NewReader(mark+text), 1<<20)
		if got, _ := r.Next(); string(got) != text {
			t.Errorf("%.20q of %d bytes: %.20q", text, len(text), got)
		}
	}
	r := NewReader(strings.NewReader("a\n"+mark+"b\n"), 1<<20)
	_, _ = r.Next()
	if got, _ := r.Next(); string(got) != mark+"b\n" {
		t.Errorf("a mark in the second line is gone: %q", got)
	}
	r = NewReader(strings.NewReader(mark+mark+"a\n"), 1<<20)
	if got, _ := r.Next(); string(got) != mark+"a\n" {
		t.Errorf("%q", got)
	}
}

// Lines of every length up to the limit come whole; a longer one is reported with its beginning, and
// the next line follows.
func TestLinesAreBounded(t *testing.T) {
	const most = 300 << 10
	long := func(n int) string { return strings.Repeat("0123456789", n/10+1)[:n] }
	lines := []string{"a", "", long(lineChunk - 1), long(lineChunk), long(most - 1), long(most), long(9 * most), "b", long(200 << 10), "end"}
	r := NewReader(strings.NewReader(strings.Join(lines, "\n")), most)
	for i, want := range lines {
		got, err := r.Next()
		whole := want + "\n"
		switch {
		case len(whole) > most:
			if !errors.Is(err, ErrTooLong) || string(got) != want[:lineChunk] {
				t.Errorf("line %d: %d bytes, %v", i, len(got), err)
			}
		case i == len(lines)-1:
			if err != io.EOF || string(got) != want {
				t.Errorf("the last line: %q, %v", got, err)
			}
		case err != nil || string(got) != whole:
			t.Errorf("line %d of %d bytes: %d, %v", i, len(whole), len(got), err)
		}
	}
}

func TestField(t *testing.T) {
	const start = `{"type":"tool_use","deep":{"id":1},"id":"x","input":{"file_text":"aaaa`
	for name, want := range map[string]string{"type": `"tool_use"`, "id": `"x"`, "input": "", "name": ""} {
		if got := string(Field([]byte(start), name)); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, start := range []string{"", "x", "[1", `"id"`, `{"id`, `{"id":`} {
		if got := Field([]byte(start), "id"); got != nil {
			t.Errorf("%q: %q", start, got)
		}
	}
}
