package stores

import "memcurator/tui/kit"

// Memory is how the list is arranged.
type Memory struct {
	Order    string
	Filter   string
	Folded   []string // keys of rows
	Empty    bool     // stores without notes are listed, too
	Selected string   // [discover.Found.Path] of the store under the cursor
}

// Memory returns how the list is arranged, for the next run.
func (s *Screen) Memory() Memory {
	l, a := s.list, s.list.Arrangement()
	m := Memory{Order: a.Order, Filter: a.Filter, Folded: a.Turned, Empty: a.All, Selected: s.wanted}
	if e, ok := l.Current(); ok && e.kind == store && l.moved {
		m.Selected = e.row.Path
	}
	return m
}

// Restore arranges the list as it was in the run before. The cursor goes to its store once that is listed.
func (s *Screen) Restore(m Memory) {
	s.list.Table.Restore(kit.Arrangement{Order: m.Order, Filter: m.Filter, Turned: m.Folded, All: m.Empty})
	s.wanted = m.Selected
	s.list.show()
}
