// Package purge rewrites what a journal keeps, in one transaction, so that values are in none of it: contents with the deltas on
// them, names, and all other texts. Package journal has what comes before and after.
package purge

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"memcurator/memstore"
	"memcurator/memstore/journal/archive"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/past"
)

// Clean finds the contents that hold no value, by the numbers of their blobs: bytes that a blob has
// do not change but by a purge.
func Clean(ctx context.Context, db *sql.DB, p *past.Purge) (clean map[int64]bool, err error) {
	all, err := archive.CountContents(ctx, db)
	if err != nil {
		return nil, err
	}
	clean = make(map[int64]bool, all)
	n := 0
	p.Report(0, all)
	err = archive.EachContent(ctx, db, func(c *archive.Packed, data []byte) bool {
		name := c.Path
		if name == memstore.Root {
			name = "" // it is unknown
		}
		if got := p.Redact(name, data); bytes.Equal(got, data) && (got != nil || len(data) == 0) {
			clean[c.ID] = true
		}
		if n++; n%64 == 0 {
			p.Report(min(n, all), all)
		}
		return ctx.Err() == nil
	})
	return clean, errors.Join(err, ctx.Err())
}

// rewriter is one purge in its transaction.
type rewriter struct {
	past.Purge
	w     *database.Writer
	blobs *content.Blobs
	// count counts the lines that a revision has added and removed, by the contents on both sides.
	Count     func(shape past.Shape, before, after int64) (added, removed int, err error)
	ctx       context.Context
	clean     map[int64]bool // blobs that hold no value, as far as they were there before
	done      past.Purged
	revisions map[int64]bool // that were rewritten

	// The names that paths would have got if they were free, by number and by the name before.
	wanted      map[int64]string
	wantedNames map[string]string
}

// New rewrites what a connection finds, in the transaction that is under way there. clean are the contents that hold no value.
func New(w *database.Writer, blobs *content.Blobs, p past.Purge, clean map[int64]bool) *rewriter {
	return &rewriter{Purge: p, w: w, blobs: blobs, clean: clean,
		revisions: map[int64]bool{}, wanted: map[int64]string{}, wantedNames: map[string]string{}}
}

// Run rewrites contents, names and texts, and marks the revisions that had them.
func (r *rewriter) Run(ctx context.Context) (past.Purged, error) {
	r.ctx = ctx
	for _, step := range []func() error{r.contents, r.names, r.texts, r.mark, r.blobs.Drop} {
		if err := step(); err != nil {
			return r.done, err
		}
	}
	return r.done, nil
}

// movedNowhere reports whether a rename removed the same value from the name as the purge.
func (r *rewriter) movedNowhere(rev int64, shape past.Shape) (bool, error) {
	if shape != past.Renamed {
		return false, nil
	}
	var old int64
	var name string
	_, err := r.w.Row("SELECT coalesce(r.old_path, 0), p.name FROM revision r JOIN path p ON p.id = r.path WHERE r.rev = ?", []any{rev},
		&old, &name)
	return r.wanted[old] == name, err
}

// mark records in the revisions that they were rewritten, and recounts their lines.
func (r *rewriter) mark() error {
	for rev := range r.revisions {
		var shape past.Shape
		var before, after int64
		if _, err := r.w.Row("SELECT shape, coalesce(before, 0), coalesce(after, 0) FROM revision WHERE rev = ?", []any{rev}, &shape,
			&before, &after); err != nil {
			return err
		}
		added, removed, err := r.Count(shape, before, after)
		if err != nil {
			return err
		}
		if err := r.w.Do("UPDATE revision SET added = ?, removed = ?, note = coalesce(note, ?) WHERE rev = ?", added, removed,
			string(past.NoteRedacted), rev); err != nil {
			return err
		}
		moved, err := r.movedNowhere(rev, shape)
		if err != nil {
			return err
		}
		if moved || shape == past.Edited && before == after {
			// It can't be undone any more, and it must not block the undo of earlier changes.
			if err := r.w.Do("UPDATE revision SET undone_by = coalesce(undone_by, rev) WHERE rev = ?", rev); err != nil {
				return err
			}
		}
	}
	r.done.Revisions = len(r.revisions)
	return nil
}
