package session

import (
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/policy"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrubguard"
)

// Guard adds all guards to a store; say reports mistakes in the user's rules for secrets. Locks and limits see an edit after masking. It
// fails if the rules for secrets are needed and can't be read: without them, more would pass than the user allowed.
func (run *Session) Guard(o *memstore.Options, s Settings, b memstore.Backend, say func(string)) error {
	limits := policy.NewEnforcer(b, s.OfStore())
	o.Guards = append(o.Guards, limits.Guard())
	o.MaxViewChars = limits.ViewChars()
	per := s.OfStore().Scrub
	guard := scrubguard.Settings{Write: scrubguard.Mode(per.OnWrite.Value), Classes: map[string]scrubguard.Mode{}}
	for _, class := range per.Class {
		guard.Classes[class.Name] = scrubguard.Mode(class.OnWrite.Value)
	}
	if guard.Idle() {
		return nil
	}
	if err := run.checkOwnRules(); err != nil {
		return err
	}
	_, state := run.Dismissals(s, b)
	guard.Dismissed = func(class, value string) bool {
		_ = state.Refresh() // picks up dismissals made while this runs; on an error the old ones stay
		return state.Dismissed(class, value)
	}
	load := func() *scrub.Engine { return run.SomeEngine(s, say) } // when a command first needs it
	o.Guards = append(o.Guards, scrubguard.New(load, guard).Guards()...)
	return nil
}

// Dismissals opens what was dismissed of a store, in its state folder. An encrypted store has none: no hashes of its contents are kept.
func (run *Session) Dismissals(s Settings, b memstore.Backend) (folder string, state *findings.State) {
	if !IsSealed(b) && s.Dir != "" {
		folder = run.State().Folder(s.Dir)
	}
	state, _ = findings.OpenState(folder) // without it, nothing is dismissed
	return folder, state
}

// OfStore returns the configuration for the store; it is empty for the demo, which has no directory of its own.
func (s Settings) OfStore() config.Settings {
	if s.Dir == "" {
		return config.Settings{}
	}
	return s.Config.For(s.Dir)
}
