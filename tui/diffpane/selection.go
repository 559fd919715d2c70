package diffpane

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/diff"
)

// selection is which hunks of the comparison on the screen are selected.
type selection struct {
	of    *compared
	hunks []diff.Hunk // of the comparison, as they are shown
	on    map[int]bool
}

// selected is the selection, begun anew for another comparison or another grouping of it.
func (p *Pane) selected() *selection {
	if s := &p.selection; s.of != p.result {
		*s = selection{of: p.result, on: map[int]bool{}}
		if p.result != nil && p.result.result != nil && p.result.of.sections == nil {
			s.hunks = diff.Hunks(p.result.result, p.result.hunkOptions())
		}
	}
	return &p.selection
}

// selectHunk selects the hunk under the cursor, or no longer.
func (p *Pane) selectHunk() {
	s, find := p.selected(), p.hunkFinder()
	if find == nil {
		return
	}
	if at := find(s.hunks); at >= 0 {
		if s.on[at] {
			delete(s.on, at)
			return
		}
		s.on[at] = true
		p.page.hunk(true)
	}
}

// selectAll selects all hunks, or none if all are.
func (p *Pane) selectAll() {
	s := p.selected()
	if len(s.on) == len(s.hunks) {
		clear(s.on)
		return
	}
	for i := range s.hunks {
		s.on[i] = true
	}
}

// Peel implements [ui.Peeler]: it clears the selection.
func (p *Pane) Peel() (tea.Cmd, bool) {
	s := p.selected()
	had := len(s.on) > 0
	clear(s.on)
	return nil, had
}

// holds reports whether the hunk with the lines a and b, 0 for none, is selected.
func (s *selection) holds(a, b int) bool {
	return len(s.on) > 0 && s.on[slices.IndexFunc(s.hunks, func(h diff.Hunk) bool { return h.Covers(a, b) })]
}

// finders find the selected hunks among others that the comparison may be grouped into.
func (s *selection) finders() (list []func([]diff.Hunk) int) {
	for i, h := range s.hunks {
		if !s.on[i] {
			continue
		}
		op := h.Ops[slices.IndexFunc(h.Ops, func(op diff.Op) bool { return op.Kind != diff.Equal })]
		a, b := 0, 0
		if op.AEnd > op.AStart {
			a = op.AStart + 1
		} else {
			b = op.BStart + 1
		}
		list = append(list, func(hunks []diff.Hunk) int {
			return slices.IndexFunc(hunks, func(h diff.Hunk) bool { return h.Covers(a, b) })
		})
	}
	return list
}

// Hunks are those of a comparison that are meant: their numbers, ascending, as diff.Hunks groups it with the options.
type Hunks struct {
	Numbers []int
	Options diff.Options
	All     bool // there are no others
}

// HunkFinder returns a function that finds the selected hunks, or else the one under the cursor; nil: there is none. White space
// counts. The function takes its time for a large diff and belongs into a job. The selection ends.
func (p *Pane) HunkFinder() func() Hunks {
	s, of := p.selected(), p.result
	finders := s.finders()
	if find := p.hunkFinder(); len(finders) == 0 && find != nil {
		finders = append(finders, find)
	}
	if len(finders) == 0 || of.of.sections != nil {
		return nil
	}
	clear(s.on)
	return func() Hunks {
		found := Hunks{Options: of.hunkOptions()}
		hunks := diff.Hunks(of.exact(), found.Options)
		for _, find := range finders {
			if at := find(hunks); at >= 0 {
				found.Numbers = append(found.Numbers, at)
			}
		}
		slices.Sort(found.Numbers)
		found.Numbers = slices.Compact(found.Numbers)
		found.All = len(found.Numbers) == len(hunks)
		return found
	}
}
