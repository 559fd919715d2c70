package stores

import (
	"slices"

	"memcurator/memstore/overview"
	"memcurator/render/loadlimit"
)

// need is a reason why a store needs the user, as a filter names it.
type need struct {
	name string
	of   func(Row) bool
}

// needs are those that a filter knows, the most urgent first, in the order of the states.
var needs = []need{
	{"missing", func(r Row) bool { return r.Missing }},
	{"stranded", func(r Row) bool { return r.Has(overview.Stranded) }},
	{"over", func(r Row) bool {
		return r.State == overview.OverLimit || isCut(r) || r.Budget != nil && r.Budget.Level() == loadlimit.Past
	}},
	{"waiting", func(r Row) bool { return len(r.Proposals) > 0 || count(r.Due) > 0 }},
	{"index", func(r Row) bool { return slices.ContainsFunc(r.Problems, overview.IsOutOfStep) }},
	{"not-loaded", func(r Row) bool { return r.Has(overview.NotLoaded) }},
	{"unread", func(r Row) bool { return count(r.Unread) > 0 }},
}

func needNames() (list []string) {
	for _, n := range needs {
		list = append(list, n.name)
	}
	return list
}

// fitsNeed reports whether a row is a store with a need.
func fitsNeed(e entry, name string) bool {
	return e.kind == store && slices.ContainsFunc(needs, func(n need) bool { return n.name == name && n.of(e.row) })
}
