package plan

import (
	"memcurator/memstore"
	"memcurator/memstore/policy"
)

// identity names a proposal across plans: the file with these bytes, and what is done to it.
type identity struct {
	path string
	do   policy.Do
	key  string
	hash memstore.Digest
}

func identityOf(a *policy.Action) identity { return identity{a.Path, a.Do, a.Key, a.Hash} }

// selection is which proposals are selected, and which are locked because they are being applied. It outlives plans: a proposal
// keeps its selection as long as it is proposed in the same way for the same bytes.
type selection struct {
	on      map[identity]bool
	locked  map[identity]bool
	version int // counts the changes
}

func newSelection() *selection {
	return &selection{on: map[identity]bool{}, locked: map[identity]bool{}}
}

func (s *selection) has(a *policy.Action) bool { return s.on[identityOf(a)] }

func (s *selection) locks(a *policy.Action) bool { return s.locked[identityOf(a)] }

// set selects proposals, or clears them. Locked ones stay clear.
func (s *selection) set(list []*policy.Action, on bool) {
	s.version++
	for _, a := range list {
		switch id := identityOf(a); {
		case !on:
			delete(s.on, id)
		case !s.locked[id]:
			s.on[id] = true
		}
	}
}

// toggle selects proposals, or clears them where all are selected.
func (s *selection) toggle(list []*policy.Action) {
	all := true
	for _, a := range list {
		all = all && s.has(a)
	}
	s.set(list, !all)
}

// invert selects those that are not selected and clears the others.
func (s *selection) invert(list []*policy.Action) {
	for _, a := range list {
		s.set([]*policy.Action{a}, !s.has(a))
	}
}

func (s *selection) clear() {
	s.version++
	clear(s.on)
}

// keep clears what a newer plan does not propose.
func (s *selection) keep(p *policy.Plan) {
	still := map[identity]bool{}
	for i := range p.Actions {
		if id := identityOf(&p.Actions[i]); s.on[id] {
			still[id] = true
		}
	}
	s.on = still
	s.version++
}

// lock keeps proposals from being selected, and clears them.
func (s *selection) lock(list []policy.Action) {
	for i := range list {
		id := identityOf(&list[i])
		s.locked[id] = true
		delete(s.on, id)
	}
	s.version++
}

func (s *selection) unlock() {
	clear(s.locked)
	s.version++
}

// of lists the selected proposals in the order of a plan.
func (s *selection) of(p *policy.Plan) (list []policy.Action) {
	for i := range p.Actions {
		if s.has(&p.Actions[i]) {
			list = append(list, p.Actions[i])
		}
	}
	return list
}

// span is a range of rows that is being chosen, from the row where it began to the cursor.
type span struct {
	on   bool
	from int
}

func (s span) holds(row, cursor int) bool {
	return s.on && row >= min(s.from, cursor) && row <= max(s.from, cursor)
}
