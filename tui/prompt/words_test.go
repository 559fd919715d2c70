package prompt

import "testing"

// FuzzWords checks that what is quoted comes through unchanged.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"quit", "view /memories [1,2]", `create a "b\n"`, "{}", "[", "12", "é ü", `a "b`, "a 'b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		_, _ = Words(line)
		if words, err := Words("create " + Quote(line)); err != nil || len(words) != 2 || words[1] != line {
			t.Fatalf("%q in quotes comes back as %q, %v", line, words, err)
		}
	})
}
