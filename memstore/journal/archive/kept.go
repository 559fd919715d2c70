package archive

import (
	"cmp"
	"context"
	"database/sql"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// keptBatch is how many contents, and keptBytes how many stored bytes of them, are read per query: between two queries
// the files of the database can be rewritten meanwhile.
const (
	keptBatch = 512
	keptBytes = 8 << 20
)

// Contents calls visit with every content that the journal keeps, in the order they came, until it
// returns false: for a search of the past for what must not be there. path is one agent path that had
// it, rev the first revision it came with; 0: it was there when the journal began. The bytes are the visitor's.
// What is added meanwhile is visited too.
func (a *Archive) Contents(ctx context.Context, visit func(c past.Kept, data []byte) bool) error {
	db, err := a.pool.Reader()
	if err != nil {
		return err
	}
	return a.failed("contents", EachContent(ctx, db, func(c *Packed, data []byte) bool { return visit(c.Kept, data) }))
}

// EachContent is Contents with the numbers of the contents.
func EachContent(ctx context.Context, db *sql.DB, visit func(c *Packed, data []byte) bool) error {
	for after := int64(0); ; {
		batch, err := keptAfter(ctx, db, after)
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			return nil
		}
		for i := range batch {
			b := &batch[i]
			data, err := b.Unpack(nil)
			if err != nil {
				return err
			}
			if !visit(b, data) {
				return nil
			}
			after = b.ID
			batch[i] = Packed{} // with its base, if it was the last on it
		}
	}
}

// Packed is a content as stored.
type Packed struct {
	past.Kept
	content.Packed
}

var keptQuery = `SELECT b.id, b.sum, b.size, b.codec, b.data, coalesce(b.base, 0), ` + strings.ReplaceAll(content.PathOf, "?1", "b.id") + `,
	coalesce((SELECT min(r.rev) FROM revision r WHERE r.after = b.id), 0),
	(SELECT count(*) FROM revision r WHERE r.after = b.id OR r.before = b.id),
	EXISTS (SELECT 1 FROM entry e WHERE e.blob = b.id AND e.last IS NULL)
	FROM blob b WHERE b.data IS NOT NULL AND b.id > ?1 ORDER BY b.id LIMIT ?2`

// keptAfter reads the contents that follow the blob with the number after.
func keptAfter(ctx context.Context, db *sql.DB, after int64) (batch []Packed, err error) {
	err = content.Read(ctx, db, func(r *content.Reader) error {
		rows, err := r.Query(keptQuery, after, keptBatch)
		if err != nil {
			return err
		}
		defer rows.Close()
		for size := int64(0); size < keptBytes && rows.Next(); {
			var p Packed
			var name string
			var sum []byte
			var base int64
			if err := rows.Scan(&p.ID, &sum, &p.Size, &p.Codec, &p.Data, &base, &name, &p.Rev, &p.Revisions, &p.Present); err != nil {
				return err
			}
			more, err := r.Attach(&p.Packed, base)
			if err != nil {
				return err
			}
			copy(p.Digest[:], sum)
			p.Path = memstore.AgentPath(cmp.Or(name, "."))
			size += int64(len(p.Data)) + more
			batch = append(batch, p)
		}
		return rows.Err()
	})
	return batch, err
}

// CountContents is how many contents the journal keeps.
func CountContents(ctx context.Context, db *sql.DB) (n int, err error) {
	return n, db.QueryRowContext(ctx, "SELECT count(*) FROM blob WHERE data IS NOT NULL").Scan(&n)
}

// Names calls visit with the agent path of everything that is or was there, until it returns false.
func (a *Archive) Names(ctx context.Context, visit func(path string) bool) error {
	db, err := a.pool.Reader()
	if err != nil {
		return err
	}
	for after := int64(0); ; {
		page, last, err := namesAfter(ctx, db, after)
		if err != nil || len(page) == 0 {
			return a.failed("names", err)
		}
		for _, name := range page {
			if !visit(memstore.AgentPath(name)) {
				return nil
			}
		}
		after = last
	}
}

// namesPage is how many names are read per query.
const namesPage = 5000

func namesAfter(ctx context.Context, db *sql.DB, after int64) (page []string, last int64, err error) {
	rows, err := db.QueryContext(ctx, "SELECT id, name FROM path WHERE id > ? ORDER BY id LIMIT ?", after, namesPage)
	err = database.Rows(rows, err).Each(func(row *sql.Rows) error {
		var name string
		err := row.Scan(&last, &name)
		page = append(page, name)
		return err
	})
	return page, last, err
}

// Texts calls visit with everything else that the journal keeps as text, each text once, until it returns false:
// sessions, models, calls, groups and their titles, notes, and what a purge under way has announced. where names table and column.
func (a *Archive) Texts(ctx context.Context, visit func(where, text string) bool) error {
	db, err := a.pool.Reader()
	if err != nil {
		return err
	}
	columns, err := schema.TextColumns(func(query string) (*sql.Rows, error) { return db.QueryContext(ctx, query) })
	if err != nil {
		return a.failed("texts", err)
	}
	for _, c := range columns {
		texts, err := schema.TextsOf(db.QueryContext(ctx, c.Distinct()))
		if err != nil {
			return a.failed("texts", err)
		}
		for _, text := range texts {
			if !visit(c.Table+"."+c.Name, text) {
				return nil
			}
		}
	}
	return nil
}

// Keeps reports for which contents the journal has the bytes.
func (a *Archive) Keeps(ctx context.Context, sums []memstore.Digest) (map[memstore.Digest]bool, error) {
	db, err := a.pool.Reader()
	if err != nil {
		return nil, err
	}
	query, err := db.PrepareContext(ctx, "SELECT count(*) FROM blob WHERE sum = ? AND data IS NOT NULL")
	if err != nil {
		return nil, a.failed("read", err)
	}
	defer query.Close()
	kept := make(map[memstore.Digest]bool, len(sums))
	for _, sum := range sums {
		var n int
		if err := query.QueryRowContext(ctx, sum[:]).Scan(&n); err != nil {
			return nil, a.failed("read", err)
		}
		if n > 0 {
			kept[sum] = true
		}
	}
	return kept, nil
}
