package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"
)

// judgeGlob says what is wrong with a glob, "" where nothing is.
func judgeGlob(g string) string {
	if g == "" {
		return "has an empty glob"
	}
	for _, root := range []string{memoriesRoot, "/"} {
		if rest, ok := strings.CutPrefix(g, root); ok {
			return fmt.Sprintf("can't be %s; globs are relative to the store: %s", quoted(g), quoted(strings.TrimLeft(rest, "/")))
		}
	}
	if !doublestar.ValidatePattern(g) {
		return fmt.Sprintf("can't be %s; it has an unclosed bracket or brace", quoted(g))
	}
	for _, p := range strings.Split(g, "/") {
		if p == ".." || p == "." {
			return fmt.Sprintf("can't be %s; %q is not allowed in a path", quoted(g), p)
		}
	}
	return ""
}

// memoriesRoot is how an agent path begins.
const memoriesRoot = "/memories/"

// Matches reports whether the rule is about a path relative to the store. Unicode normalization does not count: macOS and archives write
// names in another one than keyboards.
func (r *Rule) Matches(path string) bool {
	path = spelled(path)
	return slices.ContainsFunc(r.Match, func(g string) bool { return doublestar.MatchUnvalidated(spelled(g), path) })
}

// MatchesFold is Matches without regard to case, for pins and locks: they must hold on file systems that have none.
func (r *Rule) MatchesFold(path string) bool {
	path = strings.ToLower(spelled(path))
	return slices.ContainsFunc(r.Match, func(g string) bool { return doublestar.MatchUnvalidated(strings.ToLower(spelled(g)), path) })
}

// spelled is a text in the normalization of comparisons. Most paths are ASCII, and plans ask for many.
func spelled(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return norm.NFC.String(s)
		}
	}
	return s
}
