package viewer

import "slices"

// Spot is where the user was in a text, in lines of the file from 0.
type Spot struct {
	Path      string // agent path
	Top, Line int    // first line on the screen, line under the cursor
}

// spotsKept bounds the texts whose place is remembered.
const spotsKept = 100

// Spots lists where the user was in the texts opened last, the newest first.
func (p *Pane) Spots() []Spot {
	p.noteSpot()
	return slices.Clone(p.spots)
}

// SetSpots takes what [Pane.Spots] returned in an earlier run.
func (p *Pane) SetSpots(spots []Spot) { p.spots = slices.Clone(spots[:min(len(spots), spotsKept)]) }

// Wrapped reports whether long lines are wrapped.
func (p *Pane) Wrapped() bool { return p.wrap }

// noteSpot remembers the place in the open text; one that is at its start needs no note.
func (p *Pane) noteSpot() {
	if p.doc == nil {
		return
	}
	path, head := p.doc.path, p.doc.headRows()
	p.spots = slices.DeleteFunc(p.spots, func(s Spot) bool { return s.Path == path })
	if p.pos.top == 0 && p.pos.line == 0 {
		return
	}
	p.spots = slices.Insert(p.spots, 0, Spot{path, max(0, p.pos.top-head), max(0, p.pos.line-head)})
	p.spots = p.spots[:min(len(p.spots), spotsKept)]
}

// spot is the remembered place in a text.
func (p *Pane) spot(path string) (Spot, bool) {
	i := slices.IndexFunc(p.spots, func(s Spot) bool { return s.Path == path })
	if i < 0 {
		return Spot{}, false
	}
	return p.spots[i], true
}

// recall puts the user back into a text that was opened again. Where its lines are not all
// counted yet, it waits for the line.
func (p *Pane) recall() {
	s, ok := p.spot(p.doc.path)
	if !ok {
		return
	}
	head := p.doc.headRows()
	row := head + s.Line
	if row >= p.known() && !p.doc.counted() {
		p.goal = row
		return
	}
	top := head + s.Top
	if s.Top == 0 {
		top = 0 // the header was on the screen with the first line
	}
	p.pos.line, p.pos.top = min(row, p.known()-1), min(top, p.known()-1)
	p.shown = p.pos
}
