// Package scrubguard keeps sensitive values out of a store: guards for the handlers that mask them in what is
// written, warn of them, or refuse the write.
//
// A program that embeds the library passes them on:
//
//	engine, _ := scrub.New(scrub.Options{})
//	keeper := scrubguard.New(func() *scrub.Engine { return engine }, scrubguard.Settings{Write: scrubguard.Mask})
//	store := memstore.New(backend, memstore.Options{Guards: keeper.Guards()})
//
// The agent is told how many values of which class were found and where, never a value. Only what a write adds
// counts: a value that stood in the file before is the affair of a scan. It imports memstore and memstore/scrub,
// does no I/O, and keeps what it has masked in memory, so that the agent may name it later as it wrote it.
package scrubguard

import (
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// Mode is what happens to a value.
type Mode string

// The modes.
const (
	Off    Mode = "off"
	Warn   Mode = "warn"   // the write goes on, the agent is told
	Mask   Mode = "mask"   // a placeholder is written, the agent is told
	Refuse Mode = "refuse" // nothing is written, the agent is told why
)

// Settings say what happens to which class.
type Settings struct {
	Write   Mode            // "" is Off
	Classes map[string]Mode // of writes, by class
	// Dismissed reports whether the user has dismissed a value; nil: nothing is dismissed.
	Dismissed func(class, value string) bool
}

// of is the mode of a class. Quiet ones are left alone unless they are named.
func (s *Settings) of(c rule.Class) Mode {
	if m, ok := s.Classes[c.Name]; ok && m != "" {
		return m
	}
	if c.Quiet || s.Write == "" {
		return Off
	}
	return s.Write
}

// Idle means that no write is checked.
func (s *Settings) Idle() bool {
	if s.Write != "" && s.Write != Off {
		return false
	}
	for _, m := range s.Classes {
		if m != "" && m != Off {
			return false
		}
	}
	return true
}

// maskedMost bounds how many masked values are remembered.
const maskedMost = 4096

// Keeper is what the guards of one store share. Safe for concurrent use.
type Keeper struct {
	load     func() *scrub.Engine
	settings Settings

	mu     sync.Mutex        // guards engine and masked
	engine *scrub.Engine     // nil: not needed yet
	masked map[string]string // values, and what replaces them
}

// New makes a Keeper. load makes the engine when it is first needed.
func New(load func() *scrub.Engine, s Settings) *Keeper {
	return &Keeper{load: load, settings: s, masked: map[string]string{}}
}

// now returns the engine; nil where nothing is to be looked at.
func (k *Keeper) now() *scrub.Engine {
	if k.settings.Idle() {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.engine == nil {
		k.engine = k.load()
	}
	return k.engine
}

// Guards are the guards of a store. Where the settings say nothing they cost nothing.
func (k *Keeper) Guards() []memstore.Guard {
	return []memstore.Guard{
		{Amend: k.amend, Recall: k.recall, Check: k.names},
	}
}

// remember notes what was masked, so that the agent may name it as it wrote it.
func (k *Keeper) remember(value, placeholder string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.masked) < maskedMost {
		k.masked[value] = placeholder
	}
}
