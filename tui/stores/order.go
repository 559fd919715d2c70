package stores

import (
	"cmp"
	"strings"

	"memcurator/tui/kit"
)

// orders are the ways to sort the stores. Those of agents have headings; the offers stay below.
func (l *list) orders() []kit.Order[entry] {
	order := func(name string, compare func(a, b Row) int) kit.Order[entry] {
		return kit.Order[entry]{Name: name, Flat: true, Compare: func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.kind, b.kind), compare(a.row, b.row))
		}}
	}
	agents := order("agent", byChange)
	agents.Flat, agents.Compare = false, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), strings.Compare(strings.ToLower(a.agent), strings.ToLower(b.agent)), byChange(a.row, b.row))
	}
	return []kit.Order[entry]{
		order("last change", byChange),
		agents,
		order("project", func(a, b Row) int {
			return strings.Compare(strings.ToLower(l.project(a)), strings.ToLower(l.project(b)))
		}),
	}
}

// byChange sorts the stores that changed last first.
func byChange(a, b Row) int { return b.Newest.Compare(a.Newest) }

// count is a number of a row; 0 where it is unknown.
func count(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
