package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"path"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Progress is how far a comparison with the disk has come.
type Progress struct {
	Files, Done int   // to compare, compared
	Bytes       int64 // kept so far of what was there when the journal began
	LeftOut     int   // files whose bytes are not kept, because they or all together are too big
	Revisions   int   // recorded
}

// Reconcile compares the whole disk with the last known state, and records what happened while the store was not being watched
// as external revisions with [past.NoteUnseen]. The first time it lists what is there and then reads everything once, so that
// the first edit of each file has the bytes before it; that makes no revisions. Files of git ([memstore.InGit]) are skipped.
// It may run beside edits by us and by others. ctx may stop it at any moment; the next call continues. report may be nil, and is
// called on the caller's goroutine. A directory that is missing or unreadable never counts as a deletion.
func (j *Journal) Reconcile(ctx context.Context, report func(Progress)) (Progress, error) {
	return j.ReconcileTree(ctx, nil, report)
}

// ReconcileTree is Reconcile with a tree that the caller has just read, so that it is not read twice; nil means read it. Differences
// are checked on the disk again, since the tree may be older than the record. What appeared after the tree was read is not found:
// the caller watches for that.
func (j *Journal) ReconcileTree(ctx context.Context, tree *memstore.Snapshot, report func(Progress)) (Progress, error) {
	c, err := j.compare(ctx, past.Hints{Tree: tree, Unseen: true}, report)
	if c == nil {
		return Progress{}, failed("compare", err)
	}
	return c.progress, failed("compare", err)
}

// Sync implements [past.Syncer]. It records in the store's turn, a few paths at a time. Several calls may run concurrently, also from
// several processes; each difference is recorded once. A note takes about half a millisecond, less in a batch.
func (j *Journal) Sync(ctx context.Context, h past.Hints) (made int, err error) {
	c, err := j.compare(ctx, h, nil)
	if c == nil {
		return 0, failed("compare", err)
	}
	return c.made, failed("compare", err)
}

// comparison begins one; it fails where nothing can be compared.
func (j *Journal) comparison(ctx context.Context, report func(Progress)) (*comparison, error) {
	if j.options.Backend == nil || j.options.Look {
		return nil, &past.Error{Op: "compare", Err: past.ErrReadOnly}
	}
	if report == nil {
		report = func(Progress) {}
	}
	root, err := j.options.Backend.Lstat(".")
	return &comparison{j: j, ctx: ctx, report: report, root: root.ID, others: others{maker: maker{process: j.options.Process}}}, err
}

// compare runs a comparison; the result is nil if it could not begin.
func (j *Journal) compare(ctx context.Context, h past.Hints, report func(Progress)) (*comparison, error) {
	c, err := j.comparison(ctx, report)
	if err != nil {
		return c, err
	}
	if h.Unseen {
		c.note = past.NoteUnseen // at an unknown time
	}
	if h.Root != (memstore.FileID{}) && h.Root != c.root {
		return c, memstore.ErrUnavailable
	}
	switch {
	case h.Tree == nil && (len(h.Names) > 0 || !h.Unseen):
		err = c.some(h.Names)
	case h.Tree != nil && h.Tree.Complete && h.Tree.Root != nil && h.Tree.Root.Problem == nil && h.Tree.Root.ID == c.root:
		err = c.whole(h.Tree)
	default:
		err = c.whole(nil)
	}
	c.progress.Revisions = c.made
	return c, err
}

// Emptied reports how many files and links the journal takes to be in the store, where none of them is there and the
// directory is empty, or is on another device than it was: what a lost mount leaves, and a folder that gave way to an empty
// one. 0: nothing is amiss. Another device alone means nothing, since its number changes when the machine starts.
// It stops at the first file that is there, so a healthy store costs one query.
func (j *Journal) Emptied(ctx context.Context) (int, error) {
	if j.options.Backend == nil {
		return 0, nil
	}
	db, err := j.pool.Reader()
	if err != nil {
		return 0, err
	}
	missing, err := j.disk.missing(ctx, db)
	if missing == 0 || err != nil {
		return 0, failed("compare", err)
	}
	root, err := j.options.Backend.Lstat(".")
	if err != nil {
		return 0, failed("compare", err)
	}
	another, err := isOnAnotherDevice(ctx, db, root)
	if err != nil || another {
		return missing, failed("compare", err)
	}
	some, err := holdsFiles(ctx, j.options.Backend, ".")
	if some || err != nil {
		return 0, failed("compare", err)
	}
	return missing, nil
}

// missing counts the files and links that are known, 0 where one of them is there or that cannot be seen.
func (d *disk) missing(ctx context.Context, db *sql.DB) (int, error) {
	rows, err := db.QueryContext(ctx, "SELECT p.name FROM entry e JOIN path p ON p.id = e.path WHERE e.last IS NULL AND e.kind IN (?, ?)",
		int(memstore.KindFile), int(memstore.KindLink))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var name string
		if err := rows.Scan(&name); err != nil {
			return 0, err
		}
		if _, err := d.backend.Lstat(name); !memstore.IsAbsent(err) {
			return 0, nil
		}
	}
	return n, rows.Err()
}

// isOnAnotherDevice reports whether the store's directory is on another device than at the last comparison.
func isOnAnotherDevice(ctx context.Context, db *sql.DB, root memstore.Info) (bool, error) {
	var device int64
	err := db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'device'").Scan(&device)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return device != 0 && uint64(device) != root.ID.Device, err
}

// holdsFiles reports whether anything but folders is below a folder.
func holdsFiles(ctx context.Context, b memstore.Backend, name string) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	list, err := b.ReadDir(name)
	if memstore.IsAbsent(err) {
		return false, nil
	}
	if err != nil {
		return true, nil // what cannot be listed may hold files
	}
	for _, i := range list {
		if i.Kind != memstore.KindDir {
			return true, nil
		}
	}
	for _, i := range list {
		if some, err := holdsFiles(ctx, b, path.Join(name, i.Name)); some || err != nil {
			return some, err
		}
	}
	return false, nil
}

// AcceptEmpty is Reconcile for a store that [Journal.Emptied] doubts: it records the missing files as removed by other programs,
// in one group that can be undone by its number.
func (j *Journal) AcceptEmpty(ctx context.Context) (p Progress, group int64, err error) {
	if j.options.Backend == nil || j.options.Look {
		return p, 0, &past.Error{Op: "compare", Err: past.ErrReadOnly}
	}
	c, err := j.comparison(ctx, nil)
	if err != nil {
		return p, 0, failed("compare", err)
	}
	missing, err := j.Emptied(ctx)
	if err != nil {
		return p, 0, err
	}
	c.accepts, c.note = true, past.NoteUnseen
	c.name, c.title = "accept-empty "+rand.Text(), fmt.Sprintf("accept-empty: %d files were gone", missing)
	err = c.whole(nil)
	c.progress.Revisions = c.made
	return c.progress, c.group, failed("compare", err)
}

// notEmptied refuses to record that all files of a store were deleted, unless the user has accepted it.
func (c *comparison) notEmptied() error {
	if c.accepts || c.baseline {
		return nil
	}
	missing, err := c.j.Emptied(c.ctx)
	if err == nil && missing > 0 {
		err = &past.Error{Op: "compare", Err: errEmptied, Cause: memstore.ErrUnavailable}
	}
	return err
}
