package ui

import (
	"strconv"
	"strings"

	"memcurator/render/text"
)

// Count is [text.Count].
func Count(n int, one string, many ...string) string { return text.Count(n, one, many...) }

// CountGrouped is Count for numbers that may be long: it has commas between the thousands.
func CountGrouped(n int, one string, many ...string) string {
	return Number(n) + " " + text.Plural(n, one, many...)
}

// CountMatches is how many matches a search has.
func CountMatches(n int) string { return CountGrouped(n, "match", "matches") }

// Number writes a number with commas between the thousands.
func Number(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
