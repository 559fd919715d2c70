package diffpane

import (
	"strconv"
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// columns is how the lines of a sheet fill rows of w cells: numbers, signs and the text of one side or of two.
type columns struct {
	env     *kit.Env
	w       int
	wrap    bool
	col     int // first cell of the lines that is shown, when they are cut
	on      sheet
	numbers int // the highest line number
	heights heights
}

// numberCells is the least width of one line number in a unified diff, sideNumberCells
// in one side; numbers are shown where the pane is at least numbersFrom cells wide.
const (
	numberCells     = 5
	sideNumberCells = 3
	numbersFrom     = 50
)

// numberWidth is the width of one line number with the space behind it; 0: not shown.
func (c *columns) numberWidth() int {
	if c.w < numbersFrom || c.on == nil {
		return 0
	}
	least := numberCells
	if c.on.sides() == 2 {
		least = sideNumberCells
	}
	return max(least, len(strconv.Itoa(c.numbers))) + 1
}

// room is the width for a line of a side beside cursor, numbers and sign.
func (c *columns) room(side int) int {
	if c.on == nil || c.on.sides() == 1 {
		return max(1, c.w-2-2*c.numberWidth())
	}
	return max(1, c.sideWidth(side)-1-c.numberWidth())
}

// sideWidth is the width of a side with its number and sign: one cell is for the cursor, one
// between the sides.
func (c *columns) sideWidth(side int) int { return (c.w - 2 + side) / 2 }

// wrapNote breaks a sentence into rows of the pane.
func (c *columns) wrapNote(note string) []string {
	rows := c.env.Wrapped(text.Clean(note), c.w-1)
	for i, row := range rows {
		rows[i] = strings.TrimSpace(row)
	}
	return rows
}

// wrapUpTo is how much of one line is wrapped, in bytes; unwrapped, all of it can be scrolled to.
const wrapUpTo = 64 << 10

// parts are the pieces of a line that are shown below each other: one where lines are cut.
func (c *columns) parts(row diff.Row, side int) []text.Row {
	if c.wrap {
		return text.Wrap(nil, row.Text[:min(len(row.Text), wrapUpTo)], c.room(side), c.env.Text(0))
	}
	from := text.ByteAt(row.Text, c.col, c.env.Text(0))
	return []text.Row{{Start: from, End: len(row.Text), Col: text.Column(row.Text, from, c.env.Text(0))}}
}

// height is the number of screen rows of a line.
func (c *columns) height(l line) int {
	switch l.kind {
	case diff.HunkHeader, diff.NoNewline:
		return 1
	case diff.Note:
		return len(c.wrapNote(string(l.sides[0].Text)))
	}
	most := 1
	for side, row := range l.sides[:c.on.sides()] {
		// What is not longer than the room in bytes may still need more cells, but
		// not if it is plain; the common case needs no layout.
		if n := len(row.Text); n > 0 && (n > c.room(side) || !plainASCII(row.Text)) {
			most = max(most, len(c.parts(row, side)))
		}
	}
	return most
}

func plainASCII(line []byte) bool {
	for _, c := range line {
		if c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// heights keeps how many rows the lines of a sheet take: to find out, they are laid out.
type heights struct {
	of    heightKey
	lines map[int]int
}

// heightKey is what the height of a line depends on.
type heightKey struct {
	on    sheet
	width int
	text  text.Options
}

// keepHeights bounds the heights that are kept.
const keepHeights = 4096

// rowsOf is how many rows of the screen a line takes.
func (c *columns) rowsOf(line int) int {
	if !c.wrap || c.on == nil || line < titleRows {
		return 1
	}
	of := heightKey{c.on, c.w, c.env.Text(0)}
	if c.heights.of != of || len(c.heights.lines) >= keepHeights {
		c.heights = heights{of, map[int]int{}}
	}
	h, ok := c.heights.lines[line]
	if !ok {
		h = 1
		if lines := c.on.lines(line-titleRows, 1); len(lines) > 0 {
			h = c.height(lines[0])
		}
		c.heights.lines[line] = h
	}
	return h
}
