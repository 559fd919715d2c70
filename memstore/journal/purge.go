package journal

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"memcurator/memstore"
)

// Purge says what is to be gone from the past for good. The files themselves are the caller's,
// and must be without it before.
type Purge struct {
	// Redact returns text without the values, and text itself where it holds none. It is asked for
	// every content, with an agent path that had it, and for every name and other text that the journal keeps, with "";
	// it must not ask the journal.
	Redact func(path string, text []byte) []byte
	// Report is told how many of all contents were looked at; nil: nobody.
	Report func(done, all int)
}

// Purged is what a purge has rewritten.
type Purged struct {
	Number    int64 // of the purge, from 1
	Contents  int   // that held a value
	Revisions int   // that have one of those on either side, or a rewritten name
	Names     int   // of files and folders, now or once
	Texts     int   // sessions, tools, groups and whatever else is text
}

// NoteRedacted marks a revision that a purge has rewritten.
const NoteRedacted Note = "redacted"

// The keys of meta that a purge needs. None outlives it but the count.
const (
	metaPurges  = "purges"        // how many there were: who keeps what the journal holds in memory reads it anew
	metaPending = "purge_pending" // what a purge that has begun was going to take out
	metaCompact = "purge_compact" // the contents are rewritten, the files of the database not yet
)

// AnnouncePurge keeps, durably, what a purge is going to take out, so that one that is killed can be
// carried on with. The journal holds the values anyway until the purge has rewritten it, and this
// note goes in the same transaction.
func (j *Journal) AnnouncePurge(what []byte) error {
	return j.tx("purge", true, func(w *writer) error { return w.set(metaPending, what) })
}

// PendingPurge tells what was announced and is not done. compact: everything is rewritten, but the
// files of the database may hold old bytes still; [Journal.Purge] ends both.
func (j *Journal) PendingPurge(ctx context.Context) (what []byte, compact bool, err error) {
	db, err := j.readerNow()
	if err != nil {
		return nil, false, err
	}
	err = db.QueryRowContext(ctx, "SELECT (SELECT value FROM meta WHERE key = ?), (SELECT count(*) FROM meta WHERE key = ?)", metaPending, metaCompact).Scan(&what, &compact)
	return what, compact, failed("purge", err)
}

