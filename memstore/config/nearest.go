package config

import "strings"

// longestWord bounds what is compared: a longer word is no slip of the finger.
const longestWord = 64

// Nearest returns the candidate that somebody who typed word most likely meant, or ""
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
		d := slips(word, c)
		if len(word) >= 3 && strings.HasPrefix(c, word) {
			d = min(d, 1)
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}

// slips counts the letters to add, drop, change or swap with their neighbour to
// make b of a.
func slips(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
