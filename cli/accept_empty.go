package cli

import (
	"context"
	"errors"
	"fmt"

	"memcurator/memstore/journal"
)

// errEmptied is the cause of the error about a store whose files are all gone.
var errEmptied = errors.New("the store had files, and all of them are gone")

// emptied is the error about a store whose files are all gone, nil where nothing is amiss. The cause may be a missing mount, or an
// empty folder where the store was before it moved, so the user decides whether the files were deleted.
func (a *app) emptied(ctx context.Context, j *journal.Journal, dir string) error {
	n, err := j.Emptied(ctx)
	if err != nil {
		a.log.Warn("whether the store is there is not known", "error", err, "cause", cause(err))
		return nil
	}
	if n == 0 {
		return nil
	}
	return failed(errEmptied, "All files of the store %s are gone; it held %s. Is a mount missing, or was the directory moved? Nothing was done. "+
		"Bring the files back or, if they are gone for good, run: %s doctor --accept-empty %s%s", dir, counted(n, "file"), program, a.stateWords(), shellQuoted(dir))
}

// acceptEmpty records the missing files as deleted by another program. After that, the store can be used again.
func (a *app) acceptEmpty(ctx context.Context, p *journaledStore) error {
	n, err := p.journal.Emptied(ctx)
	if err != nil {
		return pastError(err)
	}
	if n == 0 {
		a.say("There is nothing to accept: the store still has files, or its journal never recorded any.")
		return nil
	}
	progress, group, err := p.journal.AcceptEmpty(ctx)
	if err != nil {
		return pastError(err)
	}
	a.say(fmt.Sprintf("Recorded the deletion of %s by another program (%s). To restore them, run: %s undo %s%s --group %d",
		counted(n, "file"), counted(progress.Revisions, "revision"), program, a.stateWords(), shellQuoted(p.dir), group))
	return nil
}
