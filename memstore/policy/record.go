package policy

import (
	"context"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// FactsOf is what a journal has about the paths that exist now; nil has nothing. Bring it up to
// the disk first ([journal.Journal.Sync]), or what other programs have done since is not in it.
func FactsOf(ctx context.Context, j *journal.Journal) (*Facts, error) {
	f := &Facts{Journal: map[string]Recorded{}}
	if j == nil {
		return f, nil
	}
	err := j.Facts(ctx, func(one past.Fact) bool {
		r := Recorded{
			FirstSeen: one.FirstSeen, Changed: one.Changed, Restored: one.Restored, Moved: one.Moved, Used: one.Used,
		}
		f.Journal[one.Path] = r
		return true
	})
	return f, err
}
