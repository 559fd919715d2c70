package policy

import (
	"context"
	"time"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// Facts are what is known of the paths of a store beside the snapshot. Whoever has a journal
// fills Journal from it; [Reader] fills Files. Keys are agent paths. They are not changed while a plan is made.
type Facts struct {
	Journal map[string]past.Fact
	Files   map[string]File
	// Unread are files that rules ask to be read and that could not be, sorted; [Reader] fills it.
	Unread []string
}

// File is what was read of one file itself.
type File struct {
	// Accessed is its access time; zero where the file system keeps none.
	Accessed time.Time
	// Swept: it has an access time, but that is of a program that read most files.
	Swept bool
	Lines int64 // a last line without a newline counts too; 0: not counted
}

// FactsOf is what a journal has about the paths that exist now; nil has nothing. Bring it up to
// the disk first ([journal.Journal.Sync]), or what other programs have done since is not in it.
func FactsOf(ctx context.Context, j *journal.Journal) (Facts, error) {
	f := Facts{Journal: map[string]past.Fact{}}
	if j == nil {
		return f, nil
	}
	err := j.Facts(ctx, func(one past.Fact) bool {
		f.Journal[one.Path] = one
		return true
	})
	return f, err
}
