package journal

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// A repair begins with a verified copy. What the damaged journal has beyond it is carried over as far as it can be read:
// revisions in their order, with their makers and contents, then what was announced and not settled. The first row
// that is damaged ends it; what follows in the files is found by the next comparison.

// salvageable reads what a damaged journal has beyond a copy that ends at the proof from. It calls visit for each revision,
// with the contents that the revision names. read is the newest one; whole reports whether everything could be read.
func salvageable(ctx context.Context, file string, from sidecar.Proof,
	visit func(r *exportedRevision, blobs []*exportedBlob) error) (read int64, whole bool) {
	read = from.Last
	err := readDamaged(ctx, file, from.ID, func(reader *blobReader) error {
		var list []*exportedRevision
		err := eachRow(ctx, reader.tx, exportedRevisions+" WHERE r.rev > ? ORDER BY r.rev", []any{from.Last}, func(rows *sql.Rows) error {
			r, err := scanExported(rows)
			list = append(list, r)
			return err
		})
		for _, r := range list {
			var blobs []*exportedBlob
			for _, id := range []int64{r.Before, r.After} {
				b, err := blobOf(reader, id)
				if err != nil {
					return err
				}
				if b != nil {
					blobs = append(blobs, b)
				}
			}
			if err := visit(r, blobs); err != nil {
				return err
			}
			read = r.Rev
		}
		return err
	})
	return read, err == nil
}

// readDamaged opens a journal that no process has open, which may be damaged, missing, or not the one of that id.
func readDamaged(ctx context.Context, file, id string, read func(*blobReader) error) error {
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		return errors.Join(err, past.ErrCorrupt)
	}
	db, err := openReaders(file, true)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it is only read
	if version, err := versionOf(db); err != nil || version != schemaVersion {
		return errors.Join(err, past.ErrCorrupt)
	}
	return readBlobs(ctx, db, func(reader *blobReader) error {
		var p sidecar.Proof
		if err := reader.tx.QueryRowContext(ctx, proofQuery).Scan(&p.ID, &p.Last); err != nil || p.ID != id {
			return errors.Join(err, past.ErrCorrupt)
		}
		return read(reader)
	})
}

// blobOf reads a content and checks it; nil for 0.
func blobOf(reader *blobReader, id int64) (b *exportedBlob, err error) {
	if id == 0 {
		return nil, nil
	}
	err = eachRow(reader.ctx, reader.tx, exportedBlobs+" WHERE id = ?", []any{id}, func(rows *sql.Rows) error {
		b, err = scanBlob(rows, reader)
		return err
	})
	if err == nil && b == nil {
		err = past.ErrCorrupt
	}
	return b, err
}

// salvage carries over to the draft of a repaired journal, which ends with the proof from, what a damaged one has beyond it.
func salvage(ctx context.Context, file, draft string, from sidecar.Proof) error {
	w, err := openFile(draft)
	if err != nil {
		return err
	}
	in := importer{w: w, begun: true, last: from.Last}
	_, whole := salvageable(ctx, file, from, func(r *exportedRevision, blobs []*exportedBlob) error {
		return w.tx(false, func() error {
			in.blobs = map[int64]int64{}
			for _, b := range blobs {
				b.Near = 0 // what it was stored on may not be among them
				if in.blobs[b.ID] == 0 {
					if err := in.blob(b); err != nil {
						return err
					}
				}
			}
			r.UndoneBy = 0 // the revision that undid it says so itself, if it can be read
			return in.revision(r)
		})
	})
	if whole {
		err = salvageIntents(ctx, file, from.ID, w)
	}
	return errors.Join(err, w.tx(false, w.rechain), w.close())
}

// salvageIntents puts the open edits of a damaged journal in the place of those that were open when the copy was made. Where they cannot be
// read there are none: what the copy has is older.
func salvageIntents(ctx context.Context, file, id string, w *writer) error {
	return w.tx(false, func() error {
		if err := errors.Join(w.do("DELETE FROM intent_change"), w.do("DELETE FROM intent")); err != nil {
			return err
		}
		return readDamaged(ctx, file, id, func(reader *blobReader) error {
			list, err := scanIntents(reader.tx.QueryContext(ctx, openIntents+" ORDER BY i.id, c.n"))
			if err != nil {
				return nil
			}
			for _, in := range list {
				if err := salvageIntent(reader, w, in); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func salvageIntent(reader *blobReader, w *writer, in *intent) error {
	if in.settled > 0 {
		return nil // the rest of a removal that has begun: the next comparison finds it
	}
	list := make([]sides, len(in.changes))
	for i := range in.changes {
		for _, s := range []struct {
			id   int64
			into **content
		}{{in.changes[i].before, &list[i].before}, {in.changes[i].after, &list[i].after}} {
			b, err := blobOf(reader, s.id)
			if err != nil {
				return nil // the disk shows what became of it
			}
			if b != nil {
				c, err := b.content()
				if err != nil {
					return nil
				}
				*s.into = c
			}
		}
	}
	return w.open(in, list, 0, len(list))
}
