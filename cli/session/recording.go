package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
	"memcurator/render/text"
)

// Edited is a store open for edits by a command, with its guards, and with the journal that records them. Meanwhile it compares earlier
// changes with the disk.
type Edited struct {
	*memstore.Store
	Settings Settings         // of the store
	Journal  *journal.Journal // nil: edits are not recorded
	stop     context.CancelFunc
	compared chan struct{} // closed when the comparison is over
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
	e := &Edited{Settings: s}
	o := memstore.Options{Dialect: s.Dialect, Origin: by, Warn: run.Warn}
	if recorded {
		if e.Journal, err = run.record(ctx, at.Dir, process, backend); err != nil {
			return nil, errors.Join(err, backend.Close())
		}
	}
	if e.Journal != nil {
		o.Recorders = []memstore.Recorder{e.Journal}
		e.compare(ctx)
	}
	err = run.Guard(&o, s, backend, run.Say)
	e.Store = memstore.New(backend, o)
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// record opens the journal of the store at dir for writing. If that fails, the command continues without one, with a warning: the next
// start finds unrecorded changes on disk.
//
// An encrypted store has no journal, which would contain in the clear what the store encrypts. The error is for a store that has lost all
// its files.
func (run *Session) record(ctx context.Context, dir, process string, b memstore.Backend) (*journal.Journal, error) {
	j, err := run.JournalOf(dir, process, b, true)
	if err != nil {
		run.Say("Warning: Edits are not recorded: " + JournalReason(err))
		return nil, nil
	}
	if err := run.Emptied(ctx, j, dir); err != nil {
		_ = j.Close() // nothing was recorded
		return nil, err
	}
	return j, nil
}

// How long to wait for the comparison with the disk: at the start, so that earlier changes come before those of the command; at the end,
// so that a short command records them too. For a large store, the next start continues.
const (
	compareFirst = 300 * time.Millisecond
	compareLast  = 2 * time.Second
)

// compare begins to compare the disk with the journal, and then applies the retention.
func (e *Edited) compare(ctx context.Context) {
	ctx, e.stop = context.WithCancel(ctx)
	e.compared = make(chan struct{})
	go func() {
		defer close(e.compared)
		_, _ = e.Journal.Sync(ctx, past.Hints{Unseen: true}) // the next start finds the rest
		if ctx.Err() == nil {
			_, _ = e.Journal.Keep(ctx, e.Settings.Retention()) // if it fails, the next start tries again
		}
	}()
	e.wait(compareFirst)
}

func (e *Edited) wait(limit time.Duration) {
	select {
	case <-e.compared:
	case <-time.After(limit):
	}
}

// Close ends the comparison, flushes the journal and closes the store.
func (e *Edited) Close() {
	if e.Journal != nil {
		e.wait(compareLast)
		e.stop()
		<-e.compared
		_ = e.Journal.Close() // the next start settles the rest
	}
	_ = e.Store.Close() // every edit is already on disk
}

// Retention is how old the revisions of a store's journal may become; 0: any age.
func (s Settings) Retention() time.Duration { return s.Config.For(s.Dir).Journal.Keep.Value }

// retainAfter gives the interface time for its first frames before the retention applies.
const retainAfter = 3 * time.Second

// RetainBeside applies the retention of a journal while the interface runs; end waits for it.
func RetainBeside(ctx context.Context, j *journal.Journal, keep time.Duration) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-time.After(retainAfter):
			_, _ = j.Keep(ctx, keep) // if it fails, the next start tries again
		case <-ctx.Done():
		}
	}()
	return func() { stop(); <-done }
}

func IsSealed(b memstore.Backend) bool {
	_, sealed := b.(*age.EncryptedDir)
	return sealed
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
	return journal.Open(state, o)
}

// JournalOf opens the journal of the store at dir. One that no command is going to write is opened only if it is there, also where it can't
// be written. The errors of a store without one are [ErrNoJournal] and [ErrSealed].
func (run *Session) JournalOf(dir, process string, b memstore.Backend, writes bool) (*journal.Journal, error) {
	switch {
	case IsSealed(b):
		return nil, ErrSealed
	case !writes && !run.State().HasJournal(dir):
		return nil, ErrNoJournal
	}
	j, err := run.OpenJournal(dir, journal.Options{Backend: b, Process: process})
	if err != nil && !writes {
		j, err = run.OpenJournal(dir, journal.Options{Backend: b, Look: true})
	}
	return j, err
}

// Look is a store to read only, where what a person looks at doesn't count as use by the agent.
func Look(b memstore.Backend, d memstore.Dialect) *memstore.Store {
	return memstore.New(b, memstore.Options{
		Dialect: d, ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator},
	})
}

// CuratedStore is a store for edits by the user, which are recorded if there is a journal.
func (run *Session) CuratedStore(d memstore.Dialect, b memstore.Backend, j *journal.Journal) *memstore.Store {
	o := memstore.Options{Dialect: d, Origin: memstore.Origin{Actor: memstore.Curator}, Warn: run.Warn}
	if j != nil {
		o.Recorders = []memstore.Recorder{j}
	}
	return memstore.New(b, o)
}

// Emptied returns an error if a store has lost all its files, nil if it has files. The cause may be a missing mount, or an empty folder
// at the former place of a moved store, so the user decides whether the files were deleted.
func (run *Session) Emptied(ctx context.Context, j *journal.Journal, dir string) error {
	n, err := j.Emptied(ctx)
	if err != nil || n == 0 {
		return nil
	}
	return Failed(nil, "%s. If they were deleted, run: %s. It names the command that restores them", TextEmptied(dir, n),
		run.Command("doctor --accept-empty", dir))
}

// TextEmptied says that n files of a store are gone, which were all of it.
func TextEmptied(dir string, n int) string {
	return fmt.Sprintf("All files of the store %s are gone (%s). Is a mount missing, or did the directory move? Nothing is recorded yet",
		dir, text.Count(n, "file"))
}
