package kit

import "memcurator/render/text"

// Count is [text.Count].
func Count(n int, one string, many ...string) string { return text.Count(n, one, many...) }

// CountGrouped is Count with commas between thousands.
func CountGrouped(n int, one string, many ...string) string {
	return Number(n) + " " + text.Plural(n, one, many...)
}

// CountMatches formats the number of matches of a search.
func CountMatches(n int) string { return CountGrouped(n, "match", "matches") }

// Number is [text.Number].
func Number(n int) string { return text.Number(int64(n)) }
