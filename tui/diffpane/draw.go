package diffpane

import (
	"fmt"
	"strconv"
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// numberCells is the least width of one line number in a unified diff, sideNumberCells
// in one side; numbers are shown where the pane is at least numbersFrom cells wide.
const (
	numberCells     = 5
	sideNumberCells = 3
	numbersFrom     = 50
)

// numberWidth is the width of one line number with the space behind it; 0: not shown.
func (p *Pane) numberWidth() int {
	if p.w < numbersFrom || p.on == nil {
		return 0
	}
	least := numberCells
	if p.on.sides() == 2 {
		least = sideNumberCells
	}
	return max(least, len(strconv.Itoa(max(p.result.result.ALines, p.result.result.BLines)))) + 1
}

// room is what is left for a line of a side beside cursor, numbers and sign.
func (p *Pane) room(side int) int {
	if p.on == nil || p.on.sides() == 1 {
		return max(1, p.w-2-2*p.numberWidth())
	}
	return max(1, p.sideWidth(side)-1-p.numberWidth())
}

// sideWidth is the width of a side with its number and sign: one cell is for the cursor, one
// between the sides.
func (p *Pane) sideWidth(side int) int { return (p.w - 2 + side) / 2 }

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	out := make([]string, 0, p.h)
	if p.result == nil || p.failure != "" {
		out = p.drawNotes(out, p.stateRows(), p.env.Styles.Dim)
	} else if p.h > 0 {
		out = p.drawResult(out, focused)
	}
	return ui.FillRows(out, p.w, p.h)
}

const (
	TextNoChangeFile = "no change of this path since memcurator was started"
	textHowToCompare = "{tree/compare} in the tree compares two marked files, :compare A B any two"
	textComparing    = "comparing..."
)

// stateRows explain why there is no diff yet.
func (p *Pane) stateRows() []string {
	message := p.env.Keyed(TextNoChangeFile + "; " + textHowToCompare)
	switch {
	case p.failure != "":
		message = p.failure
	case p.target.Key != "":
		message = textComparing
	}
	return p.wrapNote(message)
}

// noteRows explain why there is nothing to lay out, and what to do.
func (p *Pane) noteRows() []string {
	var out []string
	for _, note := range p.result.notes {
		out = append(out, p.wrapNote(note)...)
	}
	return out
}

// wrapNote breaks a sentence into rows of the pane.
func (p *Pane) wrapNote(note string) []string {
	clean := []byte(text.Clean(note))
	var out []string
	for _, r := range text.Wrap(nil, clean, max(1, p.w-1), text.Options{}) {
		out = append(out, strings.TrimSpace(string(clean[r.Start:r.End])))
	}
	return out
}

func (p *Pane) drawNotes(out, notes []string, paint theme.Paint) []string {
	for _, note := range notes {
		out = append(out, paint.Apply(text.Pad(" "+note, p.w)))
	}
	return out
}

func (p *Pane) drawResult(out []string, focused bool) []string {
	first := p.view.Top.Line - titleRows
	if p.view.Top.Line == 0 {
		out, first = append(out, p.drawTitle(focused)), 0
	}
	if p.on == nil {
		notes := p.noteRows()
		return p.drawNotes(out, notes[min(first, len(notes)):], p.env.Styles.Warning)
	}
	skip := p.view.Top.Row
	lines := p.on.lines(first, p.h-len(out)+1) // one more: a header needs the line below it
	for i, l := range lines {
		if l.kind == diff.HunkHeader && i+1 < len(lines) {
			_, b := lines[i+1].numbers()
			l.below = p.heading(b)
		}
		rows := p.drawLine(l, focused && first+i+titleRows == p.line())
		out = append(out, rows[min(skip, len(rows)):]...)
		skip = 0
		if len(out) >= p.h {
			break
		}
	}
	return out
}

