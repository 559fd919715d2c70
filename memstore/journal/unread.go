package journal

import (
	"context"
	"database/sql"
	"slices"

	"memcurator/memstore/past"
)

// UnreadSum sums up the unread revisions that a reader has in mind, so that the journal can tell what to
// add to them without reading all of them again.
type UnreadSum struct {
	From  int64 // the oldest revision that was looked at, 0: all
	Last  int64 // the newest revision there was, read or not; 0: nothing was read yet
	Count int   // of those in mind
	Sum   int64 // of their numbers
}

// SumUnread sums up a list; from and last are what it cannot tell.
func SumUnread(list []past.Revision, from, last int64) UnreadSum {
	s := UnreadSum{From: from, Last: last, Count: len(list)}
	for i := range list {
		s.Sum += list[i].Rev
	}
	return s
}

// UnreadSince returns the unread revisions that came after those in mind, oldest first, at most the
// newest ones if there are more, and the newest revision that there is. anew: those in mind are not what the
// journal has, since another one has marked some, or something was undone or taken out; then list holds all.
func (j *Journal) UnreadSince(ctx context.Context, have UnreadSum, most int) (list []past.Revision, last int64, anew bool, err error) {
	db, err := j.reader()
	if err != nil {
		return nil, 0, false, err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, 0, false, failed("list", err)
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	var sum, undone int64
	var count int
	row := tx.QueryRowContext(ctx, `SELECT (SELECT coalesce(max(rev), 0) FROM revision),
		(SELECT count(*) FROM revision WHERE rev > ?2 AND undoes IS NOT NULL),
		count(*), coalesce(sum(rev), 0) FROM revision WHERE unread = 1 AND rev >= ?1 AND rev <= ?2`, have.From, have.Last)
	if err := row.Scan(&last, &undone, &count, &sum); err != nil {
		return nil, 0, false, failed("list", err)
	}
	f := past.Filter{Unread: true, Newest: true, Limit: most, After: have.Last}
	if anew = have.Last == 0 || undone > 0 || count != have.Count || sum != have.Sum; anew {
		f.After = 0
	}
	where, args := where(f)
	list, err = revisionsOf(tx.QueryContext(ctx, "SELECT "+revisionColumns+revisionFrom+where+" ORDER BY r.rev DESC LIMIT ?", append(args, most)...))
	slices.Reverse(list)
	return list, last, anew, failed("list", err)
}
