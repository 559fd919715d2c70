package diffpane

import (
	"slices"

	"memcurator/keymap"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// titleRows is the number of lines above the diff.
const titleRows = 1

// page is a sheet on the screen below a title: how its lines fill rows, the cursor and how far it is scrolled.
type page struct {
	columns columns
	view    kit.TextView // its first line is the title, then come the rows of the sheet
	notes   []string     // why it has no sheet; nil: nothing compared yet
}

// total is the number of lines with the title.
func (p *page) total() int {
	switch {
	case p.columns.on != nil:
		return titleRows + p.columns.on.Len()
	case p.notes != nil:
		return titleRows + len(p.noteRows())
	default:
		return 0
	}
}

// noteRows explain why the page is empty, and what to do.
func (p *page) noteRows() []string {
	var out []string
	for _, note := range p.notes {
		out = append(out, p.columns.wrapNote(note)...)
	}
	return out
}

// setWrap wraps long lines or cuts them.
func (p *page) setWrap(on bool) {
	p.columns.wrap, p.columns.col, p.view.Top.Row = on, 0, 0
	p.view.Reveal()
}

// line is the one under the cursor; the title is line 0.
func (p *page) line() int { return p.view.Cursor.Line }

// goTop goes to the title.
func (p *page) goTop() { p.view.Cursor, p.view.Top, p.columns.col = kit.Place{}, kit.Place{}, 0 }

const textNoMoreHunks = "No more hunks in this direction"

// hunk goes to the next block of changed lines, or says that there is none.
func (p *page) hunk(forward bool) {
	if p.columns.on != nil && !p.nextHunk(forward) {
		p.columns.env.Emit(kit.Say{Text: textNoMoreHunks})
	}
}

// nextHunk goes to the next block of changed lines, if there is one.
func (p *page) nextHunk(forward bool) bool {
	at := p.columns.on.PrevChange(p.line() - titleRows)
	if forward {
		at = p.columns.on.NextChange(p.line() - titleRows)
	}
	if at >= 0 {
		p.view.MoveToBlock(at+titleRows, p.blockLines(at))
		p.showWords()
	}
	return at >= 0
}

// showWords brings the first changed words of the cursor's line into view: the line may be longer than the screen.
func (p *page) showWords() {
	l, _ := p.current()
	for side, row := range l.sides {
		if len(row.Words) == 0 {
			continue
		}
		at, c := row.Words[0][0], &p.columns
		if c.wrap {
			p.view.ShowRow(slices.IndexFunc(c.parts(row, side), func(part text.Row) bool { return at < part.End }))
			return
		}
		c.col = 0
		if cell := text.Column(row.Text, at, c.env.Text(0)); cell >= c.room(side) {
			c.col = cell - c.room(side)/2
		}
		return
	}
}

// blockLines counts the changed lines from one on, as many as matter on a screen.
func (p *page) blockLines(at int) int {
	lines := p.columns.on.lines(at, max(1, p.view.H))
	if n := slices.IndexFunc(lines, func(l line) bool { return !l.changed() }); n >= 0 {
		return n
	}
	return len(lines)
}

// severalBlocks reports whether there is more than one block of changed lines to go to.
func (p *page) severalBlocks() bool {
	on := p.columns.on
	if on == nil {
		return false
	}
	first := on.NextChange(-1)
	return first >= 0 && on.NextChange(first) >= 0
}

func (p *page) motions() []kit.Action {
	return append(p.view.Bindings(),
		kit.On(keymap.Left, func() { p.columns.col = max(0, p.columns.col-sideways) }),
		kit.On(keymap.Right, p.right),
		kit.On(keymap.LineStart, func() { p.columns.col = 0 }),
		kit.On(keymap.LineEnd, p.lineEnd),
		kit.On(keymap.Wrap, func() {
			p.setWrap(!p.columns.wrap)
			p.columns.env.Emit(kit.Say{Text: p.columns.env.Keyed(kit.WrapText(p.columns.wrap))})
		}),
	)
}

// sideways is how many cells one step left or right scrolls.
const sideways = 8

// right scrolls sideways as far as a line on the screen goes.
func (p *page) right() {
	if p.columns.on == nil {
		return
	}
	if p.columns.wrap {
		p.columns.env.Emit(kit.Say{Text: kit.WrapText(true)})
		return
	}
	for _, l := range p.columns.on.lines(max(0, p.view.Top.Line-titleRows), p.view.H) {
		for side, row := range l.sides {
			// Only whether the line reaches that far is asked for: it may be very long.
			if text.ByteAt(row.Text, p.columns.col+p.columns.room(side), p.columns.env.Text(0)) < len(row.Text) {
				p.columns.col += sideways
				return
			}
		}
	}
}

// lineEnd scrolls sideways to the end of the line under the cursor, the longer one of two.
func (p *page) lineEnd() {
	l, ok := p.current()
	if !ok || l.whole() {
		return
	}
	if p.columns.wrap {
		p.columns.env.Emit(kit.Say{Text: kit.WrapText(true)})
		return
	}
	p.columns.col = 0
	for side, row := range l.sides {
		over := text.Column(row.Text, len(row.Text), p.columns.env.Text(0)) - p.columns.room(side)
		p.columns.col = max(p.columns.col, (over+sideways-1)/sideways*sideways)
	}
}

// turn goes over to another sheet. The cursor stays on its line and, as far as it can, where it is on the screen; on the first sheet
// it begins at a line of the text before, or with 0 at the first change.
func (p *page) turn(next sheet, line int, followed *[2]*diff.Result) {
	old, y, v := p.columns.on, p.view.CursorRow(), &p.view
	p.columns.on = next
	switch {
	case next == nil:
		v.Cursor, v.Top = kit.Place{}, kit.Place{}
	case old == nil:
		v.Cursor, v.Top = kit.Place{Line: begin(next, line) + titleRows}, kit.Place{}
		if line > 0 {
			v.Top, _ = v.Above(v.Cursor, v.H/3)
		}
	default:
		v.Cursor = kit.Place{Line: p.sameLine(old, next, followed)}
		v.Top, _ = v.Above(v.Cursor, y)
	}
	v.Follow()
	if old == nil && next != nil && line == 0 {
		p.showWords()
	}
}

// begin is the row of a sheet where the cursor begins.
func begin(next sheet, line int) int {
	if line > 0 {
		if at := next.Find(line, 0); at >= 0 {
			return at
		}
	}
	return max(0, next.NextChange(-1))
}

// sameLine finds the row of a new sheet that shows what the cursor's row of the old one shows.
func (p *page) sameLine(old, next sheet, followed *[2]*diff.Result) int {
	if p.line() < titleRows {
		return p.line()
	}
	// Rows that show no line, such as headers, come before one that does.
	for _, l := range old.lines(p.line()-titleRows, 4) {
		a, b := l.numbers()
		if a == 0 && b == 0 {
			continue
		}
		if followed != nil {
			if a > 0 {
				a = followed[0].Follow(a)
			}
			if b > 0 {
				b = followed[1].Follow(b)
			}
		}
		for _, try := range [][2]int{{a, b}, {a, 0}, {0, b}} {
			if at := next.Find(try[0], try[1]); at >= 0 {
				return at + titleRows
			}
		}
		return max(0, next.Nearest(a, b)) + titleRows
	}
	return p.line()
}

// current is the row under the cursor.
func (p *page) current() (line, bool) {
	if p.columns.on == nil || p.line() < titleRows {
		return line{}, false
	}
	rows := p.columns.on.lines(p.line()-titleRows, 1)
	if len(rows) == 0 {
		return line{}, false
	}
	return rows[0], true
}
