package session

import (
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"strings"
)

// Enforce makes the handlers enforce the configuration for the store, if there is one.
func Enforce(o *memstore.Options, s Settings, b memstore.Backend) *policy.Enforcer {
	e := policy.NewEnforcer(b, s.OfStore())
	o.Guards = append(o.Guards, e.Guard())
	o.ViewChars = e.ViewChars
	return e
}

// Taker takes each saved version of the configuration.
type Taker interface{ Set(config.Settings) }

// takers are several.
type takers []Taker

func (t takers) Set(s config.Settings) {
	for _, one := range t {
		one.Set(s)
	}
}

// guards are all guards of a store.
type guards struct {
	takers
	Limits *policy.Enforcer
}

// Guard adds all guards to a store; say reports mistakes in the user's rules. Locks and limits see an edit after masking. It fails if the
// user's rules for secrets are needed and can't be read.
func (run *Session) Guard(o *memstore.Options, s Settings, b memstore.Backend, say func(string)) (guards, error) {
	if err := run.ScrubRules().check(s); err != nil {
		return guards{}, err
	}
	e := Enforce(o, s, b)
	k := run.keeper(s, b, say)
	o.Guards = append(o.Guards, k.Guards()...)
	return guards{takers{e, k}, e}, nil
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
