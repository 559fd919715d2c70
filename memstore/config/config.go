// Package config loads, checks, merges and edits the configuration file of memcurator.
//
// [Parse] turns the bytes of a file into a [Config] and finds every mistake in it, with file,
// line and column; [Config.For] merges what the file says for one store into [Settings], and
// [Settings.Rule] what it says for one path in it, each value with the place it came from
// ([Origin]). [Document] changes a file and keeps every byte that it was not asked about.
//
// The package knows neither screens nor the command line: the tables [keys] and [ui] pass through as
// words with their places, and whoever owns those words judges them. It enforces nothing
// either: caps, expiry and scrubbing are the work of the packages that ask for the values.
// The file is outside every store, so that an agent cannot change its own limits.
package config

import (
	"time"

	"memcurator/memstore"
	"memcurator/render/loadlimit"
)

// Limits of the loader. What is larger is a mistake, not a reason to run out of memory.
const (
	// maxConfigBytes bounds a configuration file.
	maxConfigBytes = 1 << 20
	// maxMistakes bounds the mistakes that are reported for one file.
	maxMistakes = 100
)

// Mode is what a cap does in the handlers.
type Mode string

// The modes.
const (
	ModeOff    Mode = "off"
	ModeWarn   Mode = "warn"   // the command runs, and its answer has a warning
	ModeRefuse Mode = "refuse" // the command is refused
)

// Expire is what is proposed for a path that has expired.
type Expire string

// The proposals.
const (
	ExpireDelete     Expire = "delete"     // restorable
	ExpireArchive    Expire = "archive"    // moved to ArchiveTo
	expireQuarantine Expire = "quarantine" // out of the store, its bytes kept
	ExpireWarn       Expire = "warn"       // listed, nothing more
)

// ScrubMode is what happens to sensitive values in what the agent writes.
type ScrubMode string

// The scrub modes.
const (
	ScrubOff    ScrubMode = "off"
	ScrubWarn   ScrubMode = "warn"
	ScrubMask   ScrubMode = "mask"
	scrubRefuse ScrubMode = "refuse"
)

// Config is a configuration file without mistakes. It does not change after [Parse] and
// may be shared. The zero value is that of a missing file: nothing is set.
type Config struct {
	File    string // as it was named; "" where there is none
	Keys    []Binding
	general section
	stores  []Store
	paths   []string
}

// Store is the section of one store.
type Store struct {
	Name string
	// Dir is the absolute directory, with the home folder in place of a tilde.
	Dir string
	At  Origin
	section
}

// Whether the indexes of a store, and the links between its notes, follow when the user deletes, moves or merges notes.
const (
	indexKeep  = "keep"
	IndexLeave = "leave"
)

// Which instruction files an agent may edit through exec and mcp.
const (
	agentsEditProject = "project" // those of the project
	AgentsEditAll     = "all"     // also the user's, and those of folders above the project
)

// section is what may be said for all stores and for one.
type section struct {
	Dialect    Value[memstore.Dialect]
	Index      Value[string] // one of the Index words: whether indexes follow what the curator does
	AgentsEdit Value[string] // one of the AgentsEdit words
	UI         UI
	Limits     Limits
	Journal    Journal
	Scrub      Scrub
	Rules      []Rule
}

// UI are the options of the user interface. What a theme or an order of sorting is, is the
// user interface's affair; the words are checked here.
type UI struct {
	Theme  Value[string] // one of [Themes]
	ASCII  Value[bool]
	Mouse  Value[bool]
	Wrap   Value[bool]
	Hidden Value[bool]
	Follow Value[bool]
	Sort   Value[string] // one of sorts
	// Bell rings after a bulk delete, a secret, or damage of the journal.
	Bell Value[bool]
}

// Limits are those of a whole store. 0: unlimited.
type Limits struct {
	MaxFiles  Value[int64]
	MaxBytes  Value[int64]
	MaxTokens Value[int64] // estimated, see [loadlimit.TokensAre]
	ReadChars Value[int64] // characters that one view returns
	Mode      Value[Mode]
}

