package text

import "strconv"

// Plural is the form of a noun that goes with n: one, or one with an s, or many where it is given.
func Plural(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return one
	case len(many) > 0:
		return many[0]
	}
	return one + "s"
}

// Count writes a number with its noun.
func Count(n int, one string, many ...string) string {
	return strconv.Itoa(n) + " " + Plural(n, one, many...)
}