// drawTitle describes what is compared and, at its right end, in which unusual form.
func (p *Pane) drawTitle(focused bool) string {
	st := p.env.Styles
	paint := st.Title
	if focused && p.line() == 0 {
		paint = st.Selected
	}
	flags := p.flags()
	if most := p.w * 2 / 3; text.Width(flags) > most {
		flags = text.Truncate(flags, most, st.Glyphs.Ellipsis)
	}
	room := max(0, p.w-1-text.Width(flags))
	of := p.result.of
	if of.Key == p.target.Key {
		of = p.target // it may have got another title
	}
	title := text.Truncate(text.Clean(of.Title), room, st.Glyphs.Ellipsis)
	return paint.Apply(text.Pad(" "+text.Pad(title, room)+flags, p.w))
}

const (
	textSpaceIgnored = "white space ignored"
	textTooNarrow    = "too narrow for two sides"
)

// flags are the words at the right end of the title.
func (p *Pane) flags() string {
	var words []string
	if p.result.result != nil && p.result.of.Subject != "" {
		r, g := p.result.result, p.env.Styles.Glyphs
		words = append(words, fmt.Sprintf("%s%d %s%d", g.Plus, r.Added, g.Minus, r.Removed))
	}
	if p.result.ignore {
		words = append(words, textSpaceIgnored)
	}
	if p.split && p.on != nil && p.on.sides() == 1 && p.w < sidesFrom {
		words = append(words, textTooNarrow)
	}
	if len(words) == 0 {
		return ""
	}
	return "  " + strings.Join(words, "  ") + " "
}

// drawLine draws one row of the sheet as one screen row or, wrapped, as several.
func (p *Pane) drawLine(l line, current bool) []string {
	st := p.env.Styles
	cursor := " "
	if current {
		cursor = st.Accent.Apply(st.Glyphs.Cursor)
	}
	switch {
	case l.kind == diff.HunkHeader:
		return []string{cursor + p.drawHeader(l)}
	case l.kind == diff.Note:
		return p.drawRemark(l, cursor)
	case p.on.sides() == 2:
		return p.drawSides(l, cursor)
	case l.kind == diff.NoNewline:
		return []string{cursor + p.plain(l.sides[0].Text, st.Dim, p.w-1)}
	}
	row := l.sides[0]
	sign, look := p.look(row)
	numbers := p.number(row.ANumber) + p.number(row.BNumber)
	head := cursor + st.Number.Apply(numbers) + look.line.Apply(sign)
	var out []string
	for _, part := range p.parts(row, 0) {
		out = append(out, head+p.content(row, look, part, 0))
		head = strings.Repeat(" ", 1+len(numbers)) + look.line.Apply(" ")
	}
	return out
}

// headingRoom is the least room in which a heading is of use, in cells.
const headingRoom = 10

// drawHeader draws the line that introduces a hunk, with the heading that the hunk is below.
func (p *Pane) drawHeader(l line) string {
	st := p.env.Styles
	head := text.Truncate(text.Clean(string(l.sides[0].Text)), max(0, p.w-1), st.Glyphs.Ellipsis)
	room := max(0, p.w-1-text.Width(head))
	if l.below == "" || room < headingRoom {
		return p.plain(l.sides[0].Text, st.Hunk, p.w-1)
	}
	heading := text.Truncate(text.Clean(l.below), max(0, room-1), st.Glyphs.Ellipsis)
	return st.Hunk.Apply(head) + st.Dim.Apply(text.Pad(" "+heading, room))
}

// drawRemark draws a sentence about the comparison.
func (p *Pane) drawRemark(l line, cursor string) []string {
	st := p.env.Styles
	if !p.wrap {
		return []string{cursor + p.plain(l.sides[0].Text, st.Dim, p.w-1)}
	}
	var out []string
	for _, row := range p.wrapNote(string(l.sides[0].Text)) {
		out = append(out, cursor+st.Dim.Apply(text.Pad(row, max(0, p.w-1))))
		cursor = " "
	}
	return out
}

