package memstore

import (
	"errors"
	"strings"
	"testing"
)

// One limit applies to the result of every command, and the error names the size.
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
