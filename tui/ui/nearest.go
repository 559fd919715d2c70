package ui

import "unicode/utf8"

// nearestLength is the longest word that is compared, in bytes: names are far shorter.
const nearestLength = 64

// Nearest returns the candidate that somebody who typed word most likely meant, or ""
// where none is within three slips.
func Nearest(word string, candidates []string) string {
	best, distance := "", min(4, utf8.RuneCountInString(word))
	if len(word) > nearestLength {
		return ""
	}
	for _, c := range candidates {
		if d := editDistance(word, c); d < distance {
			best, distance = c, d
		}
	}
	return best
}

// editDistance counts the single-letter edits and swaps of neighbours between two short names.
func editDistance(a, b string) int {
	ra, rb := []rune(a), []rune(b)
	d := make([][]int, len(ra)+1)
	for i := range d {
		d[i] = make([]int, len(rb)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(ra); i++ {
		for j := 1; j <= len(rb); j++ {
			cost := 1
			if ra[i-1] == rb[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && ra[i-1] == rb[j-2] && ra[i-2] == rb[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(ra)][len(rb)]
}