// Purge rewrites everything that the journal keeps: contents, names, notes, access record and chain, in one
// transaction, and then the files of the database, so that no old byte is left in them. It
// cannot be taken back, and no undo brings a value back: what it would restore is rewritten too. Edits
// of all processes wait meanwhile. ErrBusy where another process reads an older state for too
// long; the rewriting is done then, and the next call ends it.
func (j *Journal) Purge(ctx context.Context, p Purge) (done Purged, err error) {
	if p.Report == nil {
		p.Report = func(int, int) {}
	}
	if err := j.settleLeft(); err != nil {
		return done, failed("purge", err)
	}
	err = j.locked(ctx, func() error {
		j.Flush()
		return j.tx("purge", true, func(w *writer) error {
			r := &rewriter{w: w, ctx: ctx, Purge: p, revisions: map[int64]bool{}}
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

// compactPatience is how long a purge waits for readers of an older state.
const compactPatience = 15 * time.Second

// endPurge writes the files of the database anew.
func (j *Journal) endPurge(ctx context.Context) error {
	until := time.Now().Add(compactPatience)
	for {
		err := j.Compact()
		if err == nil {
			break
		}
		if !errors.Is(err, ErrBusy) || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return failed("purge", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
	return j.tx("purge", true, func(w *writer) error { return w.do("DELETE FROM meta WHERE key = ?", metaCompact) })
}

// rewriter is one purge in its transaction.
type rewriter struct {
	Purge
	w         *writer
	ctx       context.Context
	done      Purged
	revisions map[int64]bool // that were rewritten
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
	if err := errors.Join(r.w.set(metaPurges, r.done.Number), r.w.set(metaCompact, 1), r.w.do("DELETE FROM meta WHERE key = ?", metaPending)); err != nil {
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

// contents rewrites every blob that holds a value.
func (r *rewriter) contents() error {
	ids, err := r.w.ids("SELECT id FROM blob WHERE data IS NOT NULL ORDER BY id")
	if err != nil {
		return err
	}
	for n, id := range ids {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if n%64 == 0 {
			r.Report(n, len(ids))
		}
		data, err := r.w.bytes(id)
		if err != nil {
			return err
		}
		name, err := r.w.nameOfBlob(id)
		if err != nil {
			return err
		}
		clean := r.Redact(name, data)
		if bytes.Equal(clean, data) {
			continue
		}
		if err := r.content(id, clean); err != nil {
			return err
		}
		r.done.Contents++
	}
	r.Report(len(ids), len(ids))
	return nil
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

// content gives a blob other bytes. Where another blob has those already, it takes its place.
func (r *rewriter) content(id int64, data []byte) error {
	touched, err := r.w.ids("SELECT rev FROM revision WHERE before = ? OR after = ?", id, id)
	if err != nil {
		return err
	}
	for _, rev := range touched {
		r.revisions[rev] = true
	}
	c := contentOf(data)
	codec, packed := pack(data)
	var other int64
	found, err := r.w.row("SELECT id FROM blob WHERE sum = ?", []any{c.sum[:]}, &other)
	if err != nil {
		return err
	}
	if !found {
		return errors.Join(
			r.w.do("UPDATE blob SET sum = ?, size = ?, codec = ?, data = ?, why = NULL WHERE id = ?", c.sum[:], c.size, codec, packed, id),
			r.w.do("UPDATE entry SET size = ? WHERE blob = ?", c.size, id))
	}
	return errors.Join(
		r.w.do("UPDATE blob SET codec = ?, data = ?, size = ?, why = NULL WHERE id = ?", codec, packed, c.size, other),
		r.w.do("UPDATE revision SET before = ? WHERE before = ?", other, id),
		r.w.do("UPDATE revision SET after = ? WHERE after = ?", other, id),
		r.w.do("UPDATE entry SET blob = ?, size = ? WHERE blob = ?", other, c.size, id),
		r.w.do("UPDATE intent_change SET before = ? WHERE before = ?", other, id),
		r.w.do("UPDATE intent_change SET after = ? WHERE after = ?", other, id),
		r.w.do("DELETE FROM blob WHERE id = ?", id))
}

// mark notes in the revisions that they were rewritten, and counts their lines anew.
func (r *rewriter) mark() error {
	for rev := range r.revisions {
		c := change{}
		var before, after int64
		if _, err := r.w.row("SELECT shape, coalesce(before, 0), coalesce(after, 0) FROM revision WHERE rev = ?", []any{rev}, &c.shape, &before, &after); err != nil {
			return err
		}
		c.before, c.after = before, after
		if err := r.w.countStored(&c); err != nil {
			return err
		}
		if err := r.w.do("UPDATE revision SET added = ?, removed = ?, note = coalesce(note, ?) WHERE rev = ?", c.added, c.removed, string(NoteRedacted), rev); err != nil {
			return err
		}
		if c.shape == Edited && before == after {
			// There is nothing left to take back of it, and it must not stand in the way of what came before.
			if err := r.w.do("UPDATE revision SET undone_by = coalesce(undone_by, rev) WHERE rev = ?", rev); err != nil {
				return err
			}
		}
	}
	r.done.Revisions = len(r.revisions)
	return nil
}

// Contents calls visit with every content that the journal keeps, in the order they came, until it
// returns false: for a search of the past for what must not be there. path is one agent path that had
// it, rev the first revision it came with; 0: it was there when the journal began. The bytes are the visitor's.
func (j *Journal) Contents(ctx context.Context, visit func(c Kept, data []byte) bool) error {
	db, err := j.reader()
	if err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, `SELECT b.id, b.sum, b.size, b.codec, b.data,
		`+strings.ReplaceAll(pathOfBlob, "?1", "b.id")+`,
		coalesce((SELECT min(r.rev) FROM revision r WHERE r.after = b.id), 0),
		(SELECT count(*) FROM revision r WHERE r.after = b.id OR r.before = b.id),
		EXISTS (SELECT 1 FROM entry e WHERE e.blob = b.id AND e.last IS NULL)
		FROM blob b WHERE b.data IS NOT NULL ORDER BY b.id`)
	if err != nil {
		return failed("contents", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p packed
		var k Kept
		var name string
		var sum []byte
		if err := rows.Scan(&p.id, &sum, &p.size, &p.codec, &p.data, &name, &k.Rev, &k.Revisions, &k.Present); err != nil {
			return failed("contents", err)
		}
		data, err := unpack(p.codec, p.data, p.size, nil)
		if err != nil {
			return err
		}
		copy(k.Digest[:], sum)
		k.Path = memstore.AgentPath(cmp.Or(name, "."))
		if !visit(k, data) {
			return nil
		}
	}
	return failed("contents", rows.Err())
}

// Kept is a content of the journal.
type Kept struct {
	Digest    memstore.Digest
	Path      string // agent path
	Rev       int64
	Revisions int  // that have it on either side
	Present   bool // a file holds it now, as far as the journal knows
}

// Names calls visit with the agent path of everything that is or was there, until it returns false.
func (j *Journal) Names(ctx context.Context, visit func(path string) bool) error {
	db, err := j.reader()
	if err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, "SELECT name FROM path")
	if err != nil {
		return failed("names", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return failed("names", err)
		}
		if !visit(memstore.AgentPath(name)) {
			return nil
		}
	}
	return failed("names", rows.Err())
}
