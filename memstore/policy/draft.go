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
	Due     []Action // what it would propose now; those that are due longest come first
}

// Effect works out what a rule would do that is the last one of its file. in needs the snapshot, the
// facts of the journal and the clock. It reads what the rule asks for. The error is that of ctx.
func (r *Reader) Effect(ctx context.Context, s config.Settings, rule config.Rule, in Input) (Effect, error) {
	s.Rules = slices.Clone(s.Rules)
	s.Rules = append(s.Rules, rule)
	p := New(s)
	in.Suggest = false
	if err := r.Fill(ctx, p, &in); err != nil {
		return Effect{}, err
	}
	plan := p.Plan(in)
	e := Effect{Files: plan.Files}
	in.Snapshot.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && !n.Hidden && rule.Matches(memstore.BackendName(at)) {
			e.Matches++
		}
		return true
	})
	for _, a := range plan.Actions {
		if a.Rule.File == rule.At.File && a.Rule.Line >= rule.At.Line { // not of another rule
			e.Due = append(e.Due, a)
		}
	}
	return e, ctx.Err()
}
