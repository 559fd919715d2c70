package cli

import (
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrubguard"
)

// keeper keeps values out of what an agent writes, as the configuration says.
type keeper struct {
	*scrubguard.Keeper
	a *app

	mu       sync.Mutex
	settings settings
	per      config.Settings
	memory   *findings.Memory // nil: not needed yet
	sealed   bool
	say      func(string) // what is wrong with rules
}

// keeper makes one for a store. Rules are read when a command first needs them.
func (a *app) keeper(s settings, b memstore.Backend, say func(string)) *keeper {
	k := &keeper{a: a, settings: s, per: s.ofStore(), sealed: isSealed(b), say: say}
	k.Keeper = scrubguard.New(k.engine, k.modes())
	return k
}

// Set implements taker.
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
	return k.a.someEngine(k.settings, k.per.Scrub, k.say)
}

// modes is what the configuration says. The key of pseudonyms, and what was judged harmless, are read only where
// something is masked.
func (k *keeper) modes() scrubguard.Settings {
	per := k.per.Scrub
	s := scrubguard.Settings{
		Write: scrubguard.Mode(per.OnWrite.Value), Read: per.OnRead.Value == config.ScrubMask, Classes: map[string]scrubguard.Mode{},
	}
	for name, class := range per.Class {
		if class.OnWrite.IsSet() {
			s.Classes[name] = scrubguard.Mode(class.OnWrite.Value)
		}
	}
	if scrubsNothing(per) {
		return s
	}
	if k.memory == nil {
		state := ""
		if !k.sealed && k.settings.dir != "" {
			state = k.a.stateFolder(k.settings.dir)
		}
		var err error
		if k.memory, err = findings.OpenMemory(state); err != nil {
			k.a.log.Warn("what is kept about findings cannot be read", "error", err)
		}
	}
	s.Treatment = treatmentOf(per, k.memory)
	s.Allowed = func(class, value string) bool {
		_ = k.memory.Refresh() // what is judged harmless while this runs counts too; what cannot be read is as it was
		return k.memory.Allowed(class, value)
	}
	return s
}

// scrubsNothing reports whether no value is looked for in what an agent writes or reads.
func scrubsNothing(per config.Scrub) bool {
	off := func(m config.ScrubMode) bool { return m == "" || m == config.ScrubOff }
	for _, class := range per.Class {
		if !off(class.OnWrite.Value) {
			return false
		}
	}
	return off(per.OnWrite.Value) && per.OnRead.Value != config.ScrubMask
}
