package undo

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	for _, c := range []struct{ base, ours, theirs, want string }{
		{"a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"},
		{"a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n", "a\nX\nc\n"},
		{"a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n", ""},
		{"a\nb\nc\nd", "a\nb\nc\nd\ne", "b\nc\nd", "b\nc\nd\ne"},
		{"a\nb\nc\n", "", "a\nb\nC\n", ""},
		// Lines that were only added next to those that are changed stay.
		{"log\na\n", "log\na\nb\nc\n", "log\n", "log\nb\nc\n"},
		{"log\nb\n", "log\na\nb\nc\n", "log\n", "log\na\nc\n"},
		{"log\nnew\n", "log\nnew\nb\n", "log\nold\n", "log\nold\nb\n"},
		{"log\na\nz\n", "log\na\nb\nz\n", "log\nz\n", "log\nb\nz\n"},
		{"log\nping\n", "log\nping\nping\n", "log\n", "log\nping\n"},
		{"log\na", "log\na\nb", "log", "log\nb"},
		{"log\na", "log\na\nb\n", "log", "log\nb\n"},
		{"log\na\n", "log\na\nb\n", "log", "log\nb"},
		{"x\ny\n", "x\ny\nz\n", "x\nY", "x\nY\nz"},
		// Both changed the same lines, or lines next to each other.
		{"log\na\n", "log\nA\nb\n", "log\n", ""},
		{"log\na\nb\n", "log\na\nB\n", "log\nb\n", ""},
		{"log\n", "log\nb\n", "log\na\n", ""},
		{"a\nb\nc\nd\n", "x\na\nb\nc\nd\n", "a\nb\nc\nd\ny\n", "x\na\nb\nc\nd\ny\n"},
	} {
		got, merged := Merge(context.Background(), []byte(c.base), []byte(c.ours), []byte(c.theirs))
		if string(got) != c.want || merged != (c.want != "") {
			t.Errorf("%q, %q, %q: %q, %v", c.base, c.ours, c.theirs, got, merged)
		}
	}
}

// What was added to a text is removed from it again, and nothing else is: what was added next to it since, and before and after, stays.
// Where the merge cannot be sure, there is a conflict.
func FuzzMergeOfAdditions(f *testing.F) {
	f.Add("a\nb\n", "new\n", "later\n", "", uint8(2), uint8(0))
	f.Add("log\n", "a\nb\na\n", "b\na\n", "a\n", uint8(1), uint8(1))
	f.Add("", "a\n", "a\n", "b", uint8(0), uint8(2))
	f.Fuzz(func(t *testing.T, text, added, later, end string, at, where uint8) {
		whole := func(s string) [][]byte {
			if s != "" && !strings.HasSuffix(s, "\n") {
				s += "\n"
			}
			return lines([]byte(s))
		}
		old, added1, later1, end1 := whole(text), whole(added), whole(later), whole(end)
		cut := int(at) % (len(old) + 1)
		head, tail := old[:cut], old[cut:]
		join := func(parts ...[][]byte) []byte { return bytes.Join(slices.Concat(parts...), nil) }
		before, after := join(head, tail), join(head, added1, tail)
		now, want := join(head, added1, later1, tail, end1), join(head, later1, tail, end1)
		if where%2 == 1 {
			now = join(head, later1, added1, tail, end1)
		}
		got, merged := Merge(context.Background(), after, now, before)
		if merged && !bytes.Equal(got, want) && !sameLines(join(old, later1, end1), got) {
			t.Errorf("%q of %q in %q: %q, want %q", added, after, now, got, want)
		}
	})
}

// sameLines reports whether two texts have the same lines, in any order: of alike lines those left may be others than those added.
func sameLines(a, b []byte) bool {
	sorted := func(text []byte) [][]byte {
		list := lines(text)
		slices.SortFunc(list, bytes.Compare)
		return list
	}
	return slices.EqualFunc(sorted(a), sorted(b), bytes.Equal)
}
