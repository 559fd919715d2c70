package session

import (
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrubguard"
)

// keeper applies the configured scrubbing to what an agent writes.
type keeper struct {
	*scrubguard.Keeper
	run *Session

	mu       sync.Mutex
	settings Settings
	per      config.Settings
	state    *findings.State // nil: not needed yet
	sealed   bool
	say      func(string) // reports mistakes in rules
}

// keeper makes a keeper for a store. It reads the rules when a command first needs them.
func (run *Session) keeper(s Settings, b memstore.Backend, say func(string)) *keeper {
	k := &keeper{run: run, settings: s, per: s.OfStore(), sealed: IsSealed(b), say: say}
	k.Keeper = scrubguard.New(k.engine, k.modes())
	return k
}

// Set takes a saved version of the configuration.
func (k *keeper) Set(per config.Settings) {
	k.mu.Lock()
	k.per = per
	modes := k.modes()
	k.mu.Unlock()
	k.Keeper.Set(modes)
}

func (k *keeper) engine() *scrub.Engine {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.run.ScrubRules().SomeEngine(k.settings, k.per.Scrub, k.say)
}

// modes returns the configured modes. The key for pseudonyms, and the dismissals, are read only if something is masked.
func (k *keeper) modes() scrubguard.Settings {
	per := k.per.Scrub
	s := scrubguard.Settings{
		Write: scrubguard.Mode(per.OnWrite.Value), Classes: map[string]scrubguard.Mode{},
	}
	for _, class := range per.Class {
		if class.OnWrite.IsSet() {
			s.Classes[class.Name] = scrubguard.Mode(class.OnWrite.Value)
		}
	}
	if scrubsNothing(per) {
		return s
	}
	if k.state == nil {
		state := ""
		if !k.sealed && k.settings.Dir != "" {
			state = k.run.State().Folder(k.settings.Dir)
		}
		k.state, _ = findings.OpenState(state) // without it, nothing is dismissed
	}
	s.Dismissed = func(class, value string) bool {
		_ = k.state.Refresh() // picks up dismissals made while this runs; on an error the old ones stay
		return k.state.Dismissed(class, value)
	}
	return s
}

// scrubsNothing reports whether the configuration searches for no values at all.
func scrubsNothing(per config.Scrub) bool {
	off := func(m config.ScrubMode) bool { return m == "" || m == config.ScrubOff }
	for _, class := range per.Class {
		if !off(class.OnWrite.Value) {
			return false
		}
	}
	return off(per.OnWrite.Value)
}
