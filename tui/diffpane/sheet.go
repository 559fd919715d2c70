package diffpane

import (
	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// at is a row on the screen.
func (c *compared) at(row int) diff.Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown.At(row)
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
		a, b := of.line.Numbers()
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
