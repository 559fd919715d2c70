package replay

import "testing"

// The first line that differs has the number that Read shows, also where one text ends before the other.
func TestFirstLineThatDiffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b    string
		number  int
		was, is string
	}{
		{"a\nb\n", "a\nc\n", 2, "b", "c"},
		{"a", "a\nb\n", 2, "", "b"},
		{"a\nb\n", "", 1, "a", ""},
		{"a\n", "a", 2, "", ""},
	} {
		if number, was, is := firstLineThatDiffers(c.a, c.b); number != c.number || was != c.was || is != c.is {
			t.Errorf("%q against %q: %d, %q, %q", c.a, c.b, number, was, is)
		}
	}
}
