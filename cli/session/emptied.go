package session

import (
	"context"
	"errors"

	"memcurator/cli/output"
	"memcurator/memstore/journal"
)

// errEmptied is the cause of the error for a store that lost all its files.
var errEmptied = errors.New("all files of the store are gone")

// Emptied returns an error if a store has lost all its files, nil if it has files. The cause may be a missing mount, or an empty folder
// at the former place of a moved store, so the user decides whether the files were deleted.
func (run *Session) Emptied(ctx context.Context, j *journal.Journal, dir string) error {
	n, err := j.Emptied(ctx)
	if err != nil {
		run.Log.Warn("can't tell if the store is there", "error", err, "cause", Cause(err))
		return nil
	}
	if n == 0 {
		return nil
	}
	return Failed(errEmptied, "All %[2]s of the store %[1]s are gone. Is a mount missing, or did the directory move? Nothing changed. "+
		"Restore the files or, if they are gone for good, run: %[3]s doctor --accept-empty %[4]s%[5]s", dir, output.Counted(n, "file"), Program,
		run.State().Words(), output.ShellQuoted(dir))
}
