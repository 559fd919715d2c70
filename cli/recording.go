package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// recording is the journal of a store while a command works on it: what the command does
// is recorded, and what happened before it is compared with the disk beside it.
type recording struct {
	journal *journal.Journal // nil: nothing is recorded
	stop    context.CancelFunc
	done    chan struct{} // closed when the comparison has ended
}

// How long the comparison with the disk is waited for: at the start so that what happened
// before comes before what the command does, at the end so that a short command tells it too. A
// large store is compared further by the next start.
const (
	compareFirst = 300 * time.Millisecond
	compareLast  = 2 * time.Second
)

// record opens the journal of the store at dir for writing. Where that fails the command goes
// on without one, with a warning: the next start finds on disk what was not recorded.
//
// An encrypted store has no journal: it would hold in clear what the store does not. The error is that of a store whose
// files are all gone.
func (a *app) record(ctx context.Context, dir, process string, b memstore.Backend, past journal.Retention) (*recording, error) {
	if isSealed(b) {
		a.say("Warning: The edits are not recorded: " + sealedNoJournal + ".")
		return &recording{}, nil
	}
	if !a.hasJournal(dir) {
		if f := a.movedFrom(dir); f != nil {
			a.say(fmt.Sprintf("Note: This store was at %s before. A new journal begins here; to take over the old one, run: %s", f.Path, a.relinkCommand(f, dir)))
		}
	}
	j, err := a.openJournal(dir, journal.Options{Backend: b, Process: process, Reserve: true, Warn: a.recordWarning})
	if err != nil {
		a.log.Warn("journal", "error", err)
		a.say("Warning: The edits are not recorded: " + journalReason(err) + ".")
		return &recording{}, nil
	}
	if err := a.emptied(ctx, j, dir); err != nil {
		_ = j.Close() // nothing was recorded
		return nil, err
	}
	a.tellPurge(ctx, j, dir)
	r := a.compare(ctx, j, dir, past)
	r.wait(compareFirst)
	return r, nil
}

// tellPurge says that a purge was killed or stopped. To carry on with it takes long and belongs to people, who are told
// how: an agent waits for its answers. What needs no decision, the files of the journal, is ended by compare.
func (a *app) tellPurge(ctx context.Context, j *journal.Journal, dir string) {
	switch left, err := findings.PurgeLeft(ctx, j, a.stateFolder(dir)); {
	case err != nil:
		a.log.Warn("journal", "error", err)
	case left == findings.Begun:
		a.say("Warning: A purge was begun and not ended: values are left. The command " + program + " scrub --resume carries on with it.")
	case left == findings.AtWork:
		a.say("Warning: Another program is purging this store. Edits may have to wait for it.")
	}
}

// sealedNoJournal is why an encrypted store has no journal: names, digests and texts of the past would lie in
// the state folder in clear. It is the end of a sentence.
const sealedNoJournal = "the store is encrypted, and a journal would hold in clear what the store does not"

func isSealed(b memstore.Backend) bool {
	_, sealed := b.(*age.Dir)
	return sealed
}

// compare begins to compare the disk with a journal, and looks after its past then.
func (a *app) compare(ctx context.Context, j *journal.Journal, dir string, past journal.Retention) *recording {
	ctx, stop := context.WithCancel(ctx)
	r := &recording{journal: j, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		if _, err := j.Reconcile(ctx, nil); err != nil && ctx.Err() == nil {
			a.log.Warn("the comparison of journal and disk ended early", "error", err)
		}
		a.endPurge(ctx, j, dir)
		a.retain(ctx, j, past)
	}()
	return r
}

// endPurge writes the files of the journal anew where a purge has not come to that, unless it is at it.
func (a *app) endPurge(ctx context.Context, j *journal.Journal, dir string) {
	left, err := findings.PurgeLeft(ctx, j, a.stateFolder(dir))
	if err == nil && left == findings.Rewritten {
		err = j.EndPurge(ctx)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("the end of a purge", "error", err, "cause", cause(err))
	}
}

// retainEvery is how often the past of a journal is looked after at most.
const retainEvery = time.Hour

// retention is what the configuration says about the past of a store's journal.
func (s settings) retention() journal.Retention {
	c := s.config.For(s.dir).Journal
	r := journal.Retention{Keep: journal.Keep{Age: c.Keep.Value, Bytes: c.MaxBytes.Value}, Every: retainEvery, Copy: c.Copy.Or(config.CopyDaily) == config.CopyDaily}
	if c.Chain.IsSet() {
		r.Chain = &c.Chain.Value
	}
	return r
}

