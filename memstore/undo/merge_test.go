package undo

import (
	"context"
	"testing"
)

func TestMerge(t *testing.T) {
	for _, c := range []struct{ base, ours, theirs, want string }{
		{"a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"},
		{"a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n", "a\nX\nc\n"},
		{"a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n", ""},
		{"a\nb\nc\nd", "a\nb\nc\nd\ne", "b\nc\nd", "b\nc\nd\ne"},
		{"a\nb\nc\n", "", "a\nb\nC\n", ""},
		{"a\nb\nc\nd\n", "x\na\nb\nc\nd\n", "a\nb\nc\nd\ny\n", "x\na\nb\nc\nd\ny\n"},
	} {
		got, conflicts := Merge(context.Background(), []byte(c.base), []byte(c.ours), []byte(c.theirs))
		if string(got) != c.want || (len(conflicts) > 0) != (c.want == "") {
			t.Errorf("%q, %q, %q: %q, %v", c.base, c.ours, c.theirs, got, conflicts)
		}
	}
}
