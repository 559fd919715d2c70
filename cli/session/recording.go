package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
	"memcurator/memstore/watch"
)

// Recording is the journal of a store while a command works on it. It records the command's changes, and compares earlier changes with
// the disk at the same time.
type Recording struct {
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
func (run *Session) Record(ctx context.Context, dir, process string, b memstore.Backend, past journal.Retention) (*Recording, error) {
	if IsSealed(b) {
		run.Say("Warning: Edits are not recorded: " + SealedNoJournal)
		return &Recording{}, nil
	}
	if !run.State().HasJournal(dir) {
		if f := run.State().MovedFrom(dir); f != nil {
			run.Say(fmt.Sprintf("Note: This store was at %s before. To keep its journal, run: %s", f.Path,
				run.State().RelinkCommand(f, dir)))
		}
	}
	j, err := run.OpenJournal(dir, journal.Options{Backend: b, Process: process, Reserve: true, Warn: run.recordWarning})
	if err != nil {
		run.Log.Warn("journal", "error", err)
		run.Say("Warning: Edits are not recorded: " + JournalReason(err))
		return &Recording{}, nil
	}
	if err := run.Emptied(ctx, j, dir); err != nil {
		_ = j.Close() // nothing was recorded
		return nil, err
	}
	run.tellPurge(ctx, j, dir)
	r := run.compare(ctx, j, dir, past)
	r.wait(compareFirst)
	return r, nil
}

// tellPurge warns of a purge that was killed or stopped. Resuming takes long and is up to the user, who gets the command, because an
// agent waits for its answers. compare finishes what needs no decision: the files of the journal.
func (run *Session) tellPurge(ctx context.Context, j *journal.Journal, dir string) {
	switch left, err := findings.PurgeLeft(ctx, j, run.State().Folder(dir)); {
	case err != nil:
		run.Log.Warn("journal", "error", err)
	case left == findings.Begun:
		run.Say("Warning: A purge stopped early and left values. To resume it, run: " + Program + " scrub --resume")
	case left == findings.AtWork:
		run.Say("Warning: Another program is purging this store. Edits may wait for it")
	}
}

// SealedNoJournal is why an encrypted store has no journal, as the end of a sentence: the state folder would have names, digests and past
// texts in the clear.
const SealedNoJournal = "the store is encrypted, and its journal would not be"

func IsSealed(b memstore.Backend) bool {
	_, sealed := b.(*age.EncryptedDir)
	return sealed
}

// compare begins to compare the disk with a journal, and then applies the retention.
func (run *Session) compare(ctx context.Context, j *journal.Journal, dir string, past journal.Retention) *Recording {
	ctx, stop := context.WithCancel(ctx)
	r := &Recording{journal: j, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		if _, err := j.Reconcile(ctx, nil); err != nil && ctx.Err() == nil {
			run.Log.Warn("the comparison of journal and disk ended early", "error", err)
		}
		run.LearnCommits(ctx, dir, j)
		run.endPurge(ctx, j, dir)
		run.retain(ctx, j, past)
	}()
	return r
}

// endPurge rewrites the journal files that an interrupted purge left, unless another process is purging.
func (run *Session) endPurge(ctx context.Context, j *journal.Journal, dir string) {
	left, err := findings.PurgeLeft(ctx, j, run.State().Folder(dir))
	if err == nil && left == findings.Rewritten {
		err = j.EndPurge(ctx)
	}
	if err != nil && ctx.Err() == nil {
		run.Log.Warn("the end of a purge", "error", err, "cause", Cause(err))
	}
}

// retainEvery is the minimum time between two applications of a journal's retention.
const retainEvery = time.Hour

// Retention returns the configured retention of a store's journal.
func (s Settings) Retention() journal.Retention {
	c := s.Config.For(s.Dir).Journal
	r := journal.Retention{Keep: past.Keep{Age: c.Keep.Value, Bytes: c.MaxBytes.Value}, Every: retainEvery,
		Copy: c.Copy.Or(config.CopyDaily) == config.CopyDaily}
	if c.Chain.IsSet() {
		r.Chain = &c.Chain.Value
	}
	return r
}

// retain removes old contents from a journal according to the retention. It only logs failures: the next start tries again.
func (run *Session) retain(ctx context.Context, j *journal.Journal, past journal.Retention) {
	if ctx.Err() != nil {
		return
	}
	p, err := j.Retain(ctx, past)
	if err != nil && ctx.Err() == nil {
		run.Log.Warn("the retention of the journal", "error", err, "cause", Cause(err))
	}
	if err := j.KeepCopies(ctx, past.Copy); err != nil && ctx.Err() == nil {
		run.Log.Warn("the copy of the journal", "error", err, "cause", Cause(err))
	}
	if p.Revisions > 0 {
		run.Log.Info("the retention of the journal", "revisions", p.Revisions, "bytes", p.Bytes)
	}
}

// retainAfter gives the interface time for its first frames before the retention applies.
const retainAfter = 3 * time.Second

// RetainBeside applies the retention of a journal while the interface runs; end waits for it.
func (run *Session) RetainBeside(ctx context.Context, j *journal.Journal, dir string, past journal.Retention) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-time.After(retainAfter):
			run.endPurge(ctx, j, dir)
			run.retain(ctx, j, past)
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
	recording *Recording
	log       *slog.Logger
}

