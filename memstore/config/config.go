// Package config loads, checks, merges and edits the configuration file of memcurator.
//
// [Parse] turns the bytes of a file into a [Config] and finds every mistake in it, with file,
// line and column; [Config.For] merges what the file says for one store into [Settings], and
// [Settings.Rule] what it says for one path in it, each value with the place it came from
// ([Origin]). [AppendRule] and [AppendStore] add to the end of a file.
//
// The package knows neither screens nor the command line: the tables [keys] and [ui] pass through as
// words with their places, and whoever owns those words judges them. It enforces nothing
// either: caps, expiry and scrubbing are the work of the packages that ask for the values.
// The file is outside every store, so that an agent cannot change its own limits.
package config

import (
	"time"

	"memcurator/memstore"
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
	ExpireDelete  Expire = "delete"  // restorable
	ExpireArchive Expire = "archive" // moved to ArchiveTo
	ExpireWarn    Expire = "warn"    // listed, nothing more
)

// ScrubMode is what happens to sensitive values in what the agent writes.
type ScrubMode string

// The scrub modes.
const (
	ScrubOff  ScrubMode = "off"
	ScrubWarn ScrubMode = "warn"
	ScrubMask ScrubMode = "mask"
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
	Dir Value[string] `toml:"dir" is:"directory"`
	At  Origin
	section
}

// section is what may be said for all stores and for one.
type section struct {
	Dialect Value[memstore.Dialect] `toml:"dialect" is:"dialect"`
	UI      UI                      `toml:"ui"`
	Limits  Limits                  `toml:"limits"`
	Journal Journal                 `toml:"journal"`
	Scrub   Scrub                   `toml:"scrub"`
	Rules   []Rule                  `toml:"rule"`
}

// UI are the options of the user interface. What a theme or an order of sorting is, is the
// user interface's affair; the words are checked here.
type UI struct {
	Theme  Value[string] `toml:"theme" is:"auto dark light contrast mono"`
	ASCII  Value[bool]   `toml:"ascii"`
	Mouse  Value[bool]   `toml:"mouse"`
	Wrap   Value[bool]   `toml:"wrap"`
	Hidden Value[bool]   `toml:"hidden"`
	Follow Value[bool]   `toml:"follow"`
	Sort   Value[string] `toml:"sort" is:"name size age"`
	// Bell rings after a bulk delete, a secret, or damage of the journal.
	Bell Value[bool] `toml:"bell"`
}

// Limits are those of a whole store. 0: unlimited.
type Limits struct {
	MaxFiles  Value[int64] `toml:"max_files"`
	MaxBytes  Value[int64] `toml:"max_bytes" is:"size"`
	ReadChars Value[int64] `toml:"read_chars"` // characters that one view returns
	Mode      Value[Mode]  `toml:"mode" is:"off warn refuse"`
}

// Caps reports whether there is a limit to what the store may hold, whatever its mode.
func (l *Limits) Caps() bool {
	return l.MaxFiles.Value > 0 || l.MaxBytes.Value > 0
}

// Journal is how much of the past is kept. 0: unlimited.
type Journal struct {
	Keep Value[time.Duration] `toml:"keep"` // revisions that are younger
}

// Keys are what rules say about a path. A limit or a duration of 0 is none.
type Keys struct {
	MaxIdle   Value[time.Duration] `toml:"max_idle"` // since the agent last used it
	MaxAge    Value[time.Duration] `toml:"max_age"`  // since it was first seen
	TTL       Value[time.Duration] `toml:"ttl"`      // since its last change
	Expire    Value[Expire]        `toml:"expire" is:"delete archive warn"`
	ArchiveTo Value[string]        `toml:"archive_to" is:"folder"` // slash-separated, relative to the store

	MaxFileBytes Value[int64] `toml:"max_file_bytes" is:"size"`
	MaxFileLines Value[int64] `toml:"max_file_lines"`
	MaxDepth     Value[int64] `toml:"max_depth"`
	Mode         Value[Mode]  `toml:"mode" is:"off warn refuse"`

	Suggest Value[bool] `toml:"suggest"` // what no rule proposes may be suggested
	Pin     Value[bool] `toml:"pin"`     // never proposed, never expires
	Lock    Value[bool] `toml:"lock"`    // the agent cannot change it
}

// Caps reports whether there is a limit to a file, whatever its mode.
func (k *Keys) Caps() bool {
	return k.MaxFileBytes.Value > 0 || k.MaxFileLines.Value > 0 || k.MaxDepth.Value > 0
}

// Archive is the folder to which files are archived.
func (k *Keys) Archive() string { return k.ArchiveTo.Or("archive") }

// Scrub is what happens to sensitive values, in general and by the class of the finding.
type Scrub struct {
	OnWrite Value[ScrubMode] `toml:"on_write" is:"off warn mask refuse"`
	Class   []ScrubClass     `toml:"class"`
}

// ScrubClass overrides Scrub for one class.
type ScrubClass struct {
	Name    string
	OnWrite Value[ScrubMode] `toml:"on_write" is:"off warn mask refuse"`
	Enabled Value[bool]      `toml:"enabled"`
}

// Rule says something about the paths that match one of its globs.
type Rule struct {
	Match []string `toml:"match" is:"glob"` // doublestar globs, relative to the store
	At    Origin   // of its [[rule]]
	Keys
}

// Binding is one line of [keys]: an action and its keys, unchecked. Who owns the actions judges them.
type Binding struct {
	Scope  string // "" for the keys directly in [keys]
	Action string
	Keys   []Value[string] // none: the action has no key
	At     Origin          // of the action's name
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
