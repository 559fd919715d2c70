package journal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"memcurator/memstore/past"
	"strings"

	"memcurator/memstore"
)

// keptBatch is how many contents, and keptBytes how many stored bytes of them, are read at once: between two readings
// the files of the database can be rewritten meanwhile.
const (
	keptBatch = 512
	keptBytes = 8 << 20
)

// Contents calls visit with every content that the journal keeps, in the order they came, until it
// returns false: for a search of the past for what must not be there. path is one agent path that had
// it, rev the first revision it came with; 0: it was there when the journal began. The bytes are the visitor's.
// What is added meanwhile is visited too.
func (a *archive) Contents(ctx context.Context, visit func(c past.Kept, data []byte) bool) error {
	return a.eachContent(ctx, func(c *keptPacked, data []byte) bool { return visit(c.Kept, data) })
}

// eachContent is Contents with the numbers of the contents.
func (a *archive) eachContent(ctx context.Context, visit func(c *keptPacked, data []byte) bool) error {
	db, err := a.reader()
	if err != nil {
		return err
	}
	for after := int64(0); ; {
		batch, err := keptAfter(ctx, db, after)
		if err != nil {
			return failed("contents", err)
		}
		if len(batch) == 0 {
			return nil
		}
		for i := range batch {
			b := &batch[i]
			data, err := b.unpack(nil)
			if err != nil {
				return err
			}
			if !visit(b, data) {
				return nil
			}
			after = b.id
			batch[i] = keptPacked{} // with its base, if it was the last on it
		}
	}
}

// keptPacked is a content as it is stored.
type keptPacked struct {
	past.Kept
	packed
}

var keptQuery = `SELECT b.id, b.sum, b.size, b.codec, b.data, coalesce(b.base, 0), ` + strings.ReplaceAll(pathOfBlob, "?1", "b.id") + `,
	coalesce((SELECT min(r.rev) FROM revision r WHERE r.after = b.id), 0),
	(SELECT count(*) FROM revision r WHERE r.after = b.id OR r.before = b.id),
	EXISTS (SELECT 1 FROM entry e WHERE e.blob = b.id AND e.last IS NULL)
	FROM blob b WHERE b.data IS NOT NULL AND b.id > ?1 ORDER BY b.id LIMIT ?2`

// keptAfter reads the contents that follow the blob with the number after.
func keptAfter(ctx context.Context, db *sql.DB, after int64) (batch []keptPacked, err error) {
	err = readBlobs(ctx, db, func(r *blobReader) error {
		rows, err := r.tx.QueryContext(ctx, keptQuery, after, keptBatch)
		if err != nil {
			return err
		}
		defer rows.Close()
		for size := int64(0); size < keptBytes && rows.Next(); {
			var p keptPacked
			var name string
			var sum []byte
			var base int64
			if err := rows.Scan(&p.id, &sum, &p.size, &p.codec, &p.data, &base, &name, &p.Rev, &p.Revisions, &p.Present); err != nil {
				return err
			}
			more, err := r.attach(&p.packed, base)
			if err != nil {
				return err
			}
			copy(p.Digest[:], sum)
			p.Path = memstore.AgentPath(cmp.Or(name, "."))
			size += int64(len(p.data)) + more
			batch = append(batch, p)
		}
		return rows.Err()
	})
	return batch, err
}

// countContents is how many contents the journal keeps.
func (a *archive) countContents(ctx context.Context) (n int, err error) {
	db, err := a.reader()
	if err != nil {
		return 0, err
	}
	return n, db.QueryRowContext(ctx, "SELECT count(*) FROM blob WHERE data IS NOT NULL").Scan(&n)
}

// Names calls visit with the agent path of everything that is or was there, until it returns false.
func (a *archive) Names(ctx context.Context, visit func(path string) bool) error {
	db, err := a.reader()
	if err != nil {
		return err
	}
	for after := int64(0); ; {
		page, last, err := namesAfter(ctx, db, after)
		if err != nil || len(page) == 0 {
			return failed("names", err)
		}
		for _, name := range page {
			if !visit(memstore.AgentPath(name)) {
				return nil
			}
		}
		after = last
	}
}

// namesPage is how many names are read at once.
const namesPage = 5000

func namesAfter(ctx context.Context, db *sql.DB, after int64) (page []string, last int64, err error) {
	rows, err := db.QueryContext(ctx, "SELECT id, name FROM path WHERE id > ? ORDER BY id LIMIT ?", after, namesPage)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&last, &name); err != nil {
			return nil, 0, err
		}
		page = append(page, name)
	}
	return page, last, errors.Join(rows.Err(), rows.Close())
}

// Texts calls visit with everything else that the journal keeps as text, each text once, until it returns false:
// sessions, models, calls, groups and their titles, notes, and what a purge under way has announced. where names table and column.
func (a *archive) Texts(ctx context.Context, visit func(where, text string) bool) error {
	db, err := a.reader()
	if err != nil {
		return err
	}
	columns, err := textColumns(func(query string) (*sql.Rows, error) { return db.QueryContext(ctx, query) })
	if err != nil {
		return failed("texts", err)
	}
	for _, c := range columns {
		texts, err := textsOf(db.QueryContext(ctx, c.distinct()))
		if err != nil {
			return failed("texts", err)
		}
		for _, text := range texts {
			if !visit(c.table+"."+c.name, text) {
				return nil
			}
		}
	}
	return nil
}

// textsOf reads and closes rows of one text.
func textsOf(rows *sql.Rows, err error) (list []string, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, errors.Join(rows.Err(), rows.Close())
}

// Keeps reports for which contents the journal has the bytes.
func (a *archive) Keeps(ctx context.Context, sums []memstore.Digest) (map[memstore.Digest]bool, error) {
	db, err := a.reader()
	if err != nil {
		return nil, err
	}
	query, err := db.PrepareContext(ctx, "SELECT count(*) FROM blob WHERE sum = ? AND data IS NOT NULL")
	if err != nil {
		return nil, failed("read", err)
	}
	defer query.Close()
	kept := make(map[memstore.Digest]bool, len(sums))
	for _, sum := range sums {
		var n int
		if err := query.QueryRowContext(ctx, sum[:]).Scan(&n); err != nil {
			return nil, failed("read", err)
		}
		if n > 0 {
			kept[sum] = true
		}
	}
	return kept, nil
}
