package kit

import (
	"slices"
	"strings"
	"unicode"
)

// HoldsAll reports whether a line contains all words, which are in lower case, ignoring case.
func HoldsAll(line string, words []string) bool {
	if len(words) == 0 {
		return true
	}
	line = strings.ToLower(line)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) })
}

// CompleteWord lists completions of a typed line: one for each term that begins with its last word.
func CompleteWord(line string, terms []string) (lines []string) {
	cut := strings.LastIndexFunc(line, unicode.IsSpace) + 1
	head, word := line[:cut], line[cut:]
	for _, t := range terms {
		if word != "" && strings.HasPrefix(t, word) && t != word {
			lines = append(lines, head+t)
		}
	}
	return lines
}
