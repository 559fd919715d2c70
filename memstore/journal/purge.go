package journal

import (
	"bytes"
	"context"
	"errors"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Purge rewrites everything that the journal keeps: contents, names, notes, access record and chain, in one
// transaction, and then the files of the database, so that no old byte is left in them. It
// cannot be undone, and no undo brings a value back: what it would restore is rewritten too. Contents
// are looked through before; edits of all processes wait only while those that hold a value are rewritten, and while the files
// are written anew. ErrBusy where another process reads an older state for too
// long, or holds the store; of the first the rewriting is done then, and the next call ends it.
func (j *Journal) Purge(ctx context.Context, p past.Purge) (done past.Purged, err error) {
	if p.Report == nil {
		p.Report = func(int, int) {}
	}
	if err := j.calls.Drop(); err != nil {
		return done, failed("purge", err)
	}
	began := j.options.Now()
	clean, err := j.lookThrough(ctx, &p)
	if err != nil {
		return done, failed("purge", err)
	}
	err = j.disk.lockedFor(ctx, purgePatience, func() error {
		j.Flush()
		if err := j.reserve.drain(); err != nil {
			return err
		}
		return j.tx("purge", true, func(w *writer) error {
			// What others have announced and not settled names contents and paths by what they are now.
			if err := j.settler.settleAll(w); err != nil {
				return err
			}
			r := &rewriter{w: w, ctx: ctx, Purge: p, began: began, clean: clean, revisions: map[int64]bool{}, wanted: map[int64]string{},
				wantedNames: map[string]string{}}
			err := r.run()
			done = r.done
			return err
		})
	})
	if err != nil {
		return done, failed("purge", err)
	}
	return done, j.endPurge(ctx)
}

// purgePatience is how long a purge waits for its turn among the writers.
const purgePatience = 30 * time.Second

// lookThrough finds the contents that hold no value, by the numbers of their blobs: bytes that a blob has
// do not change but by a purge.
func (a *archive) lookThrough(ctx context.Context, p *past.Purge) (clean map[int64]bool, err error) {
	all, err := a.countContents(ctx)
	if err != nil {
		return nil, err
	}
	clean = make(map[int64]bool, all)
	n := 0
	p.Report(0, all)
	err = a.eachContent(ctx, func(c *keptPacked, data []byte) bool {
		name := c.Path
		if name == memstore.Root {
			name = "" // it is not known
		}
		if got := p.Redact(name, data); bytes.Equal(got, data) && (got != nil || len(data) == 0) {
			clean[c.id] = true
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
	w         *writer
	ctx       context.Context
	began     time.Time
	clean     map[int64]bool // blobs that hold no value, as far as they were there before
	done      past.Purged
	revisions map[int64]bool // that were rewritten

	// The names that paths would have got if they were free, by number and by the name before.
	wanted      map[int64]string
	wantedNames map[string]string
}

func (r *rewriter) run() error {
	for _, step := range []func() error{r.contents, r.names, r.texts, r.mark} {
		if err := step(); err != nil {
			return err
		}
	}
	if _, err := r.w.row("SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0) + 1", []any{metaPurges}, &r.done.Number); err != nil {
		return err
	}
	r.w.flag()
	if err := errors.Join(r.w.blobs.dropBlobs(), r.w.set(metaPurges, r.done.Number), r.w.set(metaPurged, r.began.UnixNano()),
		r.w.set(metaCompact, 1),
		r.w.do("DELETE FROM meta WHERE key = ?", metaPending)); err != nil {
		return err
	}
	return r.w.rechain()
}

// ids reads a list of numbers.
func (w *writer) ids(query string, args ...any) ([]int64, error) {
	rows, err := w.query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		list = append(list, id)
	}
	return list, errors.Join(rows.Err(), rows.Close())
}

// nameOfBlob is an agent path that had a content, "" where none is known.
func (w *writer) nameOfBlob(id int64) (string, error) {
	var name string
	_, err := w.row("SELECT "+pathOfBlob, []any{id}, &name)
	if name == "" {
		return "", err
	}
	return memstore.AgentPath(name), err
}

// pathOfBlob is one name that had the blob with the number ?1.
const pathOfBlob = `coalesce((SELECT p.name FROM revision r JOIN path p ON p.id = r.path WHERE r.after = ?1 ORDER BY r.rev LIMIT 1),
	(SELECT p.name FROM revision r JOIN path p ON p.id = r.path WHERE r.before = ?1 ORDER BY r.rev LIMIT 1),
	(SELECT p.name FROM entry e JOIN path p ON p.id = e.path WHERE e.blob = ?1 ORDER BY e.first LIMIT 1), '')`

// movedNowhere reports whether a rename has taken out of the name what the purge takes out too.
func (r *rewriter) movedNowhere(rev int64, shape past.Shape) (bool, error) {
	if shape != past.Renamed {
		return false, nil
	}
	var old int64
	var name string
	_, err := r.w.row("SELECT coalesce(r.old_path, 0), p.name FROM revision r JOIN path p ON p.id = r.path WHERE r.rev = ?", []any{rev},
		&old, &name)
	return r.wanted[old] == name, err
}

// mark notes in the revisions that they were rewritten, and counts their lines anew.
func (r *rewriter) mark() error {
	for rev := range r.revisions {
		c := change{}
		var before, after int64
		if _, err := r.w.row("SELECT shape, coalesce(before, 0), coalesce(after, 0) FROM revision WHERE rev = ?", []any{rev}, &c.shape,
			&before, &after); err != nil {
			return err
		}
		c.before, c.after = before, after
		if err := r.w.countStored(&c); err != nil {
			return err
		}
		if err := r.w.do("UPDATE revision SET added = ?, removed = ?, note = coalesce(note, ?) WHERE rev = ?", c.added, c.removed,
			string(past.NoteRedacted), rev); err != nil {
			return err
		}
		moved, err := r.movedNowhere(rev, c.shape)
		if err != nil {
			return err
		}
		if moved || c.shape == past.Edited && before == after {
			// Nothing of it is left to undo, and it must not block the undo of earlier changes.
			if err := r.w.do("UPDATE revision SET undone_by = coalesce(undone_by, rev) WHERE rev = ?", rev); err != nil {
				return err
			}
		}
	}
	r.done.Revisions = len(r.revisions)
	return nil
}
