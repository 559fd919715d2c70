package text

import "strconv"

// Plural returns the form of a noun for n: one, or its plural, which is many if given, else one plus s.
func Plural(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return one
	case len(many) > 0:
		return many[0]
	}
	return one + "s"
}

// Count formats a number with its noun.
func Count(n int, one string, many ...string) string {
	return strconv.Itoa(n) + " " + Plural(n, one, many...)
}
