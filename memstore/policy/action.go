package policy

import (
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/lint"
)

// Do is what an action does to its path.
type Do string

// What an action may do.
const (
	Delete  Do = "delete"  // restorable from the journal
	Archive Do = "archive" // moved to To
	Link    Do = "link"    // names that lead nowhere are rewritten
	Fix     Do = "fix"     // an index gets the notes that it lacks
	Review  Do = "review"  // nothing: the user decides
	Warn    Do = "warn"    // nothing: for the user to know
)

// Changes reports whether it changes a file.
func (d Do) Changes() bool { return d != Warn && d != Review }

// Rewrites reports whether it replaces single spans of its file, so that several such actions on one file go together.
func (d Do) Rewrites() bool { return d == Link || d == Fix }

// Group is what kind of proposal an action is; lists are grouped by it.
type Group string

// The groups, in the order of lists.
const (
	Expired   Group = "expired"
	OverCap   Group = "over cap"   // a file above a cap of its own
	storeCap  Group = "store cap"  // the store above one of its caps; Path is /memories
	Suggested Group = "suggestion" // what no rule of the user proposes
)

// Action is one proposal.
type Action struct {
	Do    Do
	Group Group
	Kind  Kind   // of the group Suggested, else ""
	Path  string // agent path
	To    string // agent path that an archived file moves to
	// Key is the key of the configuration that proposes it ("max_idle", "max_file_bytes" ...),
	// and Rule where its value stands.
	Key  string
	Rule config.Origin
	// Reason is a clause in words and numbers, for a list: no capital, no full stop.
	Reason string
	// Clock says what an expiry was counted from; "" for the other groups.
	Clock Clock
	// Since is the moment that Clock counts from.
	Since time.Time
	Due   time.Time // when it expired; zero for the other groups
	// What the file was when the action was proposed. Hash is zero until the file has been read.
	Info  memstore.Info
	Bytes int64
	Hash  memstore.Digest
	Found *lint.Finding   // what the lint has found, nil where it goes by something else
	Other memstore.Digest // of a review of two files that say nearly the same: the other one, when the action was proposed
}

// FilesOf counts the files to which actions do something: a file once, however many actions it has.
func FilesOf(actions []Action, do Do) int {
	seen := map[string]bool{}
	for i := range actions {
		if actions[i].Do == do {
			seen[actions[i].Path] = true
		}
	}
	return len(seen)
}

// Compares reports whether a review is about two files that say nearly the same, of which the user has to choose.
func (a *Action) Compares() bool {
	return a.Do == Review && a.Found != nil && a.Found.Rule == lint.Alike
}

// Clock names what an expiry is counted from.
type Clock string

// The clocks.
const (
	byUse          Clock = "use"          // the agent's last view or write, of the journal's access record
	byAccess       Clock = "access"       // the access time that the file system keeps
	byModification Clock = "modification" // the modification time of the disk
	byRecord       Clock = "record"       // the last change that the journal has
	byFirstSeen    Clock = "first seen"   // the journal's
	byRestore      Clock = "restore"      // the journal's: the user put the file back
	byMove         Clock = "move"         // the journal's: the file came to the archive
)

// Source is where a clock has its times from, in words.
func (c Clock) Source() string {
	switch c {
	case byUse:
		return "the agent's last use"
	case byAccess:
		return "access time"
	case byModification:
		return "modification time"
	case byRecord:
		return "the journal's last change"
	}
	return "the journal"
}

// Plan is what is proposed for a store at one moment. It does not change.
type Plan struct {
	Actions []Action // by group, and in it the one that is due longest or worth least first
	// Notes say what the plan could not take into account, a sentence each.
	Notes []string
	// Unread are the agent paths of folders and files that could not be read, and so are judged in part or not at all:
	// more may be due.
	Unread []string
	// Unchecked is [lint.Report.Unchecked], which is among the Notes too.
	Unchecked string
	// Files and Bytes are those of the whole store: regular files, none in .git.
	Files int
	Bytes int64
}

// Changing are the actions that change a file, with the bytes they remove from the agent's view.
func (p *Plan) Changing() (actions []Action, bytes int64) {
	for _, a := range p.Actions {
		if a.Do.Changes() {
			actions = append(actions, a)
			bytes += a.Bytes
		}
	}
	return actions, bytes
}

// Everything reports whether the actions take every file out of the store.
func (p *Plan) Everything() bool {
	n := 0
	for i := range p.Actions {
		if p.Actions[i].Do == Delete && !memstore.InGit(p.Actions[i].Path) {
			n++
		}
	}
	return n > 0 && n == p.Files
}
