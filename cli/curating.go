package cli

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/lint"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/memstore/statedir"
)

// curating is a store with its policy, as the commands open it that propose and apply.
type curating struct {
	settings
	target
	backend  memstore.Backend
	journal  *journal.Journal // nil: there is none
	noRecord string           // why there is none, as the end of a sentence
	unread   error            // why the journal that is there was not opened; nil: it was, or there is none
	per      config.Settings
	policy   *policy.Policy
	known    time.Time // the newest moment that the journal knew of before this run
}

// curate opens the store that a command names. recording: what is done is going to be recorded,
// and a journal that is not there yet is begun.
func (a *app) curate(c *cobra.Command, args []string, recording bool) (*curating, error) {
	var w curating
	var err error
	if w.settings, err = a.settings(); err != nil {
		return nil, err
	}
	if w.target, err = a.target(c, args, false); err != nil {
		return nil, err
	}
	if w.settings, err = a.forStore(w.settings, w.target.dir); err != nil {
		return nil, err
	}
	if w.backend, err = a.openBackend(w.opening); err != nil {
		return nil, err
	}
	w.per = w.ofStore()
	w.policy = policy.New(w.per)
	if err := a.curateJournal(c.Context(), &w, recording); err != nil {
		w.close()
		return nil, err
	}
	return &w, nil
}

// curateJournal opens the journal and brings it up to the disk. Without one, expiry goes by the times of the disk.
func (a *app) curateJournal(ctx context.Context, w *curating, recording bool) error {
	if isSealed(w.backend) {
		w.noRecord = "the store is encrypted, and the journal would hold it in clear"
		return nil
	}
	if !recording && !a.hasJournal(w.dir) {
		w.noRecord = "nothing was recorded yet"
		return nil
	}
	var err error
	w.journal, err = a.openJournal(w.dir, journal.Options{Backend: w.backend, Process: "cli"})
	if err != nil && !recording {
		w.journal, err = a.openJournal(w.dir, journal.Options{Backend: w.backend, Look: true})
	}
	if err != nil {
		w.journal, w.noRecord, w.unread = nil, journalReason(err), err
		a.log.Warn("journal", "error", err)
		return nil
	}
	before, err := w.journal.Span(ctx)
	if err != nil {
		return pastError(err)
	}
	w.known = before.Newest
	if err := a.emptied(ctx, w.journal, w.dir); err != nil {
		return err
	}
	if _, err := w.journal.Reconcile(ctx, nil); err != nil && !errors.Is(err, past.ErrReadOnly) {
		if recording {
			return pastError(err)
		}
		a.log.Warn("the comparison of journal and disk ended early", "error", err)
	}
	return nil
}

func (a *app) hasJournal(dir string) bool {
	state, err := statedir.Path(a.stateBase(), dir)
	if err != nil {
		return false
	}
	return journal.Exists(state)
}

func (w *curating) close() {
	if w.journal != nil {
		_ = w.journal.Close() // what it could not settle stays for the next start
	}
	_ = w.backend.Close()
}

// proposing says what a plan takes into account beside expiry and caps.
type proposing struct{ underCap, lint bool }

// scan reads the tree, and what the journal knows of it.
func (w *curating) scan(ctx context.Context) (*memstore.Snapshot, *policy.Facts, error) {
	look := memstore.New(w.backend, memstore.Options{
		ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}, Workers: runtime.NumCPU(),
	})
	snapshot, err := look.Scan(ctx, nil)
	if err != nil {
		return nil, nil, failed(err, "The store %s cannot be read: %s.", w.dir, storeReason(err))
	}
	facts, err := policy.FactsOf(ctx, w.journal)
	if err != nil {
		return nil, nil, pastError(err)
	}
	return snapshot, facts, nil
}

// plan works out what is proposed now, with the hash of each file.
func (a *app) plan(ctx context.Context, w *curating, o proposing) (*policy.Plan, error) {
	snapshot, facts, err := w.scan(ctx)
	if err != nil {
		return nil, err
	}
	facts.Known = w.known
	reader := policy.NewReader(w.backend)
	in := policy.Input{Snapshot: snapshot, Facts: facts, Now: time.Now(), UnderCap: o.underCap, Workers: runtime.NumCPU()}
	if err := reader.Fill(ctx, w.policy, &in); err != nil {
		return nil, err
	}
	if o.lint || o.underCap { // what is lost least is also what no other note names
		if err := reader.Inspect(ctx, lint.Checker{}, &in, nil); err != nil {
			return nil, failed(err, "The store %s cannot be read: %s.", w.dir, storeReason(err))
		}
	}
	if !o.lint {
		in.Found = nil
	}
	p := w.policy.Plan(in)
	return p, reader.Hash(ctx, p, nil)
}

// storeReason is the end of a sentence about a store that cannot be worked on.
func storeReason(err error) string {
	switch {
	case errors.Is(err, memstore.ErrUnavailable):
		return "the directory is not available any more"
	case errors.Is(err, memstore.ErrReadOnly), errors.Is(err, memstore.ErrPermission):
		return "permission denied"
	case errors.Is(err, memstore.ErrNoSpace):
		return "no space is left on the device"
	case errors.Is(err, policy.ErrUsed):
		return "the agent has used it meanwhile"
	case errors.Is(err, memstore.ErrTooBig):
		return "it has more than 256 MiB, which the journal does not take to give it back"
	case errors.Is(err, memstore.ErrNotRecorded):
		return "it could not be recorded first"
	case errors.Is(err, memstore.ErrNotExist):
		return "it is not there any more"
	case errors.Is(err, memstore.ErrChanged):
		return "it was changed meanwhile"
	case errors.Is(err, memstore.ErrExist):
		return "something is at the path that it would get"
	}
	return reason(err)
}
