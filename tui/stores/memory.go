package stores

import "memcurator/tui/kit"

// Memory is how the list is arranged.
type Memory struct {
	Order    string
	Filter   string
	Folded   []string // keys of rows
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
	l, a := s.list, s.list.Arrangement()
	m := Memory{Order: a.Order, Filter: a.Filter, Folded: a.Turned, Empty: a.All, Selected: s.wanted,
		Of: s.counted.of, Others: s.counted.others, Stranded: s.counted.stranded, Missing: s.counted.missing,
		Counted: s.counted.at}
	if e, ok := l.Current(); ok && e.kind == store && l.moved {
		m.Selected = e.row.Path
	}
	return m
}

// Restore arranges the list as it was in the run before. The cursor goes to its store once that is listed.
func (s *Screen) Restore(m Memory) {
	s.list.Table.Restore(kit.Arrangement{Order: m.Order, Filter: m.Filter, Turned: m.Folded, All: m.Empty})
	s.wanted = m.Selected
	s.counted = counts{m.Of, max(0, m.Others), max(0, m.Stranded), max(0, m.Missing), m.Counted}
	s.list.show()
}
