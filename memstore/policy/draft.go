package policy

import (
	"context"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// drafted is the place of the values of a rule that is not written yet.
var drafted = config.Origin{Line: -1}

// Drafted makes a value of a rule that is not written yet.
func Drafted[T any](v T) config.Value[T] { return config.Value[T]{Value: v, From: drafted} }

// Effect is what a rule would do if it were written.
type Effect struct {
	Matches int      // files that its globs match, pinned ones too
	Files   int      // of the store
	Due     []Action // what it would propose now; those that are due longest come first
	Soon    int      // what it would propose within a time
}

// Effect works out what a rule would do after the others. in needs the snapshot, the facts of the journal and the clock.
// It reads what the rule asks for. The error is that of ctx.
func (r *Reader) Effect(ctx context.Context, s config.Settings, rule config.Rule, soon time.Duration, in Input) (Effect, error) {
	s.Rules = slices.Clone(s.Rules)
	s.Rules = append(s.Rules, rule)
	p := New(s)
	in.Soon, in.Lint, in.Suggest, in.UnderCap = soon, false, false, false
	if err := r.Fill(ctx, p, &in); err != nil {
		return Effect{}, err
	}
	plan := p.Plan(in)
	e := Effect{Files: plan.Files}
	matches := rule.Compile()
	in.Snapshot.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && !n.Hidden && matches(memstore.BackendName(at)) {
			e.Matches++
		}
		return true
	})
	for _, a := range plan.Actions {
		switch {
		case a.Rule != drafted:
		case a.Group == Expiring:
			e.Soon++
		default:
			e.Due = append(e.Due, a)
		}
	}
	return e, ctx.Err()
}
