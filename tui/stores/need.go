package stores

import (
	"fmt"
	"slices"
	"strings"

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

// urgency sorts stores by how much they need the user: the lower, the more.
func urgency(r Row) int {
	if r.State == overview.Unreadable || r.State == overview.Damaged || count(r.Secrets) > 0 {
		return -1
	}
	if at := slices.IndexFunc(needs, func(c need) bool { return c.of(r) }); at >= 0 {
		return at
	}
	return len(needs)
}

// terms are the words with a colon that a filter knows.
func terms() (list []string) {
	for _, c := range needs {
		list = append(list, "is:"+c.name)
	}
	return list
}

// narrowed splits a filter into words, and the needs that a store must have; while a term is typed, all that begin like it will do.
func narrowed(line string) (words string, fits func(Row) bool, err error) {
	var rest []string
	var all [][]need
	for _, word := range strings.Fields(line) {
		typed, isTerm := strings.CutPrefix(word, "is:")
		if !isTerm {
			rest = append(rest, word)
			continue
		}
		some := slices.DeleteFunc(slices.Clone(needs), func(c need) bool { return !strings.HasPrefix(c.name, typed) })
		if len(some) == 0 {
			err = fmt.Errorf("%q is not a filter term; choose %s", word, strings.Join(terms(), " "))
		}
		all = append(all, some)
	}
	return strings.Join(rest, " "), func(r Row) bool {
		return !slices.ContainsFunc(all, func(some []need) bool {
			return !slices.ContainsFunc(some, func(c need) bool { return c.of(r) })
		})
	}, err
}
