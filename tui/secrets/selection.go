package secrets

import "memcurator/memstore/findings"

// selection is which values are selected, and the range that grows with the cursor. Dismissed values can't be selected. Make it with
// newSelection.
type selection struct {
	ids    map[string]bool
	anchor int // the row where the range began; below 0: there is none
}

func newSelection() selection { return selection{map[string]bool{}, -1} }

func (s *selection) has(g *findings.Group) bool { return s.ids[g.ID] }

func (s *selection) set(g *findings.Group, on bool) {
	if on && !g.Dismissed {
		s.ids[g.ID] = true
		return
	}
	delete(s.ids, g.ID)
}

// keep drops the values that do not fit.
func (s *selection) keep(fits map[string]bool) { forget(s.ids, fits) }

// of are the selected ones of some values.
func (s *selection) of(groups []*findings.Group) (list []*findings.Group) {
	for _, g := range groups {
		if s.has(g) {
			list = append(list, g)
		}
	}
	return list
}

// extend begins a range at a row, or selects the range up to it; done: it is selected.
func (s *selection) extend(rows []row, at int) (done bool) {
	if s.anchor < 0 {
		s.anchor = at
		return false
	}
	for _, r := range rows[min(at, s.anchor) : max(at, s.anchor)+1] {
		if r.group != nil {
			s.set(r.group, true)
		}
	}
	s.anchor = -1
	return true
}

// ranged reports whether a row is in the range up to another one.
func (s *selection) ranged(i, at int) bool {
	return s.anchor >= 0 && i >= min(at, s.anchor) && i <= max(at, s.anchor)
}
