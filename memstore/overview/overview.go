// Package overview joins what is known of each store of this machine into a row: what package discover found, what a session loads of it,
// and what the journal, the rules and the search for secrets say about it. Rows are listed first, from names, sizes and times alone; the
// rest fills in behind, the stores that changed last first, some at once.
//
// Looking at a store changes nothing in it. The package opens stores only through an [Opener], which knows the configuration and the
// state folders; package cli/session has one.
package overview

import (
	"context"
	"errors"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/discover"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
	"memcurator/render/loadlimit"
)

// State is the condition of a store. The words are those of the column state of "stores --json".
type State string

// The states, the worst first: a row has the first that applies.
const (
	Unreadable State = "unreadable" // it is missing, can't be read, or doesn't answer
	Damaged    State = "damaged"    // its journal or its own format is, or all its files are gone
	Stranded   State = "stranded"   // its project is gone
	OverLimit  State = "over limit" // a session doesn't load all of it
	NotLoaded  State = "not loaded" // a session can't load a file that it should, as an import of a missing one
	Encrypted  State = "encrypted"  // more is known only with its key
	OK         State = "ok"         // nothing needs the user
)

var worst = []State{Unreadable, Damaged, Stranded, OverLimit, NotLoaded, Encrypted, OK}

// Load is how much a session loads of a store at its start.
type Load struct {
	Given loadlimit.Extent // what the limits leave of it
	Gauge loadlimit.Gauge  // of the limit that is used most
}

// Row is a store and what is known of it so far. Nil: not known yet, or it can't be known.
type Row struct {
	discover.Found
	Start   *Load // what a session loads of it; nil too if the agent reads on demand
	Unread  *int  // changes that the user has not read; nil without a journal
	Due     *int  // proposals of the user's rules
	Secrets *int  // values in files that the user has not dismissed
	State   State
	// Problems are sentences about the store: its faults, and what could not be read.
	Problems []string
	Done     bool // all that was asked about the store has been found out, or can't be
	states   []State
}

// note lowers the state of a row to s, and adds a sentence unless it is there.
func (r *Row) note(s State, problem string) {
	r.states = append(slices.Clip(r.states), s)
	if slices.Index(worst, s) < slices.Index(worst, r.State) {
		r.State = s
	}
	if problem != "" && !slices.Contains(r.Problems, problem) {
		r.Problems = append(slices.Clip(r.Problems), problem)
	}
}

// Has reports whether a condition is among those of a row: a worse one may be its state.
func (r Row) Has(s State) bool {
	return r.State == s || slices.Contains(r.states, s)
}

// Opener opens stores to look at them. Its errors are sentences for the user. It is safe for concurrent use.
type Opener interface {
	// Open opens the bytes of a store. The error is [ErrSealed] if the store is encrypted.
	Open(discover.Found) (memstore.Backend, error)
	// Record opens what is recorded about an opened store, and what the configuration says about it.
	Record(context.Context, discover.Found, memstore.Backend) (*Record, error)
}

// ErrSealed is the error for an encrypted store: only whoever has its key can look at it.
var ErrSealed = errors.New("encrypted")

// Record holds what the journal and the configuration say about a store.
type Record struct {
	Journal  *journal.Journal // compared with the disk; nil: there is none, or Problem says why it could not be opened
	Problem  string           // of the journal or of the store itself, as a sentence
	Settings config.Settings
	Findings *findings.State // nil: nothing is dismissed
	Engine   func() (*scrub.Engine, error)
}

// Close closes the journal.
func (r *Record) Close() {
	if r.Journal != nil {
		_ = r.Journal.Close() // the next start settles the rest
	}
}
