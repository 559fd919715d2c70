package content

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/journal/database"
)

// BasesMost is about how many bytes of bases are remembered while many blobs are read.
const BasesMost = 32 << 20

// Reader reads many blobs with their bases in one state of the database. Not safe for concurrent use; the blobs that
// it returns are.
type Reader struct {
	ctx   context.Context
	tx    *sql.Tx
	bases map[int64]*basis
	held  int64 // bytes of the texts of bases
}

// Read calls read with a reader of the present state.
func Read(ctx context.Context, db *sql.DB, read func(r *Reader) error) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	return read(NewReader(ctx, tx))
}

// NewReader reads in a transaction.
func NewReader(ctx context.Context, tx *sql.Tx) *Reader { return &Reader{ctx: ctx, tx: tx} }

// Query reads rows of the same state.
func (r *Reader) Query(query string, args ...any) (*sql.Rows, error) {
	return r.tx.QueryContext(r.ctx, query, args...)
}

// Each calls visit for every row of a query.
func (r *Reader) Each(query string, args []any, visit func(*sql.Rows) error) error {
	return database.Rows(r.Query(query, args...)).Each(visit)
}

// Attach sets the base of a blob; 0: it has none. cost is how many bytes have to be unpacked for it first.
func (r *Reader) Attach(p *Packed, base int64) (cost int64, err error) {
	if base == 0 {
		return 0, nil
	}
	b := r.bases[base]
	if b == nil {
		b = &basis{Packed: Packed{ID: base}}
		row := r.tx.QueryRowContext(r.ctx, "SELECT size, codec, data FROM blob WHERE id = ?", base)
		if err := row.Scan(&b.Size, &b.Codec, &b.Data); errors.Is(err, sql.ErrNoRows) {
			return 0, nil // to unpack it is an error then
		} else if err != nil {
			return 0, err
		}
		if r.held += b.Size; r.bases == nil || r.held > BasesMost {
			r.bases, r.held = map[int64]*basis{}, b.Size
		}
		r.bases[base], cost = b, b.Size
	}
	p.base = b
	return cost, nil
}

// damagedMost is how many damaged contents are named.
const damagedMost = 20

// Damage are sentences about the contents that no longer have their digest: one for each of the first, and how
// many more there are. Where a base is damaged, those are all that depend on it.
func Damage(ctx context.Context, db *sql.DB) (list []string, err error) {
	more := 0
	err = Read(ctx, db, func(r *Reader) error {
		query := `SELECT b.id, b.sum, b.size, b.codec, b.data, coalesce(b.base, 0),
			` + strings.ReplaceAll(PathOf, "?1", "b.id") + `,
			coalesce((SELECT min(r.rev) FROM revision r WHERE r.after = b.id), 0) FROM blob b WHERE b.data IS NOT NULL
				AND b.sum IS NOT NULL ORDER BY b.id`
		return r.Each(query, nil, func(row *sql.Rows) error {
			var p Packed
			var sum []byte
			var base, rev int64
			var name string
			if err := row.Scan(&p.ID, &sum, &p.Size, &p.Codec, &p.Data, &base, &name, &rev); err != nil {
				return err
			}
			if _, err := r.Attach(&p, base); err != nil {
				return err
			}
			text, err := p.Unpack(nil)
			got := memstore.Sum(text)
			switch {
			case err == nil && bytes.Equal(got[:], sum):
			case len(list) == damagedMost:
				more++
			default:
				list = append(list, damagedSentence(name, rev))
			}
			return nil
		})
	})
	if more > 0 {
		list = append(list, fmt.Sprintf("%d more stored contents are damaged", more))
	}
	return list, err
}

func damagedSentence(name string, rev int64) string {
	s := "a stored content is damaged"
	if name != "" {
		s = "the stored content of " + memstore.AgentPath(name) + " is damaged"
	}
	if rev > 0 {
		s += fmt.Sprintf(", from revision %d on", rev)
	}
	return s
}
