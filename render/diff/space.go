package diff

import "context"

// linesIgnoringSpace compares as git diff -w does: all white space of the lines
// is left out, also the newline that a last line may lack. It costs a copy of
// both texts while it runs.
func linesIgnoringSpace(ctx context.Context, a, b []byte, o Options) *Result {
	o.IgnoreSpace = false
	r := Lines(ctx, bare(a), bare(b), o)
	r.SpaceIgnored = true
	r.ANoNewline, r.BNoNewline = noNewline(a), noNewline(b)
	return r
}

// blank holds the bytes that count as white space, those of C's isspace but for
// the newline. It is never written.
var blank = [256]bool{' ': true, '\t': true, '\v': true, '\f': true, '\r': true}

// bare gives the lines of text without white space, as many as before.
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

// TrailingSpace gives the offset at which the white space at the end of a line
// begins, len(line) for none.
func TrailingSpace(line []byte) int {
	n := len(line)
	for n > 0 && blank[line[n-1]] {
		n--
	}
	return n
}

// Blank reports whether text is white space only.
func Blank(text []byte) bool { return TrailingSpace(text) == 0 }
