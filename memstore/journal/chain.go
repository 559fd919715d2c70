package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"

	"memcurator/memstore/journal/database"
	"memcurator/memstore/past"
)

// The chain makes tampering visible: each revision carries the SHA-256 of the link before it
// and of what it says itself, the digests of its bytes included. Flags that people set later
// (unread, pinned, undone) are not part of it.

// chainOn reports whether new revisions are chained.
func (w *tableWriter) chainOn() (bool, error) {
	return w.Row("SELECT 1 FROM meta WHERE key = 'chain'", nil, new(int))
}

// extendChain links a new revision to the one before it.
func (w *tableWriter) extendChain(rev int64) error {
	on, err := w.chainOn()
	if err != nil || !on {
		return err
	}
	var before []byte
	if _, err := w.Row("SELECT chain FROM revision WHERE rev < ? ORDER BY rev DESC LIMIT 1", []any{rev}, &before); err != nil {
		return err
	}
	rows, err := w.Query(chainQuery+" WHERE r.rev = ?", rev)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return errors.Join(past.ErrNoRevision, rows.Err())
	}
	link, _, _, err := chainLink(rows, before)
	if err := errors.Join(err, rows.Close()); err != nil {
		return err
	}
	return w.Do("UPDATE revision SET chain = ? WHERE rev = ?", link, rev)
}

const chainQuery = `SELECT r.rev, r.time, r.actor, r.command, r.kind, r.shape, p.name, o.name, b.sum, a.sum, r.session,
	r.model, r.tool, r.chain
	FROM revision r JOIN path p ON p.id = r.path LEFT JOIN path o ON o.id = r.old_path
	LEFT JOIN blob b ON b.id = r.before LEFT JOIN blob a ON a.id = r.after`

// chainLink computes the link of the row at hand and returns the one that it carries.
func chainLink(rows *sql.Rows, before []byte) (link, carried []byte, rev int64, err error) {
	var at int64
	var kind, shape int64
	var text [3]string
	var more [4]sql.NullString
	var sums [2][]byte
	if err := rows.Scan(&rev, &at, &text[0], &text[1], &kind, &shape, &text[2], &more[0], &sums[0], &sums[1],
		&more[1], &more[2], &more[3], &carried); err != nil {
		return nil, nil, 0, err
	}
	h := sha256.New()
	h.Write(before)
	for _, n := range []int64{rev, at, kind, shape} {
		_ = binary.Write(h, binary.BigEndian, n) // a hash takes everything
	}
	field := func(b []byte) {
		_ = binary.Write(h, binary.BigEndian, int64(len(b)))
		h.Write(b)
	}
	for _, s := range text {
		field([]byte(s))
	}
	for _, s := range more {
		field([]byte(s.String))
	}
	field(sums[0])
	field(sums[1])
	return h.Sum(nil), carried, rev, nil
}

// SetChain begins the chain, over the revisions there are too, or removes it.
func (j *Journal) SetChain(ctx context.Context, on bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j.Flush()
	return j.tx("chain", true, func(w *tableWriter) error {
		if !on {
			return errors.Join(w.Do("UPDATE revision SET chain = NULL"), w.Do("DELETE FROM meta WHERE key = 'chain'"))
		}
		if err := w.set("chain", 1); err != nil {
			return err
		}
		return w.rechain()
	})
}

// rechain recomputes all links after revisions were removed or rewritten.
func (w *tableWriter) rechain() error {
	on, err := w.chainOn()
	if err != nil || !on {
		return err
	}
	links := map[int64][]byte{}
	var before []byte
	err = database.Rows(w.Query(chainQuery + " ORDER BY r.rev")).Each(func(row *sql.Rows) error {
		link, carried, rev, err := chainLink(row, before)
		if string(link) != string(carried) {
			links[rev] = link
		}
		before = link
		return err
	})
	if err != nil {
		return err
	}
	for rev, link := range links {
		if err := w.Do("UPDATE revision SET chain = ? WHERE rev = ?", link, rev); err != nil {
			return err
		}
	}
	return nil
}

// checkChain follows the chain.
func checkChain(db *sql.DB) (s past.ChainState, err error) {
	if err := db.QueryRow("SELECT count(*) FROM meta WHERE key = 'chain'").Scan(&s.On); err != nil || !s.On {
		return s, err
	}
	rows, err := db.Query(chainQuery + " ORDER BY r.rev")
	if err != nil {
		return s, err
	}
	defer rows.Close()
	var before []byte
	for rows.Next() {
		link, carried, rev, err := chainLink(rows, before)
		if err != nil {
			return s, err
		}
		if string(link) != string(carried) {
			s.Broken = rev
			return s, nil
		}
		s.Links++
		before = carried
	}
	return s, rows.Err()
}
