package viewer

import "slices"

// Spot is where the user was in a text, in lines of the file from 0.
type Spot struct {
	Path      string // agent path
	Top, Line int    // first line on the screen, line under the cursor
}

// spots are where the user was in the texts opened last, the newest first.
type spots []Spot

// spotsKept bounds the texts whose place is remembered.
const spotsKept = 100

// note takes the place of a text for the newest; one at the start of the text needs no note.
func (all *spots) note(s Spot, atStart bool) {
	*all = slices.DeleteFunc(*all, func(old Spot) bool { return old.Path == s.Path })
	if !atStart {
		*all = slices.Insert(*all, 0, s)
		*all = (*all)[:min(len(*all), spotsKept)]
	}
}

// of returns the remembered place in a text.
func (all spots) of(path string) (Spot, bool) {
	i := slices.IndexFunc(all, func(s Spot) bool { return s.Path == path })
	if i < 0 {
		return Spot{}, false
	}
	return all[i], true
}

// Spots lists where the user was in the texts opened last, the newest first.
func (p *Pane) Spots() []Spot {
	p.noteSpot()
	return slices.Clone([]Spot(p.spots))
}

// SetSpots takes what [Pane.Spots] returned in an earlier run.
func (p *Pane) SetSpots(spots []Spot) { p.spots = slices.Clone(spots[:min(len(spots), spotsKept)]) }

// Wrapped reports whether Long lines wrap.
func (p *Pane) Wrapped() bool { return p.layout.wrap }

// noteSpot remembers the place in the open text.
func (p *Pane) noteSpot() {
	if p.layout.doc == nil {
		return
	}
	pos, head := p.view.pos, p.layout.doc.headRows()
	p.spots.note(Spot{p.layout.doc.path, max(0, pos.top-head), max(0, pos.line-head)}, pos.top == 0 && pos.line == 0)
}
