// Package screen shows the user interface for a command: on the backend that the command opened, with the journal, the watcher and the
// guards of its session.
package screen

import (
	"context"
	"errors"
	"os"
	"time"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/memstore/watch"
	"memcurator/tui"
)

// inMemory is a folder that is never on a disk; "" if the system has none. A text of an encrypted store that an editor opens should not
// remain on disk in the clear.
func inMemory() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() {
		return shared
	}
	return ""
}

// transcripts is where the interface searches for transcripts; dir is the store, "" for none.
func transcripts(run *session.Session, dir string) *tui.TranscriptPlaces {
	return &tui.TranscriptPlaces{Machine: run.Machine(), Store: dir, Folders: session.MemoryFolders(dir)}
}

// openJournal opens the journal for the interface, which itself compares it with the disk. If that fails, the interface says so and keeps
// a journal in memory until it exits.
func openJournal(run *session.Session, dir string, b memstore.Backend, o *tui.Options) error {
	o.Doctor = run.Command("doctor", dir)
	if session.IsSealed(b) {
		o.NoJournal, o.Session = session.ErrSealed.Error(), true
		o.Greeting = "The journal is in memory: undo, Changes and Trash end with this run"
		return journalInMemory(run, b, o)
	}
	j, err := run.OpenJournal(dir, journal.Options{Backend: b, Process: "ui", Warn: func(error) {}}) // the interface shows damage by itself
	if err != nil {
		o.NoJournal = session.JournalReason(err)
		if errors.Is(err, past.ErrCorrupt) {
			o.Damaged = journal.DamageText
		}
		return journalInMemory(run, b, o)
	}
	o.Journal = j
	return nil
}

// journalInMemory gives the interface a journal that is lost when it exits.
func journalInMemory(run *session.Session, b memstore.Backend, o *tui.Options) (err error) {
	o.Journal, err = journal.Memory(journal.Options{Backend: b, Process: "ui", Warn: run.WarnOfDamage})
	if err != nil {
		return session.Failed(err, "Can't follow changes: %s", session.JournalReason(err))
	}
	return nil
}

// leaveWithin is how long quitting waits for each of the things that the interface closes. The user has pressed a key and is waiting;
// after thousands of changes there may be seconds of work.
const leaveWithin = 250 * time.Millisecond

// leave closes something that may safely be interrupted by the end of the process.
func leave(end func() error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = end() // the next start settles the rest
	}()
	select {
	case <-done:
	case <-time.After(leaveWithin):
	}
}

// Fits reports whether the user interface can be shown.
func Fits(run *session.Session, s session.Settings) bool {
	return run.Env.StdinTerminal && run.Env.StdoutTerminal && !s.Dumb
}

// graceOfBoxes is long enough for a key pressed just before a box opens by itself, and too short for the user to notice.
const graceOfBoxes = 300 * time.Millisecond

// debounceOfPaths is longer than the repeat interval of a held key, 30 to 60 ms, and still feels instant.
const debounceOfPaths = 80 * time.Millisecond

// open opens what the interface needs beside a backend and its journal: watcher, guards, rules. The caller closes what it opened after
// what is opened here.
func open(run *session.Session, ctx context.Context, s session.Settings, backend memstore.Backend, o tui.Options) (tui.Opened, error) {
	look := memstore.Options{
		Dialect: s.Dialect, Origin: memstore.Origin{Actor: memstore.Curator}, ReadOnly: true,
	}
	// The watcher reads through its own store, since the store for commands has the watcher as its recorder.
	watcher, err := watch.Start(ctx, memstore.New(backend, look), watch.Options{Sync: o.Journal.Sync, Warn: run.WarnOfDamage})
	if err != nil {
		return tui.Opened{}, session.Failed(err, "Can't watch the store: %s", session.Reason(err))
	}
	change := look
	change.ReadOnly, change.Recorders = o.ReadOnly, []memstore.Recorder{o.Journal, watcher}
	if err := run.Guard(&change, s, backend, func(string) {}); err != nil {
		leave(watcher.Close)
		return tui.Opened{}, err
	}
	o.Scrub = scrubbing(run, s, backend)
	o.Plan.Load = run.LoadRule(s.Dir)
	o.Handlers, o.Watch, o.Theme = memstore.New(backend, change), watcher, s.Theme
	o.Plan.Project = run.Project(s.Dir)
	o.Grace, o.Debounce = graceOfBoxes, debounceOfPaths
	o.Preferences = preferences(s)
	o.Rules, o.Config = s.OfStore(), configPlace(run, s)
	if s.Broken != nil {
		o.Notice = session.MistakesNotice(s.Broken)
	}
	return tui.Opened{Options: o, Close: func() { leave(watcher.Close) }}, nil
}

// Show shows the user interface: the store that is open, and the list of all stores; without stores there is none. It closes the store,
// and those opened from the list. The interface closes when ctx ends.
func Show(run *session.Session, ctx context.Context, first tui.Opened, stores *tui.Stores) error {
	defer run.Mute()()
	if err := tui.Run(ctx, first, stores, run.Env.Stdin, run.Env.Stdout); err != nil {
		return session.Failed(err, "The UI failed: %s", session.Reason(err))
	}
	return nil
}

// scrubbing returns what the user interface needs to find secrets; nil for a store without a directory.
func scrubbing(run *session.Session, s session.Settings, b memstore.Backend) *tui.Scrubbing {
	if s.Dir == "" {
		return nil
	}
	folder, state := run.Dismissals(s, b)
	return &tui.Scrubbing{
		Engine: func() *scrub.Engine { return run.SomeEngine(s, func(string) {}) },
		State:  state, Machine: run.Machine(), StateDir: folder, Dir: s.Dir,
	}
}
