package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memcurator/cli/output"
	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
)

// Recording is the journal of a store while a command works on it. It records the command's changes, and compares earlier changes with
// the disk at the same time.
type Recording struct {
	keep    time.Duration    // how old its revisions may become; 0: any age
	journal *journal.Journal // nil: nothing is recorded
	stop    context.CancelFunc
	done    chan struct{} // closed when the comparison is over
}

// How long to wait for the comparison with the disk: at the start, so that earlier changes come before those of the command; at the end,
// so that a short command records them too. For a large store, the next start continues.
const (
	compareFirst = 300 * time.Millisecond
	compareLast  = 2 * time.Second
)

// Record opens the journal of the store at dir for writing. If that fails, the command continues without one, with a warning: the next
// start finds unrecorded changes on disk.
//
// An encrypted store has no journal, which would contain in the clear what the store encrypts. The error is for a store that has lost all
// its files.
func (run *Session) Record(ctx context.Context, dir, process string, b memstore.Backend, keep time.Duration) (*Recording, error) {
	if IsSealed(b) {
		run.Say("Warning: Edits are not recorded: " + SealedNoJournal)
		return &Recording{}, nil
	}
	if !run.State().HasJournal(dir) {
		if moved := run.Moved(dir); moved != "" {
			run.Say("Note: " + moved)
		}
	}
	j, err := run.OpenJournal(dir, journal.Options{Backend: b, Process: process, Warn: run.WarnOfDamage})
	if err != nil {
		run.Say("Warning: Edits are not recorded: " + JournalReason(err))
		return &Recording{}, nil
	}
	if err := run.Emptied(ctx, j, dir); err != nil {
		_ = j.Close() // nothing was recorded
		return nil, err
	}
	r := &Recording{keep: keep, journal: j}
	r.compare(ctx)
	r.wait(compareFirst)
	return r, nil
}

// SealedNoJournal is why an encrypted store has no journal, as the end of a sentence: the state folder would have names, digests and past
// texts in the clear.
const SealedNoJournal = "the store is encrypted, and its journal would not be"

func IsSealed(b memstore.Backend) bool {
	_, sealed := b.(*age.EncryptedDir)
	return sealed
}

// compare begins to compare the disk with the journal, and then applies the retention.
func (r *Recording) compare(ctx context.Context) {
	ctx, r.stop = context.WithCancel(ctx)
	r.done = make(chan struct{})
	go func() {
		defer close(r.done)
		_, _ = r.journal.Sync(ctx, past.Hints{Unseen: true}) // the next start finds the rest
		r.retain(ctx)
	}()
}

// Retention is how old the revisions of a store's journal may become; 0: any age.
func (s Settings) Retention() time.Duration { return s.Config.For(s.Dir).Journal.Keep.Value }

// retain drops what is no longer kept. If it fails, the next start tries again.
func (r *Recording) retain(ctx context.Context) {
	if ctx.Err() == nil {
		_, _ = r.journal.Keep(ctx, r.keep)
	}
}

// retainAfter gives the interface time for its first frames before the retention applies.
const retainAfter = 3 * time.Second

// RetainBeside applies the retention of a journal while the interface runs; end waits for it.
func RetainBeside(ctx context.Context, j *journal.Journal, keep time.Duration) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	r := &Recording{keep: keep, journal: j}
	go func() {
		defer close(done)
		select {
		case <-time.After(retainAfter):
			r.retain(ctx)
		case <-ctx.Done():
		}
	}()
	return func() { stop(); <-done }
}

func (r *Recording) wait(limit time.Duration) {
	select {
	case <-r.done:
	case <-time.After(limit):
	}
}

// Edited is a store open for edits, with its journal and its guards.
type Edited struct {
	*memstore.Store
	Settings  Settings // of the store
	Guards    Taker
	recording *Recording
}

