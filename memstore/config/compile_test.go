package config

import (
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// The fast match does what the obvious one does, for every glob that a configuration may have.
func FuzzCompiledGlobs(f *testing.F) {
	for _, g := range []string{"**", "notes/**", "**/*.md", "*.md", "**/name", "**/a/**", "**/MEMORY.md", "**/scratch.*", "a", "a/b",
		"**/a/b", "a/b/**", "**/*", "**/**", "*", "**/.x*", "{a,b}/**", "**/[ab]", "a**", "**a", "**/a**", "a/**/b"} {
		for _, p := range []string{"a", "notes", "notes/x.md", "x.md", "d/x.md", "a/b", "x/a/b/c", "name", "x/name", "xname", "scratch.",
			"d/scratch.md", "a/ab", "\xff/a"} {
			f.Add(g, p)
		}
	}
	f.Add("\xe1", "\xfb")
	f.Add("\uFFFD/**", "\xfb/a")
	f.Fuzz(func(t *testing.T, glob, path string) {
		if judgeGlob(glob) != "" || path == "" || strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.Contains(path, "//") {
			return
		}
		// doublestar's time grows with each of them
		if strings.Count(glob, "*") > 4 || strings.Contains(glob, "{") && len(glob) > 20 || len(glob) > 60 || len(path) > 40 {
			return
		}
		if got, want := compile(glob)(path), doublestar.MatchUnvalidated(glob, path); got != want {
			t.Errorf("%q on %q: %v, want %v", glob, path, got, want)
		}
	})
}
