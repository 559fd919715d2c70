package diffpane

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/diff"
)

// sheet is a diff laid out: rows by number, made on request. Not
// safe for concurrent use; fork copies the sheet for another goroutine.
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
	state string // of a hunk's header: what happened to the hunk
	below string // of a hunk's header: the heading in the text that the hunk is below
}

// whole reports whether the row goes over the whole width.
func (l line) whole() bool { return l.kind == diff.HunkHeader || l.kind == diff.Note }

// changed reports whether the row shows a changed line.
func (l line) changed() bool {
	return slices.ContainsFunc(l.sides[:], func(r diff.Row) bool { return r.Kind == diff.Added || r.Kind == diff.Removed })
}

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

// pick chooses the sheet for the wish of the user and the width; nil: none.
func (p *Pane) pick() sheet {
	switch {
	case p.result == nil || p.result.unified == nil:
		return nil
	case p.split && p.result.split != nil && p.page.columns.w >= sidesFrom:
		return splitSheet{p.result.split}
	default:
		return unifiedSheet{p.result.unified}
	}
}

// adopt goes over to the sheet that is right now. followed maps the lines of a subject that was compared again.
func (p *Pane) adopt(followed *[2]*diff.Result) tea.Cmd {
	line := 0
	if p.result != nil {
		p.page.notes, line = p.result.notes, p.result.of.Line
		if r := p.result.result; r != nil {
			p.page.columns.numbers = max(r.ALines, r.BLines)
		}
	}
	next := p.pick()
	if next == p.page.columns.on {
		p.page.view.Follow()
		return nil
	}
	p.page.turn(next, line, followed)
	return p.find.search.List()
}
