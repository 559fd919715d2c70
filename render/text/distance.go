package text

import "strings"

// editDistance is the minimum number of letters to add, drop, change or swap with their neighbor to turn a into b. It costs the product
// of their lengths, so use it for words.
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
			change := 1
			if ra[i-1] == rb[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && ra[i-1] == rb[j-2] && ra[i-2] == rb[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(ra)][len(rb)]
}

// longestWord bounds what Nearest compares, in bytes: names are shorter.
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
		d := editDistance(word, c)
		if len(word) >= 3 && strings.HasPrefix(c, word) {
			d = min(d, 1)
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}
