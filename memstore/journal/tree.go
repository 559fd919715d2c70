package journal

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Content reads the bytes of a file of a tree, or the text of a link.
func (j *Journal) Content(ctx context.Context, e past.Entry) ([]byte, error) {
	return j.Bytes(ctx, e.Side())
}

// SideOf is what is known of the bytes of an entry.
func (j *Journal) SideOf(ctx context.Context, e past.Entry) (past.Side, error) {
	s := e.Side()
	if e.Digest == (memstore.Digest{}) {
		return s, nil
	}
	db, err := j.reader()
	if err != nil {
		return s, err
	}
	var c sideColumns
	err = db.QueryRowContext(ctx, "SELECT id, sum, size, data IS NOT NULL, why FROM blob WHERE sum = ?", e.Digest[:]).
		Scan(&c.blob, &c.sum, &c.size, &c.kept, &c.why)
	if err != nil {
		return s, failed("tree", err)
	}
	s = c.side()
	s.Exists, s.Mode, s.ModTime = true, e.Mode, e.ModTime
	return s, nil
}
