package journal

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"memcurator/memstore"
)

// basesMost is about how many bytes of bases are remembered while many blobs are read.
const basesMost = 32 << 20

// blobReader reads many blobs with their bases in one state of the database. Not safe for concurrent use; the blobs that
// it returns are.
type blobReader struct {
	ctx   context.Context
	tx    *sql.Tx
	bases map[int64]*basis
	held  int64 // bytes of the texts of bases
}

// readBlobs calls read with a reader of the present state.
func readBlobs(ctx context.Context, db *sql.DB, read func(r *blobReader) error) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	return read(&blobReader{ctx: ctx, tx: tx})
}

// attach sets the base of a blob; 0: it has none. cost is how many bytes have to be unpacked for it first.
func (r *blobReader) attach(p *packed, base int64) (cost int64, err error) {
	if base == 0 {
		return 0, nil
	}
	b := r.bases[base]
	if b == nil {
		b = &basis{packed: packed{id: base}}
		row := r.tx.QueryRowContext(r.ctx, "SELECT size, codec, data FROM blob WHERE id = ?", base)
		if err := row.Scan(&b.size, &b.codec, &b.data); errors.Is(err, sql.ErrNoRows) {
			return 0, nil // to unpack it is an error then
		} else if err != nil {
			return 0, err
		}
		if r.held += b.size; r.bases == nil || r.held > basesMost {
			r.bases, r.held = map[int64]*basis{}, b.size
		}
		r.bases[base], cost = b, b.size
	}
	p.base = b
	return cost, nil
}

// damagedMost is how many damaged contents are named.
const damagedMost = 20

// damagedContents are sentences about the contents that no longer have their digest: one for each of the first, and how
// many more there are. Where a base is damaged, those are all that depend on it.
func damagedContents(ctx context.Context, db *sql.DB) (list []string, err error) {
	more := 0
	err = readBlobs(ctx, db, func(r *blobReader) error {
		rows, err := r.tx.QueryContext(ctx, `SELECT b.id, b.sum, b.size, b.codec, b.data, coalesce(b.base, 0),
			`+strings.ReplaceAll(pathOfBlob, "?1", "b.id")+`,
			coalesce((SELECT min(r.rev) FROM revision r WHERE r.after = b.id), 0) FROM blob b WHERE b.data IS NOT NULL
				AND b.sum IS NOT NULL ORDER BY b.id`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var p packed
			var sum []byte
			var base, rev int64
			var name string
			if err := rows.Scan(&p.id, &sum, &p.size, &p.codec, &p.data, &base, &name, &rev); err != nil {
				return err
			}
			if _, err := r.attach(&p, base); err != nil {
				return err
			}
			text, err := p.unpack(nil)
			if got := memstore.Sum(text); err == nil && bytes.Equal(got[:], sum) {
				continue
			}
			if len(list) == damagedMost {
				more++
				continue
			}
			list = append(list, damagedSentence(name, rev))
		}
		return rows.Err()
	})
	if more > 0 {
		list = append(list, fmt.Sprintf("%d more contents are not what they were", more))
	}
	return list, err
}

func damagedSentence(name string, rev int64) string {
	s := "a content is not what it was"
	if name != "" {
		s = "a content of " + memstore.AgentPath(name) + " is not what it was"
	}
	if rev > 0 {
		s += fmt.Sprintf(", from revision %d on", rev)
	}
	return s
}
