package diff

import (
	"bytes"
	"sort"
)

// textBlock is the distance of the marks in a Text: small enough to find a
// line within it in microseconds, large enough for the marks to need little
// memory.
const textBlock = 8 << 10

// Text accesses the lines of a text by number. It keeps the text, which must
// not change, and one number for every textBlock bytes. Safe for concurrent
// use.
type Text struct {
	data  []byte
	marks []int // marks[k]: newlines in data[:k*textBlock]
	lines int
}

// NewText counts the lines of data, at memory speed.
func NewText(data []byte) Text {
	t := Text{data: data, marks: make([]int, 0, len(data)/textBlock+1)}
	n := 0
	for at := 0; at < len(data); at += textBlock {
		t.marks = append(t.marks, n)
		n += bytes.Count(data[at:min(at+textBlock, len(data))], newline)
	}
	t.lines = n
	if noNewline(data) {
		t.lines++
	}
	return t
}

// Len is the number of lines, including a last line without a newline.
func (t Text) Len() int { return t.lines }

// Line returns line i, 0 <= i < Len(), without its newline.
func (t Text) Line(i int) []byte {
	c := t.cursor()
	return c.line(i)
}

// offset is where line i begins; len(data) for i == Len().
func (t Text) offset(i int) int {
	if i <= 0 {
		return 0
	}
	if i >= t.lines {
		return len(t.data)
	}
	// The i-th newline is in the last block with fewer than i before it.
	k := sort.Search(len(t.marks), func(k int) bool { return t.marks[k] >= i }) - 1
	at := k * textBlock
	for left := i - t.marks[k]; left > 0; left-- {
		at += bytes.IndexByte(t.data[at:], '\n') + 1
	}
	return at
}

// cursor remembers one line start, so that it finds lines in rising order
// without the marks. Not safe for concurrent use.
type cursor struct {
	text Text
	row  int
	at   int
}

func (t Text) cursor() *cursor { return &cursor{text: t} }

// nearby is the number of lines up to which stepping beats a new search.
const nearby = 64

func (c *cursor) seek(i int) int {
	if i < c.row || i > c.row+nearby {
		c.row, c.at = i, c.text.offset(i)
		return c.at
	}
	for ; c.row < i; c.row++ {
		next := bytes.IndexByte(c.text.data[c.at:], '\n')
		if next < 0 {
			c.row, c.at = i, len(c.text.data)
			break
		}
		c.at += next + 1
	}
	return c.at
}

func (c *cursor) line(i int) []byte {
	from := c.seek(i)
	line := c.text.data[from:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end:end]
	}
	return line
}
