package form

import (
	"unicode"
	"unicode/utf8"

	"memcurator/render/text"
)

// reach is how many bytes are examined to find the next or the last character: several
// times the longest one that is shown as a unit.
const reach = 256

// after is the end of the character that begins at a byte of line, as the screen counts characters.
func after(line string, at int, o text.Options) int {
	if at >= len(line) {
		return len(line)
	}
	window := []byte(line[at:min(len(line), at+reach)])
	for cell := 1; cell <= len(window)+16; cell++ { // the widest form of a byte has a few cells
		if next := text.ByteAt(window, cell, o); next > 0 {
			return at + next
		}
	}
	return at + len(window)
}

// before is the start of the character that ends at a byte of line.
func before(line string, at int, o text.Options) int {
	from := max(0, at-reach)
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	last := from
	for next := from; next < at; next = after(line, next, o) {
		last = next
	}
	return last
}

// left goes back by one character, over the start of a line too.
func (b *buffer) left(o text.Options) (row, col int) {
	switch {
	case b.col > 0:
		return b.row, before(b.line(), b.col, o)
	case b.row > 0:
		return b.row - 1, len(b.lines[b.row-1])
	}
	return b.row, b.col
}

// right moves by one character, also past the end of a line.
func (b *buffer) right(o text.Options) (row, col int) {
	switch {
	case b.col < len(b.line()):
		return b.row, after(b.line(), b.col, o)
	case b.row < len(b.lines)-1:
		return b.row + 1, 0
	}
	return b.row, b.col
}

// wordLeft goes to the start of the word before the cursor.
func (b *buffer) wordLeft(o text.Options) (row, col int) {
	if b.col == 0 {
		return b.left(o)
	}
	line, at := b.line(), b.col
	for _, inside := range []bool{false, true} {
		for at > 0 {
			start := before(line, at, o)
			if inWord(line[start:]) != inside {
				break
			}
			at = start
		}
	}
	return b.row, at
}

// wordRight goes to the end of the word behind the cursor.
func (b *buffer) wordRight(o text.Options) (row, col int) {
	line, at := b.line(), b.col
	if at == len(line) {
		return b.right(o)
	}
	for _, inside := range []bool{false, true} {
		for at < len(line) && inWord(line[at:]) == inside {
			at = after(line, at, o)
		}
	}
	return b.row, at
}

func inWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// moveTo puts the cursor at a place; what is typed there is a change of its own.
func (b *buffer) moveTo(row, col int) {
	b.row, b.col, b.joins = row, col, false
}
