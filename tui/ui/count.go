package ui

import (
	"strconv"
	"strings"

	"memcurator/render/text"
)

// Count is [text.Count].
func Count(n int, one string, many ...string) string { return text.Count(n, one, many...) }

// CountGrouped is Count with commas between thousands.
func CountGrouped(n int, one string, many ...string) string {
	return Number(n) + " " + text.Plural(n, one, many...)
}

// CountMatches formats the number of matches of a search.
func CountMatches(n int) string { return CountGrouped(n, "match", "matches") }

// Number formats a number with commas between thousands.
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
