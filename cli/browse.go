package cli

import (
	"context"
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
	"memcurator/memstore/watch"
	"memcurator/tui"
)

func browseFlags(c *cobra.Command) {
	storeFlag(c)
	c.Flags().Bool("read-only", false, "look only")
	c.Flags().Bool("follow", false, "show the diff of each change as it is made")
}

// browse is the program without a command: the user interface.
func (a *app) browse(c *cobra.Command, args []string) error {
	if err := notACommand(c, args); err != nil {
		return err
	}
	s, err := a.lenientSettings()
	if err != nil {
		return err
	}
	why := a.noScreen(s)
	if why != "" && s.broken != nil {
		return mistakesError(s.broken)
	}
	t, err := a.target(c, args, false)
	if errors.Is(err, errNoStore) && why == "" {
		t.dir, err = a.pick(c.Context(), s, err)
	}
	if errors.Is(err, errLeft) {
		return nil
	}
	if err != nil {
		return err
	}
	if s, err = a.forStore(s, t.dir); err != nil {
		return err
	}
	if why != "" {
		return a.printView(c.Context(), s, t.opening, memstore.Command{Name: memstore.CmdView, Path: memstore.Root}, why)
	}
	readOnly, err := c.Flags().GetBool("read-only")
	if err != nil {
		return err
	}
	follow, err := c.Flags().GetBool("follow")
	if err != nil {
		return err
	}
	follow = follow || s.ui.Follow.Value && !c.Flags().Changed("follow")
	backend, err := a.openBackend(t.opening)
	if err != nil {
		return err
	}
	defer backend.Close()
	ctx, away, stop := whileShown(c.Context())
	defer stop()
	o := tui.Options{Title: title(t.dir), ReadOnly: readOnly, Follow: follow, CopyDir: inMemory(), Away: away}
	if !isSealed(backend) { // names in the state folder would be in clear
		o.StateDir = a.stateFolder(t.dir)
		o.CopyDir = o.StateDir
	}
	o.Grown, o.Transcripts = watch.Files, func() []string { return discover.Transcripts(t.dir) }
	a.uiJournal(t.dir, backend, &o)
	if o.Journal != nil {
		defer a.leave("journal", o.Journal.Close)
		if gone := a.emptied(ctx, o.Journal, t.dir); gone != nil { // it and its past can still be viewed
			readOnly, o.ReadOnly, o.Emptied = true, true, gone.Error()+" Until then the store is read-only."
		}
		if !readOnly {
			defer a.retainBeside(ctx, o.Journal, s.dir, s.retention())()
		}
	}
	return a.runUI(ctx, s, backend, o, nil)
}

// inMemory is a folder that is never on a disk, "" where the system has none: what an editor
// gets of an encrypted store should not be left there in clear.
func inMemory() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() {
		return shared
	}
	return ""
}

// stateFolder is where the state of a store is kept, "" where that cannot be: the interface
// works without.
func (a *app) stateFolder(dir string) string {
	folder, err := statedir.For(a.stateBase(), dir)
	if err != nil {
		a.log.Warn("the state folder cannot be used", "error", err)
		return ""
	}
	return folder
}

// uiJournal opens the journal for the interface, which compares it with the disk itself and
// works without one, saying why there is none.
func (a *app) uiJournal(dir string, b memstore.Backend, o *tui.Options) {
	if isSealed(b) {
		o.NoJournal = sealedNoJournal
		return
	}
	spoiled := make(chan string, 1)
	o.Spoiled = spoiled
	j, err := a.openJournal(dir, journal.Options{Backend: b, Process: "ui", Later: true, Damaged: func(err error) {
		a.log.Error("journal", "error", err, "cause", cause(err))
		spoiled <- damageOf(err) // called once at most: this never blocks
	}})
	if err != nil {
		a.log.Error("journal", "error", err, "cause", cause(err))
		o.NoJournal = journalReason(err)
		if errors.Is(err, past.ErrCorrupt) {
			o.Damaged = damageOf(err)
		}
		return
	}
	o.Journal = j
}

