package diffpane

import (
	"slices"

	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// sheet is a diff laid out: rows by number, made on request. Not safe for concurrent use, see compared.mu.
type sheet interface {
	Len() int
	NextChange(row int) int
	PrevChange(row int) int
	Find(a, b int) int
	Nearest(a, b int) int
	at(row int) line
	sides() int
}

// line is one row of a sheet. A unified one has the first side only, and so have the rows that go over both sides.
type line struct {
	kind  diff.RowKind
	sides [2]diff.Row
}

// changed reports whether the row shows a changed line.
func (l line) changed() bool {
	return slices.ContainsFunc(l.sides[:], func(r diff.Row) bool { return r.Kind == diff.Added || r.Kind == diff.Removed })
}

// numbers returns the line's numbers in the two texts, 0 for none.
func (l line) numbers() (a, b int) {
	return max(l.sides[0].ANumber, l.sides[1].ANumber), max(l.sides[0].BNumber, l.sides[1].BNumber)
}

type unifiedSheet struct{ *diff.View }

func (s unifiedSheet) sides() int { return 1 }

func (s unifiedSheet) at(i int) line {
	row := s.Rows(i, 1)[0]
	return line{kind: row.Kind, sides: [2]diff.Row{row}}
}

type splitSheet struct{ *diff.Split }

func (s splitSheet) sides() int { return 2 }

func (s splitSheet) at(i int) line {
	row := s.Rows(i, 1)[0]
	if row.Kind == diff.HunkHeader || row.Kind == diff.Note {
		row.Right = diff.Row{}
	}
	return line{kind: row.Kind, sides: [2]diff.Row{row.Left, row.Right}}
}

// at is a row on the screen.
func (c *compared) at(row int) line {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown.at(row)
}

// find finds the row that shows what a row of another form of the same comparison showed; -1: it was another comparison.
func (p *Pane) find(old *kit.Doc, row int) int {
	next := p.result
	if was, _ := old.Of.(*compared); was == nil || next == nil || next.shown == nil || was.of.Key != next.of.Key {
		return -1
	}
	// Rows that show no line, such as headers, come before one that does.
	for i := row; i < min(row+4, old.Len); i++ {
		of, _ := old.Line(i).Of.(place)
		a, b := of.line.numbers()
		if a == 0 && b == 0 {
			continue
		}
		for _, try := range [][2]int{{a, b}, {a, 0}, {0, b}} {
			if at := next.shown.Find(try[0], try[1]); at >= 0 {
				return at
			}
		}
		return max(0, next.shown.Nearest(a, b))
	}
	return row
}
