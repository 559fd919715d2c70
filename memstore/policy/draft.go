package policy

import (
	"context"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// Effect is what a rule would do if it were written.
type Effect struct {
	Matches int      // files that its globs match, pinned ones too
	Files   int      // of the store
	Due     []Action // what it would propose now, or make of what other rules propose; those that are due longest come first
	Dropped []Action // what other rules propose now and would not with it: keys of a later rule replace those of earlier ones
}

// Effect works out what a rule would do that is the last one of its file. in needs the snapshot, the
// facts of the journal and the clock. It reads what the rule asks for. The error is that of ctx.
func (r *Reader) Effect(ctx context.Context, s config.Settings, rule config.Rule, in Input) (Effect, error) {
	with := s
	with.Rules = append(slices.Clone(s.Rules), rule)
	old, p := New(s), New(with)
	in.Suggest = false
	if err := r.Fill(ctx, p, &in); err != nil {
		return Effect{}, err
	}
	before, after := old.Plan(in), p.Plan(in)
	e := Effect{Files: after.Files}
	in.Snapshot.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && !n.Hidden && rule.Matches(memstore.BackendName(at)) {
			e.Matches++
		}
		return true
	})
	was, is := before.deeds(), after.deeds()
	for _, a := range after.Actions {
		if own := a.Rule.File == rule.At.File && a.Rule.Line >= rule.At.Line; own || !was[deed{a.Path, a.Do}] {
			e.Due = append(e.Due, a)
		}
	}
	for _, a := range before.Actions {
		if !is[deed{a.Path, a.Do}] {
			e.Dropped = append(e.Dropped, a)
		}
	}
	return e, ctx.Err()
}

// deed is what an action does to which file.
type deed struct {
	path string
	do   Do
}

func (p *Plan) deeds() map[deed]bool {
	all := map[deed]bool{}
	for i := range p.Actions {
		all[deed{p.Actions[i].Path, p.Actions[i].Do}] = true
	}
	return all
}