// damageOf says what is wrong with a damaged journal, as the end of a sentence.
func damageOf(err error) string {
	var lost *journal.Lost
	if errors.As(err, &lost) {
		return lost.Error()
	}
	return "its database is corrupt"
}

// leaveWithin bounds how long the end of the interface waits for each of the things it closes. The
// user has pressed a key and waits; after thousands of changes there is work for seconds.
const leaveWithin = 250 * time.Millisecond

// leave closes something that the end of the process may cut: nothing is lost by that.
func (a *app) leave(what string, end func() error) {
	done := make(chan error, 1)
	go func() { done <- end() }()
	select {
	case err := <-done:
		if err != nil {
			a.log.Warn("closing", "what", what, "error", err)
		}
	case <-time.After(leaveWithin):
		a.log.Info("left to the next start", "what", what)
	}
}

// noScreen says how to get the user interface where it cannot be shown now, "" where it can.
func (a *app) noScreen(s settings) string {
	switch {
	case a.flags.plain:
		return "This is the listing. To open the user interface, leave out --plain."
	case !a.env.StdinTerminal || !a.env.StdoutTerminal:
		return "This is the listing. To open the user interface, run " + program + " in a terminal."
	case s.plain:
		return "This is the listing. To open the user interface, use a terminal that can do more than TERM=dumb says."
	}
	return ""
}

// graceOfBoxes is long enough for a key that was on its way when a box opened by itself, and
// short enough not to be noticed by somebody who reads it.
const graceOfBoxes = 500 * time.Millisecond

// lingerAtPath is longer than a held key takes to repeat, 30 to 60 ms, and still at once to the eye.
const lingerAtPath = 80 * time.Millisecond

// runUI shows the user interface on a backend. Where beside is given, it runs next
// to the interface, with the recorders that let its edits show with actor and
// command; it must return when its context ends. The end of ctx closes the interface.
func (a *app) runUI(ctx context.Context, s settings, backend memstore.Backend, o tui.Options, beside func(context.Context, []memstore.Recorder)) error {
	look := memstore.Options{
		Dialect: s.dialect, Origin: memstore.Origin{Actor: memstore.Curator}, Workers: runtime.NumCPU(),
		ReadOnly: true, Warn: func(err error) { a.log.Warn("store", "error", err) },
	}
	// The watcher reads by a store of its own, since the store for commands has the watcher as its recorder.
	watcher, err := watch.Start(ctx, memstore.New(backend, look), watch.Options{Known: tui.Makers(o.Journal, a.journalWarning)})
	if err != nil {
		return failed(err, "The store cannot be watched: %s.", reason(err))
	}
	defer a.leave("watch", watcher.Close)
	var recorders []memstore.Recorder
	if o.Journal != nil {
		recorders = append(recorders, o.Journal)
	}
	recorders = append(recorders, watcher)
	change := look
	change.ReadOnly, change.Recorders = o.ReadOnly, recorders
	change.Workers = max(1, look.Workers-1) // a listing must leave a processor to the keys
	guards, err := a.guard(&change, s, backend, a.noted)
	if err != nil {
		return err
	}
	o.Scrub = a.uiScrubbing(s, backend, o.StateDir)
	o.Loaded = guards.limits.Loaded
	o.Store, o.Watch, o.Theme, o.Log = memstore.New(backend, change), watcher, s.theme, a.log
	o.Grace, o.Linger = graceOfBoxes, lingerAtPath
	o.Preferences, o.Reloads = s.preferences(), a.reloads(ctx, s, guards)
	o.Rules, o.Config = s.ofStore(), a.configPlace(s)
	if s.broken != nil {
		o.Notice = "the defaults are used: " + mistakesNotice(s.broken)
		a.log.Error("the configuration has mistakes", "error", s.broken)
	}

	if beside != nil {
		inner, end := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			beside(inner, recorders)
		}()
		defer func() { end(); <-done }()
	}
	if err := tui.Run(ctx, o, a.env.Stdin, a.env.Stdout); err != nil {
		return failed(err, "The user interface ended with an error: %s.", reason(err))
	}
	return nil
}
