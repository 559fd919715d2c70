package session

import (
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrubguard"
)

// keeper applies the configured scrubbing to what an agent writes. It reads the rules when a command first needs them.
func (run *Session) keeper(s Settings, b memstore.Backend, say func(string)) *scrubguard.Keeper {
	per := s.OfStore().Scrub
	load := func() *scrub.Engine { return run.ScrubRules().SomeEngine(s, per, say) }
	guard := scrubguard.Settings{Write: scrubguard.Mode(per.OnWrite.Value), Classes: map[string]scrubguard.Mode{}}
	for _, class := range per.Class {
		if class.OnWrite.IsSet() {
			guard.Classes[class.Name] = scrubguard.Mode(class.OnWrite.Value)
		}
	}
	if scrubsNothing(per) {
		return scrubguard.New(load, guard)
	}
	folder := ""
	if !IsSealed(b) && s.Dir != "" {
		folder = run.State().Folder(s.Dir)
	}
	state, _ := findings.OpenState(folder) // without it, nothing is dismissed
	guard.Dismissed = func(class, value string) bool {
		_ = state.Refresh() // picks up dismissals made while this runs; on an error the old ones stay
		return state.Dismissed(class, value)
	}
	return scrubguard.New(load, guard)
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
