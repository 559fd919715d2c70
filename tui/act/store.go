// Package act changes the open store on behalf of the user. A [Store] is what all screens share of it: handlers, record, tree, rules.
// A [Queue] deletes, moves, undoes and redoes: edits run one after another in the order of the keys, each after its confirmation if it
// needs one, and report their outcome. A [Shell] is what a part of the screen may ask of the shell around it. A store is only changed
// through the handlers of memstore, as the curator.
package act

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/load"
	"memcurator/memstore/watch"
)

// Store is the open store. All parts of the screen share one; use it on the Bubble Tea goroutine only.
type Store struct {
	// Handlers answer and change as the tool does, in the dialect that the user has chosen.
	Handlers *memstore.Store
	Title    string // the directory, as people call it
	// Journal is the record whose changes can be undone; nil: there is none, and NoJournal says why.
	Journal   *journal.Journal
	NoJournal string
	Damaged   string // why the journal can't be used, and so nothing changed; "": it can
	// WhyReadOnly is the reason why nothing can be changed, for [kit.Env.Keyed]; "": it can.
	WhyReadOnly string
	ReadOnly    bool // the handlers refuse to write
	// Snapshot is the tree as the watch has seen it last, nil before it was read; Watched is how the watch is.
	Snapshot *memstore.Snapshot
	Watched  watch.State
	// Purged recognizes what was purged from the stores of this machine.
	Purged *findings.PurgedValues
	// Rules are what the configuration says for the store now.
	Rules config.Settings
	// Load says what a session loads of the store; it may do I/O. nil: nothing.
	Load func() load.Rule
	// Titles says what sessions were about, by their ids; nil: unknown. It does I/O.
	Titles func(ctx context.Context, sessions []string) map[string]string
}

// OwnerCompare names the job that compares the journal with the disk after the start.
const OwnerCompare = "compare"

// Loaded is the tree if the whole store was read; else nil.
func (s *Store) Loaded() *memstore.Snapshot {
	if s.Watched == watch.Loading {
		return nil
	}
	return s.Snapshot
}

// Planned is the intent to show of the notes what the rules plan, by agent path.
type Planned struct {
	Due    map[string]bool // something is proposed for them
	Pinned map[string]bool // the user pins them
}