// Edit opens a store for edits by a command, with its guards, and with its journal if they are recorded.
func (run *Session) Edit(ctx context.Context, at Opening, process string, s Settings, by memstore.Origin, recorded bool) (*Edited, error) {
	s, err := run.ForStore(s, at.Dir)
	if err != nil {
		return nil, err
	}
	backend, err := run.OpenBackend(at)
	if err != nil {
		return nil, err
	}
	r := &Recording{}
	if recorded {
		if r, err = run.Record(ctx, at.Dir, process, backend, s.Retention()); err != nil {
			return nil, errors.Join(err, backend.Close())
		}
	}
	o := memstore.Options{Dialect: s.Dialect, Origin: by, Recorders: r.Recorders(), Warn: run.WarnOnce()}
	guards, err := run.Guard(&o, s, backend, run.Say)
	e := &Edited{Store: memstore.New(backend, o), Settings: s, Guards: guards, recording: r}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// Recorded reports whether edits go into a journal.
func (e *Edited) Recorded() bool { return e.recording.journal != nil }

// Journal returns the journal of the store; nil if edits are not recorded.
func (e *Edited) Journal() *journal.Journal { return e.recording.journal }

// Close flushes the journal and closes the store.
func (e *Edited) Close() {
	_ = e.recording.Close()
	_ = e.Store.Close() // every edit is already on disk
}

// Recorders are the recorders for the store.
func (r *Recording) Recorders() []memstore.Recorder {
	if r.journal == nil {
		return nil
	}
	return []memstore.Recorder{r.journal}
}

// Close ends the comparison and flushes the journal.
func (r *Recording) Close() error {
	if r.journal == nil {
		return nil
	}
	r.wait(compareLast)
	r.stop()
	<-r.done
	return r.journal.Close()
}

// OpenJournal opens the journal of the store at dir, in the state folder of the store.
func (run *Session) OpenJournal(dir string, o journal.Options) (*journal.Journal, error) {
	folder := statedir.For
	if o.Look {
		folder = statedir.Path
	}
	state, err := folder(run.State().Base, dir)
	if err != nil {
		return nil, err
	}
	if o.Warn == nil {
		o.Warn = run.WarnOfDamage
	}
	j, err := journal.Open(state, o)
	if err == nil && !o.Look {
		_ = statedir.Record(state, dir) // without it, a purge does not find a store that moved
	}
	return j, err
}

// OpenSomeJournal opens the journal of a store, to look at it where it can't be written.
func (run *Session) OpenSomeJournal(dir string, b memstore.Backend) (*journal.Journal, error) {
	j, err := run.OpenJournal(dir, journal.Options{Backend: b, Process: "cli"})
	if err != nil {
		j, err = run.OpenJournal(dir, journal.Options{Backend: b, Look: true})
	}
	return j, err
}

// CuratedStore is a store for edits by the user, which are recorded if there is a journal.
func (run *Session) CuratedStore(d memstore.Dialect, b memstore.Backend, j *journal.Journal) *memstore.Store {
	o := memstore.Options{Dialect: d, Origin: memstore.Origin{Actor: memstore.Curator}, Warn: run.WarnOnce()}
	if j != nil {
		o.Recorders = []memstore.Recorder{j}
	}
	return memstore.New(b, o)
}

// errEmptied is the cause of the error for a store that lost all its files.
var errEmptied = errors.New("all files of the store are gone")

// Emptied returns an error if a store has lost all its files, nil if it has files. The cause may be a missing mount, or an empty folder
// at the former place of a moved store, so the user decides whether the files were deleted.
func (run *Session) Emptied(ctx context.Context, j *journal.Journal, dir string) error {
	n, err := j.Emptied(ctx)
	if err != nil || n == 0 {
		return nil
	}
	return Failed(errEmptied, "%s. If they were deleted, run: %s. It names the command that restores them", TextEmptied(dir, n),
		run.Command("doctor --accept-empty", dir))
}

// TextEmptied says that n files of a store are gone, which were all of it.
func TextEmptied(dir string, n int) string {
	return fmt.Sprintf("All files of the store %s are gone (%s). Is a mount missing, or did the directory move? Nothing changed",
		dir, output.Counted(n, "file"))
}
