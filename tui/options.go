package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/policy"
	"memcurator/memstore/watch"
	"memcurator/render/theme"
	"memcurator/tui/replay"
	"memcurator/tui/secrets"
	"memcurator/tui/stores"
)

// Options say what to show and how.
type Options struct {
	Handlers *memstore.Store
	Watch    *watch.Watcher
	Title    string // the directory, as people call it
	Name     string // what the store is called; empty: by its directory
	Badge    string // shown in the top bar, such as "demo"; empty: none
	ReadOnly bool
	// Unwritable is set with ReadOnly for a folder that this user can't write.
	Unwritable  bool
	Follow      bool // show the diff of each change as it is made
	Theme       theme.Options
	LeftEdits   []string         // folders with text that edits before could not save
	CopyDir     string           // folder for the private copies that an editor gets; empty: that for temporary files
	StateDir    string           // folder in which the layout is remembered; empty: they are not
	Now         func() time.Time // nil: time.Now
	Preferences Preferences
	Doctor      string // the command that examines the journal and says how to repair it
	Notice      string // the mistakes in the configuration, a line each; empty: none
	Greeting    string // what to say of the store once it is open, for [kit.Env.Keyed]; empty: nothing
	// Emptied explains that all files of the store are gone, perhaps because a mount is missing. The store is then opened with ReadOnly,
	// and the journal does not record the files as deleted. Empty: they are there.
	Emptied string
	// Plan is what plans know of beside the store: what a session loads, which the opening and the view show, too, the project, secrets.
	Plan policy.Input
	// Journal is the record of all changes. Where it is unavailable, one in memory replaces it, and NoJournal is the reason.
	Journal   *journal.Journal
	NoJournal string
	// Session is set if a journal in memory is meant to be used: undo, changes and trash are offered and end with the program.
	Session bool
	// Damaged is why the journal could not be opened, if it is damaged; empty: it is sound.
	Damaged string
	// Replay is what to show first, on the Replay screen; nil: nothing.
	Replay *replay.Source
	// Transcripts is where they are looked for; nil: nowhere.
	Transcripts *replay.Places
	// Unlinked is set if no store is open, or the replay has none beside it: Store is empty then.
	Unlinked bool
	// Rules are what the configuration says for the store, and Config the file that rules are written to.
	Rules  config.Settings
	Config ConfigPlace
	// Grace is how long a box that opens by itself ignores keys.
	Grace time.Duration
	// Debounce is how long the user must stay at a path before expensive work on it begins.
	Debounce time.Duration
	// Scrub scans for secrets; nil: no scan.
	Scrub *secrets.Scrubbing
	// Summary is set to begin with what changed since the user looked last: at Looked, or, if that is zero, when the program was left.
	Summary bool
	Looked  time.Time
	// Titles says what sessions were about, by their ids; nil: unknown. It does I/O.
	Titles func(ctx context.Context, sessions []string) map[string]string
	// At is the agent path to begin at; empty: where the user was.
	At string
	// First is the agent path to begin at when nothing is remembered of the store; empty for its root.
	First string
	// After delivers a message after a time; nil uses that of Bubble Tea.
	After func(time.Duration, tea.Msg) tea.Cmd
	// Stores lists all stores; nil: nothing does.
	Stores *stores.Screen
	// listConfig is the file that says which folders Stores lists beside what it finds.
	listConfig ConfigPlace

	declaring bool // see [Keys]
}

// storeless reports whether no store is open, nor a transcript: only the screens that need neither are shown.
func (o *Options) storeless() bool { return o.Unlinked && o.Replay == nil && o.Stores != nil }

// undoable returns the journal if what it records can be undone, else nil.
func (o *Options) undoable() *journal.Journal {
	if o.Journal != nil && (o.Session || o.Journal.Lasts()) {
		return o.Journal
	}
	return nil
}

// whyReadOnly returns the reason why nothing can be changed.
func (o *Options) whyReadOnly() string {
	switch {
	case o.storeless():
		return textNoStore
	case o.Unlinked:
		return replay.TextNoStore
	case o.ReadOnly && o.Emptied != "":
		return "Read-only: all files of this store are gone. {global/alert} shows what to do"
	case o.Unwritable:
		return "Not writable: this user may not change the folder. Once that is allowed, start again"
	case o.ReadOnly:
		return "Read-only. Restart without --read-only to change files"
	}
	return ""
}
