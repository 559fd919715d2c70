package stores

import (
	"maps"
	"slices"
)

// Memory is how the list is arranged.
type Memory struct {
	Order    string
	Filter   string
	Folded   []string // agents
	Empty    bool     // stores without notes are listed, too
	Selected string   // [discover.Found.Path] of the store under the cursor
	// How many stores there were beside the one at Of, and how many of all were stranded or missing, when they were counted last, in seconds
	// since 1970.
	Of       string
	Others   int
	Stranded int
	Missing  int
	Counted  int64
}

// Memory returns how the list is arranged, for the next run.
func (s *Screen) Memory() Memory {
	l := s.list
	m := Memory{Order: l.order.name, Filter: l.filter, Empty: l.empty, Selected: s.wanted,
		Of: s.counted.of, Others: s.counted.others, Stranded: s.counted.stranded, Missing: s.counted.missing,
		Counted: s.counted.at}
	for _, agent := range slices.Sorted(maps.Keys(l.folded)) {
		if l.folded[agent] {
			m.Folded = append(m.Folded, agent)
		}
	}
	if e, ok := l.selected(); ok && e.kind == store && l.moved {
		m.Selected = l.rows[e.at].Path
	}
	return m
}

// Restore arranges the list as it was in the run before. The cursor goes to its store once that is listed.
func (s *Screen) Restore(m Memory) {
	l := s.list
	if at := slices.IndexFunc(orders, func(o order) bool { return o.name == m.Order }); at >= 0 {
		l.order = orders[at]
	}
	for _, agent := range m.Folded {
		l.folded[agent] = true
	}
	l.filter, l.empty, s.wanted = m.Filter, m.Empty, m.Selected
	s.counted = counts{m.Of, max(0, m.Others), max(0, m.Stranded), max(0, m.Missing), m.Counted}
	l.arrange()
}
