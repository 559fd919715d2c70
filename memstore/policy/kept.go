package policy

import (
	"context"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// Kept is a proposal that the user declined: an exception or a pin in the configuration holds it back.
type Kept struct {
	Action
	By   config.Origin // where the exception is
	With string        // its key: "pin", "suggest", "ttl" ...
}

// exception is a key of a rule that keeps files from being proposed.
type exception struct {
	key  string
	from config.Origin
	drop func() // removes it from the keys
}

// exceptions lists those of some keys that the user wrote; those of presets are not the user's.
func exceptions(k *config.Keys) (list []exception) {
	list = withException(list, "pin", &k.Pin, true)
	list = withException(list, "suggest", &k.Suggest, false)
	list = withException(list, "lint", &k.Lint, false)
	list = withException(list, "expires", &k.Expires, false)
	list = withException(list, "max_idle", &k.MaxIdle, 0)
	list = withException(list, "max_age", &k.MaxAge, 0)
	list = withException(list, "ttl", &k.TTL, 0)
	list = withException(list, "max_file_bytes", &k.MaxFileBytes, 0)
	list = withException(list, "max_file_lines", &k.MaxFileLines, 0)
	list = withException(list, "max_path_bytes", &k.MaxPathBytes, 0)
	list = withException(list, "max_depth", &k.MaxDepth, 0)
	list = withException(list, "load_lines", &k.LoadLines, 0)
	list = withException(list, "load_bytes", &k.LoadBytes, 0)
	return withException(list, "load_tokens", &k.LoadTokens, 0)
}

func withException[T comparable](list []exception, key string, v *config.Value[T], keeps T) []exception {
	if v.IsSet() && v.From.Preset == "" && v.Value == keeps {
		list = append(list, exception{key, v.From, func() { *v = config.Value[T]{} }})
	}
	return list
}

// withoutExceptions is a configuration that proposes what the user declined; false: there are no exceptions.
func withoutExceptions(s config.Settings) (bare config.Settings, any bool) {
	s.Rules = slices.Clone(s.Rules)
	for i := range s.Rules {
		for _, e := range exceptions(&s.Rules[i].Keys) {
			e.drop()
			any = true
		}
	}
	return s, any
}

// Kept lists what exceptions and pins hold back, in the order of plans. in is what the plan was made of. It reads what that asks for
// beyond the plan. The error is that of ctx.
func (r *Reader) Kept(ctx context.Context, p *Policy, in Input, plan *Plan) (list []Kept, err error) {
	settings, any := withoutExceptions(p.settings)
	if !any || in.Snapshot == nil || in.Snapshot.Root == nil {
		return nil, nil
	}
	bare := New(settings)
	in.Soon = 0
	if err := r.Fill(ctx, bare, &in); err != nil {
		return nil, err
	}
	type proposal struct{ path, key string }
	proposed := map[proposal]bool{}
	for i := range plan.Actions {
		proposed[proposal{plan.Actions[i].Path, plan.Actions[i].Key}] = true
	}
	for _, a := range bare.Plan(in).Actions {
		if a.Path == memstore.Root || proposed[proposal{a.Path, a.Key}] {
			continue
		}
		if e, ok := heldBy(p.Rules(a.Path), &a); ok {
			list = append(list, Kept{a, e.from, e.key})
		}
	}
	return list, ctx.Err()
}

// Pinned are the files of a snapshot that rules pin, as agent paths.
func (p *Policy) Pinned(s *memstore.Snapshot) map[string]bool {
	pinned := map[string]bool{}
	if s == nil || s.Root == nil || !slices.ContainsFunc(p.settings.Rules, func(r config.Rule) bool { return r.Keys.Pin.Value }) {
		return pinned
	}
	s.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && p.rules(path, n.Hidden).Pin.Value {
			pinned[path] = true
		}
		return true
	})
	return pinned
}

// heldBy is the exception that holds an action back.
func heldBy(rules *Rules, a *Action) (exception, bool) {
	keys := rules.Keys
	for _, e := range exceptions(&keys) {
		switch {
		case e.key == "pin", e.key == a.Key, e.key == "suggest" && a.Group == Suggested, e.key == "lint" && a.Found != nil:
			return e, true
		}
	}
	return exception{}, false
}
