package diff

import "bytes"

// Text accesses the lines of a text by number. Safe for concurrent use.
type Text struct {
	data   []byte
	starts []int // of each line, and the end of the last one
}

// NewText finds the lines of data, which must not change.
func NewText(data []byte) Text {
	starts := make([]int, 1, bytes.Count(data, []byte{'\n'})+2)
	for at := 0; at < len(data); {
		n := bytes.IndexByte(data[at:], '\n') + 1
		if n == 0 {
			n = len(data) - at
		}
		at += n
		starts = append(starts, at)
	}
	return Text{data: data, starts: starts}
}

// Len is the number of lines, including a last line without a newline.
func (t Text) Len() int { return max(0, len(t.starts)-1) }

// Line returns line i, 0 <= i < Len(), without its newline.
func (t Text) Line(i int) []byte { return bytes.TrimSuffix(t.raw(i), []byte{'\n'}) }

// raw returns line i with its newline, if it has one.
func (t Text) raw(i int) []byte { return t.data[t.starts[i]:t.starts[i+1]] }

func noNewline(text []byte) bool { return len(text) > 0 && text[len(text)-1] != '\n' }

// spaces is white space within a line, as C's isspace has it.
const spaces = " \t\v\f\r"

// TrailingSpace returns the offset of the white space at the end of a line; len(line) for none.
func TrailingSpace(line []byte) int { return len(bytes.TrimRight(line, spaces)) }

// Blank reports whether text is only white space.
func Blank(text []byte) bool { return TrailingSpace(text) == 0 }
