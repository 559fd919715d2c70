package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
)

// curating is a store with its policy, for the commands that propose and apply.
type curating struct {
	session.Opened
	noRecord string // why there is none, as the end of a sentence
	unread   error  // why an existing journal was not opened; else nil
	policy   *policy.Policy
}

// openCurated opens the store that a command names. recording: the command's changes will be recorded, in a new journal if need be.
func openCurated(run *session.Session, c *cobra.Command, args []string, recording bool) (*curating, error) {
	o, err := run.OpenNamed(c, args, false)
	if err != nil {
		return nil, err
	}
	w := curating{Opened: o}
	w.policy = policy.New(w.OfStore())
	if err := curateJournal(run, c.Context(), &w, recording); err != nil {
		w.Close()
		return nil, err
	}
	return &w, nil
}

// curateJournal opens the journal and compares it with the disk. Without one, expiry goes by the times on disk.
func curateJournal(run *session.Session, ctx context.Context, w *curating, recording bool) error {
	var err error
	if w.Journal, err = run.JournalOf(w.Dir, "cli", w.Backend, recording); err != nil {
		w.noRecord = session.JournalReason(err)
		if !errors.Is(err, session.ErrNoJournal) && !errors.Is(err, session.ErrSealed) {
			w.unread = err
		}
		return nil
	}
	if err := run.Emptied(ctx, w.Journal, w.Dir); err != nil {
		return err
	}
	if _, err := w.Journal.Sync(ctx, past.Hints{Unseen: true}); recording && err != nil {
		return err
	}
	return nil
}

// suggestFlag defines the flag of plan and apply by which a plan contains more than rules propose.
func suggestFlag(c *cobra.Command, suggest *bool) {
	c.Flags().BoolVar(suggest, "suggest", false, "also suggest what no rule proposes, such as duplicates, broken links and planted text; "+
		"reads every file")
}

// propose computes the proposals, with the hash of each file.
func propose(run *session.Session, ctx context.Context, w *curating, suggest bool) (*policy.Plan, error) {
	snapshot, err := session.Look(w.Backend, w.Dialect).Scan(ctx, memstore.ScanOptions{})
	if err != nil {
		return nil, session.ReadError(w.Dir, err)
	}
	p, err := policy.NewReader(w.Backend).Propose(ctx, w.policy, policy.Input{Snapshot: snapshot, Now: time.Now(), Suggest: suggest,
		Journal: w.Journal, Project: run.Project(w.Dir), Load: run.LoadRule(w.Dir)}, nil)
	if errors.Is(err, memstore.ErrUnavailable) {
		return nil, session.ReadError(w.Dir, err)
	}
	return p, err
}
