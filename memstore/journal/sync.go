package journal

import (
	"context"
	"maps"
	"slices"

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

// Sync implements [past.Syncer]. It does not take a turn among the writers: if one of our own edits begins meanwhile, its paths
// have an open intent or a newer entry by the time they would be recorded, and they are returned in Again. Several calls may run
// at once, also in several processes; each difference is recorded once. A note takes about half a millisecond, less in a batch.
func (j *Journal) Sync(ctx context.Context, h past.Hints) (past.Synced, error) {
	c, err := j.compare(ctx, h, nil)
	if c == nil {
		return past.Synced{}, failed("compare", err)
	}
	s := past.Synced{Made: c.progress.Revisions}
	for _, name := range slices.Sorted(maps.Keys(c.again)) {
		s.Again = append(s.Again, memstore.AgentPath(name))
	}
	if err == nil && len(s.Again) > 0 {
		err = j.settler.settleDead()
	}
	return s, failed("compare", err)
}

// compare runs a comparison; the result is nil if it could not begin.
func (j *Journal) compare(ctx context.Context, h past.Hints, report func(Progress)) (*comparison, error) {
	if j.options.Backend == nil || j.options.Look {
		return nil, &past.Error{Op: "compare", Err: past.ErrReadOnly}
	}
	j.Flush()
	if err := j.reserve.drainInTurn(ctx); err != nil {
		return nil, err
	}
	c := &comparison{j: j, ctx: ctx, report: report, unseen: h.Unseen, again: map[string]bool{}}
	if c.report == nil {
		c.report = func(Progress) {}
	}
	root, err := j.options.Backend.Lstat(".")
	if err != nil {
		return c, err
	}
	if h.Root != (memstore.FileID{}) && h.Root != root.ID {
		return c, memstore.ErrUnavailable
	}
	c.root = root.ID
	if h.Tree == nil && (len(h.Names) > 0 || !h.Unseen) {
		return c, c.names(h)
	}
	if c.lent = isCurrent(h.Tree, root); !c.lent {
		h.Tree = nil
	}
	return c, c.whole(h.Tree)
}

// isCurrent reports whether a tree is complete and of the directory that is there now.
func isCurrent(tree *memstore.Snapshot, root memstore.Info) bool {
	return tree != nil && tree.Complete && tree.Root != nil && tree.Root.Problem == nil &&
		root.ID == tree.Root.ID && root.ID != memstore.FileID{}
}
