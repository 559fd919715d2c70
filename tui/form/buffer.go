package form

import (
	"slices"
	"strings"
)

// Bounds of one field. Larger texts belong into an editor of their own.
const (
	maxBytes  = 1 << 20
	maxLines  = 10_000
	maxOneRow = 8 << 10 // bytes of a field of one row: more than twice the longest path
	maxUndo   = 100     // states; each holds the lines' headers, not their bytes
)

// buffer is a text being typed and the cursor in it. What goes in comes out byte for
// byte: nothing is replaced, a "\r" before a line's end stays. It doesn't know the screen.
type buffer struct {
	single bool // one row: it takes no line break
	lines  []string
	size   int // bytes of the text
	row    int // line of the cursor
	col    int // byte in that line, between two characters

	past, future []state
	joins        bool // what is typed next belongs to the newest state in past
}

// state is a text to return to.
type state struct {
	lines          []string
	size, row, col int
}

func newBuffer(text string, single bool) buffer {
	b := buffer{single: single, lines: strings.Split(text, "\n"), size: len(text)}
	b.row = len(b.lines) - 1
	b.col = len(b.lines[b.row])
	return b
}

// text is the whole text.
func (b *buffer) text() string { return strings.Join(b.lines, "\n") }

func (b *buffer) empty() bool { return b.size == 0 }

// line is the line of the cursor.
func (b *buffer) line() string { return b.lines[b.row] }

const (
	textFieldFull = "This field holds at most 1 MiB and 10,000 lines. Edit larger texts in an editor of your own."
	textOneRow    = "This field is one line and can't have line breaks."
	textRowFull   = "This field holds at most 8 KiB."
)

// insert puts s at the cursor. A refusal is a sentence for the user, and nothing was changed;
// "": done. Typed characters in a row are undone together.
func (b *buffer) insert(s string, typed bool) (refusal string) {
	breaks := strings.Count(s, "\n")
	switch {
	case b.single && breaks > 0:
		return textOneRow
	case b.single && b.size+len(s) > maxOneRow:
		return textRowFull
	case b.size+len(s) > maxBytes || len(b.lines)+breaks > maxLines:
		return textFieldFull
	}
	b.keep(typed && breaks == 0)
	head, tail := b.line()[:b.col], b.line()[b.col:]
	parts := strings.Split(s, "\n")
	last := len(parts) - 1
	col := len(parts[last])
	if last == 0 {
		col += len(head)
	}
	parts[0] = head + parts[0]
	parts[last] += tail
	b.lines = slices.Replace(b.lines, b.row, b.row+1, parts...)
	b.row, b.col = b.row+last, col
	b.size += len(s)
	return ""
}

// remove deletes the text between the cursor and another place.
func (b *buffer) remove(row, col int) {
	fromRow, fromCol, toRow, toCol := b.row, b.col, row, col
	if row < b.row || row == b.row && col < b.col {
		fromRow, fromCol, toRow, toCol = row, col, b.row, b.col
	}
	if fromRow == toRow && fromCol == toCol {
		return
	}
	b.keep(false)
	gone := toCol - fromCol
	for i := fromRow; i < toRow; i++ {
		gone += len(b.lines[i]) + 1
	}
	joined := b.lines[fromRow][:fromCol] + b.lines[toRow][toCol:]
	b.lines = slices.Replace(b.lines, fromRow, toRow+1, joined)
	b.row, b.col = fromRow, fromCol
	b.size -= gone
}

// lineBreak is how a new line begins in this text: as its other lines do.
func (b *buffer) lineBreak() string {
	if len(b.lines) < 2 {
		return "\n"
	}
	at := min(b.row, len(b.lines)-2) // the last line has no end to copy
	if strings.HasSuffix(b.lines[at], "\r") {
		return "\r\n"
	}
	return "\n"
}

// keep remembers the text, to return to; with join only if what was typed
// before has ended.
func (b *buffer) keep(join bool) {
	if !join || !b.joins {
		b.past = append(b.past, b.now())
		b.past = b.past[max(0, len(b.past)-maxUndo):]
	}
	b.joins, b.future = join, nil
}

func (b *buffer) now() state { return state{slices.Clone(b.lines), b.size, b.row, b.col} }

// undo goes back to the text before the last change.
func (b *buffer) undo() { b.travel(&b.past, &b.future) }

// redo reverses an undo.
func (b *buffer) redo() { b.travel(&b.future, &b.past) }

func (b *buffer) travel(from, to *[]state) {
	n := len(*from) - 1
	if n < 0 {
		return
	}
	*to = append(*to, b.now())
	s := (*from)[n]
	*from = (*from)[:n]
	b.lines, b.size, b.row, b.col, b.joins = s.lines, s.size, s.row, s.col, false
}
