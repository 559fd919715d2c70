package kit

import (
	"strings"
	"unicode"
)

// completeWord lists completions of a typed line: one for each term that begins with its last word.
func completeWord(line string, terms []string) (lines []string) {
	cut := strings.LastIndexFunc(line, unicode.IsSpace) + 1
	head, word := line[:cut], line[cut:]
	for _, t := range terms {
		if word != "" && strings.HasPrefix(t, word) && t != word {
			lines = append(lines, head+t)
		}
	}
	return lines
}