// retain takes out of a journal what the user does not keep. It goes wrong in silence, but for the log: the
// next start tries again.
func (a *app) retain(ctx context.Context, j *journal.Journal, past journal.Retention) {
	if ctx.Err() != nil {
		return
	}
	p, err := j.Retain(ctx, past)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("the retention of the journal", "error", err, "cause", cause(err))
	}
	if err := j.KeepCopies(ctx, past.Copy); err != nil && ctx.Err() == nil {
		a.log.Warn("the copy of the journal", "error", err, "cause", cause(err))
	}
	if p.Revisions > 0 {
		a.log.Info("the retention of the journal", "revisions", p.Revisions, "bytes", p.Bytes)
	}
}

// retainAfter is how long the interface has for its first pictures before the past is looked after.
const retainAfter = 3 * time.Second

// retainBeside looks after the past of a journal while the interface is shown; end waits for it.
func (a *app) retainBeside(ctx context.Context, j *journal.Journal, dir string, past journal.Retention) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-time.After(retainAfter):
			a.endPurge(ctx, j, dir)
			a.retain(ctx, j, past)
		case <-ctx.Done():
		}
	}()
	return func() { stop(); <-done }
}

func (r *recording) wait(limit time.Duration) {
	select {
	case <-r.done:
	case <-time.After(limit):
	}
}

// recorders are what a store is given.
func (r *recording) recorders() []memstore.Recorder {
	if r.journal == nil {
		return nil
	}
	return []memstore.Recorder{r.journal}
}

// close ends the comparison and writes what is not written yet.
func (r *recording) close() error {
	if r.journal == nil {
		return nil
	}
	r.wait(compareLast)
	r.stop()
	<-r.done
	return r.journal.Close()
}

// openJournal opens the journal of the store at dir, in the state folder of the store.
func (a *app) openJournal(dir string, o journal.Options) (*journal.Journal, error) {
	folder := statedir.For
	if o.Look {
		folder = statedir.Path
	}
	state, err := folder(a.stateBase(), dir)
	if err != nil {
		return nil, err
	}
	if a.flags.log != "" && !o.Look { // the log may name what is in the memory, so a purge is to know of it
		if err := findings.NoteOutside(state, findings.Log, a.flags.log); err != nil {
			a.log.Warn("a purge will not know of this log", "error", err)
		}
	}
	if o.Warn == nil {
		o.Warn = a.journalWarning
	}
	if o.Damaged == nil {
		o.Damaged = a.journalSpoiled
	}
	o.Wake = watch.Bell
	o.Resembles = func(before, after []byte) string { return watch.Resemble(before, after).Command }
	j, err := journal.Open(state, o)
	if err == nil && !o.Look {
		if err := statedir.Record(state, dir); err != nil {
			a.log.Warn("a purge will not know where this store lay, should it move", "error", err)
		}
	}
	return j, err
}

// journalSpoiled warns of a journal that was sound when it was opened.
func (a *app) journalSpoiled(err error) {
	a.log.Error("journal", "error", err, "cause", cause(err))
	a.say("Warning: Edits are no longer recorded: " + journalReason(err) + ".")
}

func (a *app) journalWarning(err error) { a.log.Warn("journal", "error", err, "cause", cause(err)) }

// recordWarning is journalWarning for a command that serves an agent: it also warns the user of what the journal cannot keep.
func (a *app) recordWarning(err error) {
	a.journalWarning(err)
	for _, short := range []error{journal.ErrReserved, journal.ErrCrowded} {
		if errors.Is(err, short) {
			a.say("Warning: The journal cannot keep everything: " + short.Error() + ".")
		}
	}
}

// cause is what an error of the journal was made of, for the log.
func cause(err error) error {
	var e *past.Error
	if errors.As(err, &e) {
		return e.Cause
	}
	return nil
}

// journalReason is the end of a sentence about a journal that cannot be used.
func journalReason(err error) string {
	var lost *journal.Lost
	switch {
	case errors.As(err, &lost):
		return "the journal is damaged: " + lost.Error() + "; see " + program + " doctor"
	case errors.Is(err, statedir.ErrInside):
		return "the folder for state lies inside the memory directory"
	case errors.Is(err, statedir.ErrNoHome):
		return "no folder for state is known; name one with --state DIR"
	case errors.Is(err, past.ErrCorrupt):
		return "the journal is damaged; see " + program + " doctor"
	case errors.Is(err, journal.ErrNewer):
		return "a newer version of " + program + " has written the journal"
	case errors.Is(err, past.ErrReadOnly), errors.Is(err, fs.ErrPermission):
		return "the journal cannot be written"
	case errors.Is(err, past.ErrFull):
		return "no space is left on the device of the journal"
	case errors.Is(err, journal.ErrDevice):
		return "the device of the journal reports an error"
	}
	return reason(err)
}