// Edit opens the store at dir for edits by a command, or by a screen that shows another store.
func (run *Session) Edit(ctx context.Context, dir, process string, s Settings, warn func(error)) (*Edited, error) {
	s, err := run.ForStore(s, dir)
	if err != nil {
		return nil, err
	}
	backend, err := run.OpenBackend(Opening{Dir: dir})
	if err != nil {
		return nil, err
	}
	r, err := run.Record(ctx, dir, process, backend, s.Retention())
	if err != nil {
		return nil, errors.Join(err, backend.Close())
	}
	o := memstore.Options{Dialect: s.Dialect, Recorders: r.Recorders(), Warn: warn}
	_, err = run.Guard(&o, s, backend, run.Say)
	e := &Edited{Store: memstore.New(backend, o), recording: r, log: run.Log}
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
	if err := e.recording.Close(); err != nil {
		e.log.Warn("journal", "error", err)
	}
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
	if run.Flags.log != "" && !o.Look { // the log may contain names from the memory, so a purge must find it
		if err := findings.NoteOutside(state, findings.Log, run.Flags.log); err != nil {
			run.Log.Warn("a purge will not find this log", "error", err)
		}
	}
	if o.Warn == nil {
		o.Warn = run.JournalWarning
	}
	if o.Damaged == nil {
		o.Damaged = run.journalSpoiled
	}
	o.Wake = watch.Bell
	j, err := journal.Open(state, o)
	if err == nil && !o.Look {
		if err := statedir.Record(state, dir); err != nil {
			run.Log.Warn("a purge will not find this store if it moves", "error", err)
		}
	}
	return j, err
}

// journalSpoiled warns of a journal that became damaged while open.
func (run *Session) journalSpoiled(err error) {
	run.Log.Error("journal", "error", err, "cause", Cause(err))
	run.Say("Warning: Edits are no longer recorded: " + JournalReason(err))
}

func (run *Session) JournalWarning(err error) {
	run.Log.Warn("journal", "error", err, "cause", Cause(err))
}

// recordWarning is JournalWarning for a command that serves an agent: it also warns the user of what the journal can't record.
func (run *Session) recordWarning(err error) {
	run.JournalWarning(err)
	for _, short := range []error{journal.ErrReserved, journal.ErrCrowded, journal.ErrExhausted} {
		if errors.Is(err, short) {
			run.Say("Warning: The journal can't keep everything: " + short.Error())
		}
	}
}

// Cause is the underlying error of the journal, for the log.
func Cause(err error) error {
	var e *past.Error
	if errors.As(err, &e) {
		return e.Cause
	}
	return nil
}

// JournalReason says why a journal can't be used, as the end of a sentence.
func JournalReason(err error) string {
	var lost *journal.Lost
	switch {
	case errors.As(err, &lost):
		return "the journal is damaged: " + lost.Error() + ". Next: " + Program + " doctor"
	case errors.Is(err, statedir.ErrInside):
		return "the state folder is inside the store"
	case errors.Is(err, statedir.ErrNoHome):
		return "no home folder for state; pass --state DIR"
	case errors.Is(err, past.ErrCorrupt):
		return "the journal is damaged. Next: " + Program + " doctor"
	case errors.Is(err, journal.ErrNewer):
		return "a newer version of " + Program + " wrote the journal"
	case errors.Is(err, past.ErrReadOnly), errors.Is(err, fs.ErrPermission):
		return "the journal is read-only"
	case errors.Is(err, past.ErrFull):
		return "no space left for the journal"
	case errors.Is(err, past.ErrDevice):
		return "the journal's disk reports an error"
	}
	return Reason(err)
}
