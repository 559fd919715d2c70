package policy

import (
	"context"
	"path"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// How much of the past of a path is read to learn where its file went.
const (
	movesFollowed = 8
	movesRead     = 20
)

// movedTo is where the file that was at a path is now, by the renames of it and of its folders that the journal has; "" where there
// are none, or the file is gone.
func movedTo(ctx context.Context, j *journal.Journal, there func(string) bool, missing string) (string, error) {
	if j == nil {
		return "", nil
	}
	now, after := missing, int64(0)
	for range movesFollowed {
		var last past.Revision
		for at := now; len(at) > len(memstore.Root); at = path.Dir(at) {
			f := past.Filter{Path: at, Exact: true, After: after, Newest: true, Limit: movesRead}
			err := j.List(ctx, f, func(r past.Revision) bool {
				if r.Undoes != 0 || r.UndoneBy != 0 {
					return true
				}
				_, moved := r.MovedTo(now)
				if moved && r.Rev > last.Rev {
					last = r
				}
				return !moved && at != now // the newest act on the file itself counts: it may have been deleted there
			})
			if err != nil {
				return "", err
			}
		}
		to, moved := last.MovedTo(now)
		if !moved || there(to) {
			return to, nil
		}
		now, after = to, last.Rev
	}
	return "", nil
}
