package diffpane

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/render/diff"
	"memcurator/tui/ui"
)

// sheet is a diff laid out: rows by number, of which only those asked for are made. Not
// safe for concurrent use; fork gives the same sheet to another goroutine.
type sheet interface {
	Len() int
	NextChange(row int) int
	PrevChange(row int) int
	Find(a, b int) int
	Nearest(a, b int) int
	lines(first, count int) []line
	sides() int
	fork() sheet
}

// line is one row of a sheet. A unified one has the first side only, and so have the
// rows that go over both sides.
type line struct {
	kind  diff.RowKind
	sides [2]diff.Row
	below string // of a hunk's header: the heading in the text that the hunk is below
}

// whole reports whether the row goes over the whole width.
func (l line) whole() bool { return l.kind == diff.HunkHeader || l.kind == diff.Note }

// numbers returns the line's numbers in the two texts, 0 for none.
func (l line) numbers() (a, b int) {
	return max(l.sides[0].ANumber, l.sides[1].ANumber), max(l.sides[0].BNumber, l.sides[1].BNumber)
}

type unifiedSheet struct{ *diff.View }

func (s unifiedSheet) sides() int  { return 1 }
func (s unifiedSheet) fork() sheet { return unifiedSheet{s.Clone()} }

func (s unifiedSheet) lines(first, count int) []line {
	rows := s.Rows(first, count)
	out := make([]line, len(rows))
	for i, row := range rows {
		out[i] = line{kind: row.Kind, sides: [2]diff.Row{row}}
	}
	return out
}

type splitSheet struct{ *diff.Split }

func (s splitSheet) sides() int  { return 2 }
func (s splitSheet) fork() sheet { return splitSheet{s.Clone()} }

func (s splitSheet) lines(first, count int) []line {
	rows := s.Rows(first, count)
	out := make([]line, len(rows))
	for i, row := range rows {
		out[i] = line{kind: row.Kind, sides: [2]diff.Row{row.Left, row.Right}}
		if out[i].whole() {
			out[i].sides[1] = diff.Row{}
		}
	}
	return out
}

// sidesFrom is the least width of a pane in which two sides are of use, in cells.
const sidesFrom = 70

// pick chooses the sheet for the wish of the user and the width; nil: there is none.
func (p *Pane) pick() sheet {
	switch {
	case p.result == nil || p.result.unified == nil:
		return nil
	case p.split && p.result.split != nil && p.columns.w >= sidesFrom:
		return splitSheet{p.result.split}
	default:
		return unifiedSheet{p.result.unified}
	}
}

// adopt goes over to the sheet that is right now. The cursor stays on its line and, as far
// as it can, where it is on the screen. followed describes what became of the lines of a
// subject that was compared again.
func (p *Pane) adopt(followed *[2]*diff.Result) tea.Cmd {
	if p.result != nil && p.result.result != nil {
		p.columns.numbers = max(p.result.result.ALines, p.result.result.BLines)
	}
	next := p.pick()
	if next == p.columns.on {
		p.view.Follow()
		return nil
	}
	old, y := p.columns.on, p.view.CursorRow()
	p.columns.on = next
	v := &p.view
	switch {
	case next == nil:
		v.Cursor, v.Top = ui.Place{}, ui.Place{}
	case old == nil:
		v.Cursor, v.Top = ui.Place{Line: p.begin(next) + titleRows}, ui.Place{}
		if p.result.of.Line > 0 {
			v.Top, _ = v.Above(v.Cursor, p.h/3)
		}
	default:
		v.Cursor = ui.Place{Line: p.sameLine(old, next, followed)}
		v.Top, _ = v.Above(v.Cursor, y)
	}
	v.Follow()
	return p.search.List()
}

// begin is the row of a sheet where the cursor begins.
func (p *Pane) begin(next sheet) int {
	if line := p.result.of.Line; line > 0 {
		if at := next.Find(line, 0); at >= 0 {
			return at
		}
	}
	return max(0, next.NextChange(-1))
}

// sameLine finds the row of a new sheet that shows what the cursor's row of the old one shows.
func (p *Pane) sameLine(old, next sheet, followed *[2]*diff.Result) int {
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
func (p *Pane) current() (line, bool) {
	if p.columns.on == nil || p.line() < titleRows {
		return line{}, false
	}
	rows := p.columns.on.lines(p.line()-titleRows, 1)
	if len(rows) == 0 {
		return line{}, false
	}
	return rows[0], true
}
