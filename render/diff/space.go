package diff

import "context"

// linesIgnoringSpace compares as git diff -w does: it ignores all white space
// in the lines, and a missing final newline. It costs a copy of both texts
// while it runs.
func linesIgnoringSpace(ctx context.Context, a, b []byte, o Options) *Result {
	o.IgnoreSpace = false
	r := Lines(ctx, bare(a), bare(b), o)
	r.SpaceIgnored = true
	r.ANoNewline, r.BNoNewline = noNewline(a), noNewline(b)
	return r
}

// blank marks the bytes that count as white space: C's isspace without the
// newline. It is never modified.
var blank = [256]bool{' ': true, '\t': true, '\v': true, '\f': true, '\r': true}

// bare returns the lines of text without white space; their number stays.
func bare(text []byte) []byte {
	out := make([]byte, 0, len(text)+1)
	for _, c := range text {
		if !blank[c] {
			out = append(out, c)
		}
	}
	if noNewline(text) {
		out = append(out, '\n')
	}
	return out
}

// TrailingSpace returns the offset of the white space at the end of a line;
// len(line) for none.
func TrailingSpace(line []byte) int {
	n := len(line)
	for n > 0 && blank[line[n-1]] {
		n--
	}
	return n
}

// Blank reports whether text is only white space.
func Blank(text []byte) bool { return TrailingSpace(text) == 0 }
