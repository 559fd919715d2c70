package rule

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Spellings are a cue of several words as keys of configurations spell it too, and one
// that begins with a letter beyond ASCII, whose case the trie does not fold, with a capital.
func Spellings(text string) []string {
	out := []string{text}
	if first, n := utf8.DecodeRuneInString(text); n > 1 && unicode.ToUpper(first) != first {
		out = append(out, string(unicode.ToUpper(first))+text[n:])
	}
	if upper := strings.ToUpper(text); strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) > 0 && upper != text {
		out = append(out, upper)
	}
	if strings.Contains(text, " ") && !strings.ContainsAny(text, "/:'") {
		for _, sep := range []string{"_", "-", ".", ""} {
			out = append(out, strings.ReplaceAll(text, " ", sep))
		}
	}
	return out
}
