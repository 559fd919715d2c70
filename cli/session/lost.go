package session

import (
	"context"
	"os"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/statedir"
	"memcurator/memstore/undo"
)

// MakeFolder makes the folder of a store that is gone: its own, or the one of the file that names it.
func MakeFolder(dir string) error {
	if filepath.Ext(dir) == ".md" {
		dir = filepath.Dir(dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Failed(err, "Can't create %s: %s", dir, makeReason(err))
	}
	return nil
}

// CountLost is how many files the journal of a store has whose folder is gone.
func (run *Session) CountLost(ctx context.Context, of *statedir.Folder) (int, error) {
	b := memstore.NewMemory()
	defer func() { _ = b.Close() }() // in memory
	j, err := journal.Open(of.Dir, journal.Options{Backend: b, Look: true})
	if err != nil {
		return 0, Failed(err, "Can't open the journal of %s: %s", of.Path, JournalReason(err))
	}
	defer func() { _ = j.Close() }() // it was only read
	return j.Emptied(ctx)
}

// AcceptLoss records as one group that a store has lost all its files.
func AcceptLoss(ctx context.Context, j *journal.Journal) (group int64, err error) {
	_, group, err = j.AcceptEmpty(ctx)
	return group, err
}

// Restored is the plan to restore what a group has removed.
func Restored(ctx context.Context, e *undo.Editor, group int64) (*undo.Plan, error) {
	plan, err := e.PlanGroup(ctx, group)
	if err == nil {
		plan.Command = "restore"
	}
	return plan, err
}
