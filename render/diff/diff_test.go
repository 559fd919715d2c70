package diff

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// verify checks what every result must hold: the ops cover both texts in
// order, rebuild b, and agree with the counts.
func verify(t *testing.T, a, b []byte, r *Result) {
	t.Helper()
	ta, tb := NewText(a), NewText(b)
	i, j, added, removed := 0, 0, 0, 0
	for k, op := range r.Ops {
		if op.AStart != i || op.BStart != j || op.AEnd < i || op.BEnd < j {
			t.Fatalf("op %d %+v does not follow %d,%d", k, op, i, j)
		}
		n, m := op.AEnd-i, op.BEnd-j
		switch op.Kind {
		case Equal:
			if n != m || n == 0 || !bytes.Equal(lines(ta, i, op.AEnd), lines(tb, j, op.BEnd)) {
				t.Fatalf("op %d %+v is not equal", k, op)
			}
			if k > 0 && r.Ops[k-1].Kind == Equal {
				t.Fatalf("ops %d and %d are both equal", k-1, k)
			}
		case Delete:
			removed += n
			if n == 0 || m != 0 || k > 0 && r.Ops[k-1].Kind != Equal {
				t.Fatalf("op %d %+v: bad delete", k, op)
			}
		case Insert:
			added += m
			if m == 0 || n != 0 || k > 0 && r.Ops[k-1].Kind == Insert {
				t.Fatalf("op %d %+v: bad insert", k, op)
			}
		}
		i, j = op.AEnd, op.BEnd
	}
	if i != r.ALines || j != r.BLines || i != ta.Len() || j != tb.Len() {
		t.Fatalf("ops end at %d,%d; lines %d,%d; texts %d,%d", i, j, r.ALines, r.BLines, ta.Len(), tb.Len())
	}
	if added != r.Added || removed != r.Removed {
		t.Fatalf("counts %d,%d; ops have %d,%d", r.Added, r.Removed, added, removed)
	}
	if !bytes.Equal(apply(a, b, r), b) {
		t.Fatal("Apply does not give b")
	}
	if r.Same() != bytes.Equal(a, b) {
		t.Fatal("Same disagrees with the bytes")
	}
}

func compareTexts(t *testing.T, a, b string, o Options) *Result {
	t.Helper()
	r := Lines(context.Background(), []byte(a), []byte(b), o)
	verify(t, []byte(a), []byte(b), r)
	return r
}

func sketch(r *Result) string {
	var s strings.Builder
	for _, op := range r.Ops {
		switch op.Kind {
		case Equal:
			fmt.Fprintf(&s, "=%d", op.AEnd-op.AStart)
		case Delete:
			fmt.Fprintf(&s, "-%d", op.AEnd-op.AStart)
		case Insert:
			fmt.Fprintf(&s, "+%d", op.BEnd-op.BStart)
		}
	}
	return s.String()
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"both empty", "", "", ""},
		{"equal", "a\nb\n", "a\nb\n", "=2"},
		{"from nothing", "", "a\nb\n", "+2"},
		{"newline added at the end", "a\nb", "a\nb\n", "=1-1+1"},
		{"line begun", "a", "ab", "-1+1"},
		{"one changed", "a\nb\nc\n", "a\nB\nc\n", "=1-1+1=1"},
		{"tail without newline is equal", "1\nx", "2\nx", "-1+1=1"},
		{"insert in the middle", "a\nc\n", "a\nb\nc\n", "=1+1=1"},
		{"repeated line", "a\na\n", "a\na\na\n", "=2+1"},
		{"moved", "x\na\nb\nc\n", "a\nb\nc\nx\n", "-1=3+1"},
		{"carriage return is content", "a\r\nb\n", "a\nb\n", "-1+1=1"},
		{"lone carriage return ends no line", "a\rb\n", "a\rc\n", "-1+1"},
		{"invalid UTF-8", "\xff\n\xfe\n", "\xff\n\xfd\n", "=1-1+1"},
		{"empty lines", "\n\n\n", "\n\n", "=2-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sketch(compareTexts(t, c.a, c.b, Options{})); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// apply rebuilds b from the equal lines of a and the inserted lines of b, to
// verify a result.
func apply(a, b []byte, r *Result) []byte {
	fromA, fromB := NewText(a), NewText(b)
	out := make([]byte, 0, len(b))
	for _, op := range r.Ops {
		switch op.Kind {
		case Equal:
			out = append(out, lines(fromA, op.AStart, op.AEnd)...)
		case Insert:
			out = append(out, lines(fromB, op.BStart, op.BEnd)...)
		}
	}
	return out
}

// lines returns lines i to j-1 with their newlines.
func lines(t Text, i, j int) []byte { return t.data[t.starts[i]:t.starts[j]] }
