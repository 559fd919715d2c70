package overview

import (
	"maps"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/discover"
)

// Tally counts what waits for the user.
type Tally struct{ Unread, Due, Secrets int }

func (t *Tally) add(other Tally) {
	t.Unread, t.Due, t.Secrets = t.Unread+other.Unread, t.Due+other.Due, t.Secrets+other.Secrets
}

// most takes the larger of each.
func (t *Tally) most(other Tally) {
	t.Unread, t.Due, t.Secrets = max(t.Unread, other.Unread), max(t.Due, other.Due), max(t.Secrets, other.Secrets)
}

// Tally is what waits in a store, as far as it is known.
func (r *Row) Tally() (t Tally) {
	for _, one := range []struct {
		from *int
		to   *int
	}{{r.Unread, &t.Unread}, {r.Due, &t.Due}, {r.Secrets, &t.Secrets}} {
		if one.from != nil {
			*one.to = *one.from
		}
	}
	return t
}

// tally sets a part of the tallies by file.
func (r *Row) tally(files map[string]int, set func(t *Tally, n int)) {
	tallies := maps.Clone(r.Tallies)
	if tallies == nil {
		tallies = map[string]Tally{}
	}
	for at, n := range files {
		t := tallies[at]
		set(&t, n)
		tallies[at] = t
	}
	r.Tallies = tallies
}

// tallyAs takes a part of the tallies by file from another row of the store.
func (r *Row) tallyAs(was Row, set func(to, of *Tally)) {
	if len(was.Tallies) == 0 {
		return
	}
	tallies := maps.Clone(r.Tallies)
	if tallies == nil {
		tallies = map[string]Tally{}
	}
	for at, of := range was.Tallies {
		t := tallies[at]
		set(&t, &of)
		tallies[at] = t
	}
	r.Tallies = tallies
}

// Sum is what waits in stores. A document that several of them have counts once: as often as in the store where it counts most, since
// not all of them have a journal.
func (s *Shared) Sum(rows []Row) (sum Tally) {
	documents := map[string]Tally{}
	for i := range rows {
		r := &rows[i]
		sum.add(r.Tally())
		for at, t := range r.Tallies {
			document := s.Document(r.Path, at)
			if r.Kind == discover.KindDir {
				document = filepath.Join(r.Dir, filepath.FromSlash(memstore.BackendName(at)))
			}
			if len(s.stores[document]) > 1 {
				sum.add(Tally{-t.Unread, -t.Due, -t.Secrets})
				most := documents[document]
				most.most(t)
				documents[document] = most
			}
		}
	}
	for _, most := range documents {
		sum.add(most)
	}
	return sum
}
