package transfer

import (
	"errors"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/memstore/undo"
)

// Place is one of the two stores of a transfer.
type Place struct {
	Store *memstore.Store
	// Record is the journal of the store, which the store has among its recorders; nil if the store isn't going to be changed.
	Record undo.Record
	Title  string         // the name of the store in messages
	Policy *policy.Policy // decides what is pinned and locked; nil: nothing is
}

func (p *Place) editor() *undo.Editor { return undo.NewEditor(p.Record, p.Store) }

// Transfer copies or moves notes from one store to another. It is not safe for concurrent use.
type Transfer struct {
	From, To Place
	Paths    []string // agent paths of the notes and folders; none: the whole store
	Move     bool     // also delete what has arrived from the source
	Import   bool     // From is a bundle, for the title of the act
	Replace  bool     // overwrite notes that have other text at the destination
}

// Errors of a transfer, in addition to those of the stores.
var (
	// ErrNoJournal means that a store can't record the changes, so that they couldn't be undone.
	ErrNoJournal = errors.New("no journal, so undo is off")
	// errDiffers means that the destination has other bytes than the source: a guard masks values, or a program has a form of its own.
	errDiffers = errors.New("a rule there masks values in it, or its program changes its form")
)

// verb is the command name of the revisions at the destination.
func (t *Transfer) verb() string {
	if t.Move {
		return past.CmdMove
	}
	return past.CmdCopy
}

// Act says what a plan does with one note.
type Act string

// The acts. The words are those of the column action of "copy --json".
const (
	Copy     Act = "copy"     // nothing is there yet
	Replace  Act = "replace"  // other text is there, and will be overwritten
	Same     Act = "same"     // the same text is there already
	Conflict Act = "conflict" // something else is there, which stays
	Skip     Act = "skip"     // it can't be transferred
)

// Result is what became of a note when a plan was carried out. The words are those of the column result of "copy --json".
type Result string

// The results.
const (
	Done    Result = "done"    // it is at the destination; of a move, no longer at the source
	Kept    Result = "kept"    // of a move: it is at the destination, and still at the source
	Skipped Result = "skipped" // it was not transferred
	Left    Result = "left"    // it was not started, because the run was stopped
)

// Item is one note of a plan, and of its outcome.
type Item struct {
	Path   string // agent path, in both stores
	Kind   memstore.Kind
	Act    Act
	Result Result // "" in a plan
	Why    string // why it is a conflict, was skipped or kept, as the end of a sentence
	Bytes  int64
	Digest memstore.Digest  // of the bytes at the source
	There  *memstore.Digest // of what is at the path at the destination; nil: nothing, or no file

	stamps memstore.Stamps
}

// Writes reports whether the item changes the destination.
func (i *Item) Writes() bool { return i.Act == Copy || i.Act == Replace }

// Plan lists what a transfer is going to do.
type Plan struct {
	Items []Item // by path
}

// Outcome is the result of carrying out a plan.
type Outcome struct {
	Items []Item // those of the plan, each with its result
	Bytes int64  // written at the destination
	// Changed says whether the source and the destination have an act to undo.
	Changed [2]bool
}

// Count returns how many items have one of the results.
func (o *Outcome) Count(results ...Result) (n int) {
	for i := range o.Items {
		if slices.Contains(results, o.Items[i].Result) {
			n++
		}
	}
	return n
}

// Count returns how many items have one of the acts, and their bytes.
func (p *Plan) Count(acts ...Act) (n int, bytes int64) {
	for i := range p.Items {
		if slices.Contains(acts, p.Items[i].Act) {
			n++
			bytes += p.Items[i].Bytes
		}
	}
	return n, bytes
}

// shared reports whether a note is one file in both stores. Two stores have such a file if both load it, or through a hard link.
func (t *Transfer) shared(agentPath string) bool {
	name := memstore.BackendName(agentPath)
	here, err := t.From.Store.Backend().Lstat(name)
	if err != nil || here.ID == (backend.FileID{}) {
		return false
	}
	there, err := t.To.Store.Backend().Lstat(name)
	return err == nil && here.ID == there.ID
}
