package text

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0, "file"), "0 files"}, {Count(1, "file"), "1 file"}, {Count(2, "file"), "2 files"},
		{Count(1, "match", "matches"), "1 match"}, {Count(12, "match", "matches"), "12 matches"},
		{Plural(1, "is", "are"), "is"}, {Plural(2, "is", "are"), "are"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
