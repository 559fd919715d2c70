package memstore

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
		r := NewLineReader(strings.NewReader(mark + text))
		if got, _ := r.Next(); string(got) != text || string(r.Own()) != text {
			t.Errorf("%.20q of %d bytes: %.20q", text, len(text), got)
		}
	}
	r := NewLineReader(strings.NewReader("a\n" + mark + "b\n"))
	_, _ = r.Next()
	if got, _ := r.Next(); string(got) != mark+"b\n" {
		t.Errorf("a mark in the second line is gone: %q", got)
	}
	r = NewLineReader(strings.NewReader(mark + mark + "a\n"))
	if got, _ := r.Next(); string(got) != mark+"a\n" {
		t.Errorf("%q", got)
	}
}

// Lines of every length up to the limit come whole; a longer one is told with its beginning, and
// the next line is there.
func TestLinesAreBounded(t *testing.T) {
	const most = 300 << 10
	long := func(n int) string { return strings.Repeat("0123456789", n/10+1)[:n] }
	lines := []string{"a", "", long(lineChunk - 1), long(lineChunk), long(most - 1), long(most), long(9 * most), "b", long(200 << 10), "end"}
	r := NewLineReader(strings.NewReader(strings.Join(lines, "\n")))
	r.most = most
	var kept [][]byte
	for i, want := range lines {
		got, err := r.Next()
		whole := want + "\n"
		switch {
		case len(whole) > most:
			if !errors.Is(err, ErrLineTooLong) || string(got) != want[:lineChunk] {
				t.Errorf("line %d: %d bytes, %v", i, len(got), err)
			}
		case i == len(lines)-1:
			if err != io.EOF || string(got) != want {
				t.Errorf("the last line: %q, %v", got, err)
			}
		case err != nil || string(got) != whole:
			t.Errorf("line %d of %d bytes: %d, %v", i, len(whole), len(got), err)
		}
		kept = append(kept, r.Own())
	}
	for i, want := range lines {
		if len(want) < most && !strings.HasPrefix(string(kept[i]), want) {
			t.Errorf("line %d was not kept", i)
		}
	}
}

func TestLineField(t *testing.T) {
	const start = `{"type":"tool_use","deep":{"id":1},"id":"x","input":{"file_text":"aaaa`
	for name, want := range map[string]string{"type": `"tool_use"`, "id": `"x"`, "input": "", "name": ""} {
		if got := string(LineField([]byte(start), name)); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, start := range []string{"", "x", "[1", `"id"`, `{"id`, `{"id":`} {
		if got := LineField([]byte(start), "id"); got != nil {
			t.Errorf("%q: %q", start, got)
		}
	}
}

// One limit holds for what every command leaves, and is told with the size.
func TestNoFileGetsTooBig(t *testing.T) {
	t.Parallel()
	const told = "Error: File /memories/new would have 268435457 bytes. Files of more than 268435456 bytes cannot be made. Split " +
		"the text into several files."
	text := strings.Repeat("x", editLimit+1)
	for _, d := range Dialects() {
		b := NewMemory()
		must(t, b.Create("a", []byte("x\n")))
		s := New(b, Options{Dialect: d, Overwrite: true, Guards: []Guard{{}}})
		r := s.Do(t.Context(), create("/memories/new", text))
		if r.Content != told || !errors.Is(r.Err, ErrTooBig) {
			t.Errorf("%s: %.200q", d, r.Content)
		}
		for _, c := range []Command{create("/memories/a", text), insert("/memories/a", 1, text[:editLimit]),
			replace("/memories/a", "x", text[:editLimit])} {
			r := s.Do(t.Context(), c)
			if !errors.Is(r.Err, ErrTooBig) || !strings.Contains(r.Content, "File /memories/a would have 26843545") {
				t.Errorf("%s %s: %.200q", d, c.Name, r.Content)
			}
			if d != Docs {
				break // they share what comes after
			}
		}
		if got := storeTree(t, s, ""); strings.Contains(got, "new") || len(got) > 1000 {
			t.Errorf("%s: something was written: %.200q", d, got)
		}
	}
}
