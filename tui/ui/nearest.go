package ui

import (
	"unicode/utf8"

	"memcurator/render/text"
)

// nearestLength is the maximum length of a word to compare, in bytes: names are far shorter.
const nearestLength = 64

// Nearest returns the candidate closest to word, or "" if none is within
// three typing errors.
func Nearest(word string, candidates []string) string {
	best, distance := "", min(4, utf8.RuneCountInString(word))
	if len(word) > nearestLength {
		return ""
	}
	for _, c := range candidates {
		if d := text.EditDistance(word, c); d < distance {
			best, distance = c, d
		}
	}
	return best
}
