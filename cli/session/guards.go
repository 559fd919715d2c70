package session

import (
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
)

// Guard adds all guards to a store; say reports mistakes in the user's rules for secrets. Locks and limits see an edit after masking. It
// fails if the rules for secrets are needed and can't be read.
func (run *Session) Guard(o *memstore.Options, s Settings, b memstore.Backend, say func(string)) error {
	if err := run.ScrubRules().check(s); err != nil {
		return err
	}
	limits := policy.NewEnforcer(b, s.OfStore())
	o.Guards = append(append(o.Guards, limits.Guard()), run.keeper(s, b, say).Guards()...)
	o.MaxViewChars = limits.ViewChars()
	return nil
}

// OfStore returns the configuration for the store; it is empty for the demo, which has no directory of its own.
func (s Settings) OfStore() config.Settings {
	if s.Dir == "" {
		return config.Settings{}
	}
	return s.Config.For(s.Dir)
}