// drawSides draws a line of each side beside each other; the shorter one is filled up.
func (p *Pane) drawSides(l line, cursor string) []string {
	st := p.env.Styles
	var sides [2][]string
	for i, row := range l.sides {
		sides[i] = p.drawSide(row, i)
	}
	bar := st.Border.Apply(st.Glyphs.SplitVertical)
	out := make([]string, max(len(sides[0]), len(sides[1])))
	for k := range out {
		var cells [2]string
		for i := range cells {
			if cells[i] = strings.Repeat(" ", p.sideWidth(i)); k < len(sides[i]) {
				cells[i] = sides[i][k]
			}
		}
		out[k] = cursor + cells[0] + bar + cells[1]
		cursor = " "
	}
	return out
}

func (p *Pane) drawSide(row diff.Row, side int) []string {
	st := p.env.Styles
	switch row.Kind {
	case diff.Filler:
		return nil
	case diff.NoNewline:
		return []string{p.plain(row.Text, st.Dim, p.sideWidth(side))}
	}
	sign, look := p.look(row)
	number := p.number(max(row.ANumber, row.BNumber))
	head := st.Number.Apply(number) + look.line.Apply(sign)
	var out []string
	for _, part := range p.parts(row, side) {
		out = append(out, head+p.content(row, look, part, side))
		head = strings.Repeat(" ", len(number)) + look.line.Apply(" ")
	}
	return out
}

// look is how a line and the changed words in it are painted.
type look struct{ line, word theme.Paint }

// look returns the sign of a line, which tells its state without colour, and its paints.
func (p *Pane) look(row diff.Row) (sign string, l look) {
	st := p.env.Styles
	switch {
	case row.Kind == diff.Added && row.Moved > 0:
		return st.Glyphs.MovedHere, look{st.Moved, st.Moved}
	case row.Kind == diff.Added:
		return "+", look{st.Added, st.AddedWord}
	case row.Kind == diff.Removed && row.Moved > 0:
		return st.Glyphs.MovedAway, look{st.Moved, st.Moved}
	case row.Kind == diff.Removed:
		return "-", look{st.Removed, st.RemovedWord}
	default:
		return " ", look{st.Text, st.Text}
	}
}

// number draws a line number, nothing for 0, with the space behind it.
func (p *Pane) number(n int) string {
	wide := p.numberWidth()
	if wide == 0 {
		return ""
	}
	s := ""
	if n > 0 {
		s = strconv.Itoa(n)
	}
	return text.PadLeft(s, wide-1) + " "
}

func (p *Pane) plain(line []byte, paint theme.Paint, width int) string {
	return paint.Apply(text.Pad(text.Clean(string(line)), max(0, width)))
}

// wrapUpTo is how much of one line is wrapped, in bytes; unwrapped, all of it can be scrolled to.
const wrapUpTo = 16 << 10

// parts are the pieces of a line that are shown below each other: one where lines are cut.
func (p *Pane) parts(row diff.Row, side int) []text.Row {
	if p.wrap {
		return text.Wrap(nil, row.Text[:min(len(row.Text), wrapUpTo)], p.room(side), p.env.Text(0))
	}
	from := text.ByteAt(row.Text, p.col, p.env.Text(0))
	return []text.Row{{Start: from, End: len(row.Text), Col: text.Column(row.Text, from, p.env.Text(0))}}
}

// height is the number of screen rows of a line.
func (p *Pane) height(l line) int {
	switch l.kind {
	case diff.HunkHeader, diff.NoNewline:
		return 1
	case diff.Note:
		return len(p.wrapNote(string(l.sides[0].Text)))
	}
	most := 1
	for side, row := range l.sides[:p.on.sides()] {
		// What is not longer than the room in bytes may still need more cells, but
		// not if it is plain; the common case needs no layout.
		if n := len(row.Text); n > 0 && (n > p.room(side) || !plainASCII(row.Text)) {
			most = max(most, len(p.parts(row, side)))
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
