package memstore

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// The rows of a viewed text, numbered, are the view: of random files in every dialect, and where the
// view is an error the text is the same error.
func TestViewedTextIsWhatTheViewNumbers(t *testing.T) {
	d := openTestDir(t)
	r := rand.New(rand.NewPCG(4, 4))
	parts := []string{"a", "line\n", "\n", "\r\n", "\r", "é", "\xff", "\xe3\x81", "\u2028", "\x00", strings.Repeat("long ", 5000),
		"\xef\xbb\xbf"}
	for range 300 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		plant(t, d, "f", b.String())
		for _, dialect := range Dialects() {
			s := New(d, Options{Dialect: dialect})
			want := s.View(t.Context(), "/memories/f", nil)
			text, err := s.ViewedText("/memories/f")
			if err != nil {
				if got := ViewError(dialect, "/memories/f", err); !want.IsError || got != want.Content {
					t.Fatalf("%s %q: %q, want %q", dialect, b.String(), got, want.Content)
				}
				continue
			}
			got := []string{ViewHeader(dialect, "/memories/f")}
			for i, line := range strings.Split(string(text), "\n") {
				n := strconv.Itoa(i + 1)
				got = append(got, strings.Repeat(" ", 6-len(n))+n+"\t"+line)
			}
			if strings.Join(got, "\n") != want.Content {
				t.Fatalf("%s %q: %q, want %q", dialect, b.String(), got, want.Content)
			}
		}
	}
	for _, path := range []string{"/memories", "/memories/none", "/memories/../x", "x"} {
		for _, dialect := range Dialects() {
			if text, err := New(d, Options{Dialect: dialect}).ViewedText(path); err == nil || text != nil {
				t.Errorf("%s %s: %v %v", dialect, path, text, err)
			}
		}
	}
}
