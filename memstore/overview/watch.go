package overview

import (
	"context"
	"slices"
	"time"

	"memcurator/memstore/discover"
)

// watchEach is how long the names, sizes and times of stores are not looked at again.
const watchEach = 3 * time.Second

// quick are the parts of a row that don't need all files.
const quick = LoadPart | UnreadPart

// Watch looks at stores every few seconds until ctx ends, and reports those that have changed, one at a time. Stores that appear
// meanwhile are not found, and those that can't be read are not tried again: one whose disk doesn't answer would hold up the others.
func (r *Reader) Watch(ctx context.Context, rows []Row, parts Part, report func(Row)) {
	rows = slices.Clone(rows)
	known := make([]discover.Found, len(rows))
	for i, row := range rows {
		known[i] = row.Found
	}
	tick := time.NewTicker(watchEach)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for i, was := range rows {
			if was.State == Unreadable && !was.Missing {
				continue
			}
			now := r.Machine.Recount(ctx, known[i])
			if ctx.Err() != nil {
				return
			}
			if same(now, known[i]) {
				continue
			}
			known[i] = now
			row := RowOf(now)
			rows[i] = row.Renewed(was)
			r.Fill(ctx, []Row{row}, parts, func(_ int, row Row) { rows[i] = row.Renewed(was) })
			report(rows[i])
		}
	}
}

// same reports whether two counts of a store are the same.
func same(a, b discover.Found) bool {
	return a.Files == b.Files && a.Bytes == b.Bytes && a.Newest.Equal(b.Newest) && a.Missing == b.Missing && a.Problem == b.Problem
}
