package ui

import (
	"unicode/utf8"

	"memcurator/render/text"
)

// nearestLength is the longest word that is compared, in bytes: names are far shorter.
const nearestLength = 64

// Nearest returns the candidate most likely meant by word, or ""
// where none is within three slips.
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
