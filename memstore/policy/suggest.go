package policy

import (
	"fmt"

	"memcurator/memstore"
	"memcurator/memstore/lint"
	"memcurator/render/loadlimit"
)

// Kind is what a suggestion is about.
type Kind string

// The kinds, in the order of lists.
const (
	Planted    Kind = "planted"     // text that may be addressed to the agent, or that a person does not see
	Duplicate  Kind = "duplicate"   // the same as another file, or nearly
	BrokenLink Kind = "broken-link" // names files that do not exist
	OutOfStep  Kind = "index"       // an index that differs from its notes
	StaleClaim Kind = "stale-path"  // names files or commands that its project no longer has
	PastLoad   Kind = "load-limit"  // longer than what a client loads when it starts
	Name       Kind = "name"        // a name with invisible characters
	Encoding   Kind = "encoding"    // a text that the agent can't view
)

var kinds = []Kind{Planted, Duplicate, BrokenLink, OutOfStep, StaleClaim, PastLoad, Name, Encoding}

const suggestKey = "suggest."

// suggests reports whether anything may be suggested for a path.
func (r *Rules) suggests(hidden bool) bool {
	return !hidden && !r.Pin.Value && r.Suggest.Or(true)
}

// kindOf is the kind of suggestion that a finding of the lint makes.
var kindOf = map[lint.Rule]Kind{
	lint.Planted: Planted, lint.HiddenText: Planted, lint.Bidi: Planted, lint.Control: Planted,
	lint.Duplicate: Duplicate, lint.Alike: Duplicate, lint.Dangling: BrokenLink, lint.Orphan: OutOfStep, lint.StalePath: StaleClaim,
	lint.HiddenName: Name, lint.Encoding: Encoding,
}

// suggesting makes suggestions. A file gets at most one that changes it, and none where a rule proposes one already.
type suggesting struct {
	*planning
	changes map[string]bool // files that an action changes
	goes    map[string]bool // of them those that it removes
	inPlace map[string]bool // of them those whose text is rewritten in place, by one action or several
	needed  map[string]bool // files that a suggestion relies on to stay
	found   map[string][]*lint.Finding
}

// suggest adds what no rule proposes.
func (w *planning) suggest() {
	if !w.in.Suggest || w.in.Found == nil {
		return
	}
	s := &suggesting{
		planning: w, changes: map[string]bool{}, goes: map[string]bool{}, needed: map[string]bool{}, inPlace: map[string]bool{},
		found: map[string][]*lint.Finding{},
	}
	for i := range w.plan.Actions {
		if a := &w.plan.Actions[i]; a.Do.Changes() {
			s.changes[a.Path] = true
			s.goes[a.Path] = a.Do == Delete
		}
	}
	for i := range w.in.Found.Findings {
		f := &w.in.Found.Findings[i]
		s.found[f.Path] = append(s.found[f.Path], f)
		for _, r := range f.Repairs {
			if r.To != "" {
				s.needed[r.To] = true
			}
		}
	}
	w.in.Snapshot.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind != memstore.KindFile {
			return true
		}
		if rules := w.rules(at, n.Hidden); rules.suggests(n.Hidden) {
			s.read(&candidate{path: at, node: n, rules: rules, file: w.in.Facts.Files[at]})
		}
		return true
	})
}

// add suggests an action, unless another one changes the file.
func (s *suggesting) add(c *candidate, a Action) {
	if a.Do.Changes() && (s.changes[c.path] && !(a.Do.Rewrites() && s.inPlace[c.path]) || a.Do == Delete && s.needed[c.path]) {
		return
	}
	a.Group, a.Path, a.Info, a.Bytes, a.Key = Suggested, c.path, c.node.Info, c.node.Size, suggestKey+string(a.Kind)
	if a.Hash == (memstore.Digest{}) {
		a.Hash = s.in.Found.Digests[c.path]
	}
	if a.Do.Changes() {
		s.changes[c.path] = true
		s.goes[c.path] = a.Do == Delete
		s.inPlace[c.path] = a.Do.Rewrites()
	}
	s.plan.Actions = append(s.plan.Actions, a)
}

// read suggests what follows from the text of a file.
func (s *suggesting) read(c *candidate) {
	for _, f := range s.found[c.path] {
		s.finding(c, f)
	}
	if c.path == s.in.index {
		s.load(c)
	}
}

// finding suggests what follows from a finding of the lint.
func (s *suggesting) finding(c *candidate, f *lint.Finding) {
	a := Action{Do: Review, Kind: kindOf[f.Rule], Reason: f.Reason, Hash: f.Content, Found: f}
	switch a.Kind {
	case Duplicate:
		other := f.Others[0]
		if s.goes[other] {
			return
		}
		a.Other = s.in.Found.Digests[other]
		if f.Rule == lint.Duplicate {
			a.Do = Delete
			s.needed[other] = s.needed[other] || !s.changes[c.path]
		}
	case BrokenLink, StaleClaim:
		if len(f.Repairs) > 0 && c.node.Size <= textLimit {
			a.Do = Link
		}
	case OutOfStep:
		a.Do = Fix
	}
	s.add(c, a)
}

// load warns before a part of the index is not loaded anymore.
func (s *suggesting) load(c *candidate) {
	if loads := s.in.loads; loads.Level() >= loadlimit.Near {
		s.add(c, Action{Do: Review, Kind: PastLoad,
			Reason: fmt.Sprintf("%s, %d%% of what a session loads at start", loads.Words(), int(100*loads.Share()))})
	}
}