// Caps reports whether there is a limit to what the store may hold, whatever its mode.
func (l *Limits) Caps() bool {
	return l.MaxFiles.Value > 0 || l.MaxBytes.Value > 0 || l.MaxTokens.Value > 0
}

// Journal is how much of the past is kept. 0: unlimited.
type Journal struct {
	Keep     Value[time.Duration] // revisions that are younger
	MaxBytes Value[int64]         // of the contents as they are stored, compressed; the oldest go first
	Copy     Value[JournalCopy]   // when a verified copy of the journal is made
	Record   Value[JournalRecord] // of which stores there is a journal
}

// JournalRecord is of which stores there is a journal.
type JournalRecord string

// The stores. Those that an agent writes to through memcurator are recorded in any case.
const (
	recordOpened JournalRecord = "opened" // those that the interface has opened
	RecordAll    JournalRecord = "all"    // those found on this machine too
)

// JournalCopy is when a verified copy of the journal is made.
type JournalCopy string

// The moments.
const (
	CopyDaily JournalCopy = "daily" // once a day of use
	copyOff   JournalCopy = "off"
)

// Keys are what rules say about a path. A limit or a duration of 0 is none.
type Keys struct {
	MaxIdle   Value[time.Duration] // since the agent last used it
	MaxAge    Value[time.Duration] // since it was first seen
	TTL       Value[time.Duration] // since its last change
	Expire    Value[Expire]
	ArchiveTo Value[string] // slash-separated, relative to the store
	Expires   Value[bool]   // the expires: of a note's own front matter counts

	MaxFileBytes Value[int64]
	MaxFileLines Value[int64]
	MaxPathBytes Value[int64]
	MaxDepth     Value[int64]
	LoadLines    Value[int64] // what a client loads of the file; the rest the agent does not see by itself
	LoadBytes    Value[int64]
	LoadTokens   Value[int64] // estimated, see [loadlimit.TokensAre]
	Mode         Value[Mode]

	Lint    Value[bool] // what the lint finds is listed
	Suggest Value[bool] // what no rule proposes may be suggested
	Pin     Value[bool] // never proposed, never expires
	Lock    Value[bool] // the agent cannot change it
}

// LoadLimit is how much of a file a client loads when a session starts.
func (k *Keys) LoadLimit() loadlimit.Extent {
	return loadlimit.Extent{Lines: k.LoadLines.Value, Bytes: k.LoadBytes.Value, Tokens: k.LoadTokens.Value}
}

// Scrub is what happens to sensitive values, in general and by the class of the finding.
type Scrub struct {
	OnWrite Value[ScrubMode]
	Class   map[string]ScrubClass
}

// ScrubClass overrides Scrub for one class.
type ScrubClass struct {
	OnWrite Value[ScrubMode]
	Enabled Value[bool]
}

// Rule says something about the paths that match one of its globs.
type Rule struct {
	Match []string // doublestar globs, relative to the store
	At    Origin   // of its [[rule]]
	Store string   // the name of the store it is for, "" for all
	// Index is the number of the rule within its section of the file, from 0; -1 in a preset.
	Index int
	Keys  Keys
}

// Binding is one line of [keys]: an action and its keys, unchecked. Who owns the actions judges them.
type Binding struct {
	Scope  string // "" for the keys directly in [keys]
	Action string
	Keys   []string // none: the action has no key
	At     Origin   // of the action's name
	KeysAt []Origin // of each key
	// ScopeAt is where the scope was named.
	ScopeAt Origin
}

// Paths are the directories in which [discover] says there are memories: absolute, with the home folder in place of a tilde. A "*" in
// place of a name stands for each folder.
func (c *Config) Paths() []string {
	if c == nil {
		return nil
	}
	return c.paths
}

// Stores lists the sections of stores in the order of the file.
func (c *Config) Stores() []Store {
	if c == nil {
		return nil
	}
	return c.stores
}
