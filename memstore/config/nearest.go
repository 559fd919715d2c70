package config

import (
	"strings"

	"memcurator/render/text"
)

// longestWord bounds what is compared: a longer word is not a slip of the finger.
const longestWord = 64

// Nearest returns the candidate that was most likely meant by word, or ""
// where none is close: one slip in a short word, two in a longer one, or its beginning.
func Nearest(word string, candidates []string) string {
	if len(word) > longestWord {
		return ""
	}
	word = strings.ToLower(word)
	best, least := "", 3
	if len(word) <= 4 {
		least = 2
	}
	for _, c := range candidates {
		d := text.EditDistance(word, c)
		if len(word) >= 3 && strings.HasPrefix(c, word) {
			d = min(d, 1)
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}
