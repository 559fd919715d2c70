package session

import (
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"strings"
)

// Guards are all guards of a store.
type Guards struct {
	Limits *policy.Enforcer
	keeper *keeper
}

// Set takes a saved version of the configuration.
func (g Guards) Set(s config.Settings) {
	g.Limits.Set(s)
	g.keeper.Set(s)
}

// Guard adds all guards to a store; say reports mistakes in the user's rules. Locks and limits see an edit after masking. It fails if the
// user's rules for secrets are needed and can't be read.
func (run *Session) Guard(o *memstore.Options, s Settings, b memstore.Backend, say func(string)) (Guards, error) {
	if err := run.ScrubRules().check(s); err != nil {
		return Guards{}, err
	}
	g := Guards{Limits: policy.NewEnforcer(b, s.OfStore()), keeper: run.keeper(s, b, say)}
	o.Guards = append(append(o.Guards, g.Limits.Guard()), g.keeper.Guards()...)
	o.ViewChars = g.Limits.ViewChars
	return g, nil
}

// OfStore returns the configuration for the store; it is empty for the demo, which has no directory of its own.
func (s Settings) OfStore() config.Settings {
	if s.Dir == "" {
		return config.Settings{}
	}
	return s.Config.For(s.Dir)
}

// SayFollowed warns on standard error of a saved version that is ignored.
func (run *Session) SayFollowed(f Followed) {
	if f.Kept != "" {
		run.Say("Warning: Ignored the saved rules, the last valid ones stay in force: " + strings.ReplaceAll(f.Kept, "\n", "; "))
	}
}
