package literal

import (
	"slices"
	"testing"
)

func TestFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text            string
		fold, canonical bool
		in              string
		want            [][2]int
	}{
		{"note", false, false, "a note, a Note", [][2]int{{2, 6}}},
		{"note", true, false, "a note, a NOTE", [][2]int{{2, 6}, {10, 14}}},
		{"aa", false, false, "aaaaa", [][2]int{{0, 2}, {2, 4}}},
		{"task", true, false, "TA\u017f\u212a", [][2]int{{0, 7}}}, // other letters in other cases: the long s, the sign of the kelvin
		{"caf\u00e9", true, false, "cafe\u0301", nil},
		{"caf\u00e9", true, true, "CAFE\u0301", [][2]int{{0, 6}}},
		{"\xff", true, true, "a\xff\xfe", [][2]int{{1, 2}}},
		{"...", true, false, "a...", [][2]int{{1, 4}}},
		{"k", true, true, "", nil},
	} {
		needle := New(c.text, c.fold, c.canonical)
		var got [][2]int
		for s, at := needle.In([]byte(c.in)), 0; ; {
			i, j := s.Next(at)
			if i < 0 {
				break
			}
			got, at = append(got, [2]int{i, j}), j
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %q, fold %v, canonical %v: %v, want %v", c.text, c.in, c.fold, c.canonical, got, c.want)
		}
	}
}
