package stores

import (
	"cmp"
	"strings"

	"memcurator/render/loadlimit"
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
		order("notes", func(a, b Row) int { return cmp.Compare(b.Files, a.Files) }),
		order("size", func(a, b Row) int { return cmp.Compare(b.Bytes, a.Bytes) }),
		order("unread", func(a, b Row) int { return cmp.Compare(count(b.Unread), count(a.Unread)) }),
		order("need", func(a, b Row) int { return cmp.Or(cmp.Compare(urgency(a), urgency(b)), byChange(a, b)) }),
		order("load", func(a, b Row) int { return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(tokens(b), tokens(a))) }),
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

// share is how much of its limit the load of a store uses: below 0 where it has no limit, and the least where nothing is known of it.
func share(r Row) float64 {
	switch {
	case r.Row.Start == nil:
		return -2
	case r.Row.Start.Gauge.Level() == loadlimit.Unlimited:
		return -1
	}
	return r.Row.Start.Gauge.Share()
}

// tokens are how many tokens a session starts with, about.
func tokens(r Row) int64 {
	if r.Row.Start == nil {
		return 0
	}
	return r.Row.Start.Tokens
}
