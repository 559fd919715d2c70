package journal

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memcurator/memstore/journal/backup"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// Remedy is a verified copy from which a damaged journal can be repaired.
type Remedy struct {
	Copy backup.Copy
	Last int64 // the newest revision in it
	Had  int64 // the newest revision that the journal had, as far as the proof knows
	Read int64 // the newest revision up to which the damaged journal can be read beyond the copy; Last where it cannot
}

// FindRemedy finds the newest copy in a state folder that can be read to the end. ok is false if there is none.
func FindRemedy(ctx context.Context, dir string) (r Remedy, ok bool) {
	had, _ := sidecar.ReadProof(dir)
	for _, c := range backup.In(dir) {
		file := filepath.Join(dir, c.Name)
		if backup.Verify(ctx, file) != nil {
			continue
		}
		p, err := proofOf(file)
		if err != nil {
			continue
		}
		read, _ := salvageable(ctx, filepath.Join(dir, fileName), p, func(*exportedRevision, []*exportedBlob) error { return nil })
		return Remedy{Copy: c, Last: p.Last, Had: max(had.Last, read), Read: read}, true
	}
	return r, false
}

// proofOf makes the proof of a database that no process has open.
func proofOf(file string) (p sidecar.Proof, err error) {
	db, err := database.OpenReaders(file, true)
	if err != nil {
		return p, err
	}
	err = db.QueryRow(proofQuery).Scan(&p.ID, &p.Last)
	if err == nil {
		err = db.QueryRow("SELECT count(*) FROM revision").Scan(&p.Revisions)
	}
	return p, errors.Join(err, db.Close())
}

// Repair sets the damaged journal in a state folder aside and puts in its place a copy of the remedy, with what can be read of the
// damaged one beyond it. last is the newest revision that it has then. The journal must not be open in this process; ErrBusy where
// another process has it open. The next start records how the files differ. After a kill at any moment the next call completes the
// repair.
func Repair(ctx context.Context, dir string, r Remedy) (aside string, last int64, err error) {
	source, file := filepath.Join(dir, r.Copy.Name), filepath.Join(dir, fileName)
	if IsOpen(dir) || database.IsOpenElsewhere(file) {
		return "", 0, &past.Error{Op: "repair", Err: past.ErrBusy}
	}
	draft := backup.DraftPath(dir, "repair")
	p, err := prepareRepair(ctx, source, file, draft)
	if err != nil {
		return "", 0, failed("repair", errors.Join(err, removeDatabase(draft)))
	}
	if aside, err = moveAside(dir); err != nil {
		return "", 0, errors.Join(err, removeDatabase(draft))
	}
	if err := os.Rename(draft, file); err != nil {
		return aside, 0, failed("repair", err)
	}
	return aside, p.Last, failed("repair", sidecar.WriteProof(dir, p))
}

// prepareRepair makes the repaired journal in a draft. Where what the damaged one adds cannot be carried over, it is the copy alone.
func prepareRepair(ctx context.Context, source, damaged, draft string) (p sidecar.Proof, err error) {
	if p, err = proofOf(source); err != nil {
		return p, err
	}
	if err := errors.Join(removeDatabase(draft), duplicate(source, draft)); err != nil {
		return p, err
	}
	if err := salvage(ctx, damaged, draft, p); err != nil || backup.Verify(ctx, draft) != nil {
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if err := errors.Join(removeDatabase(draft), duplicate(source, draft), backup.Verify(ctx, draft)); err != nil {
			return p, err
		}
	}
	if p, err = proofOf(draft); err != nil {
		return p, err
	}
	return p, flushFile(draft)
}

// removeDatabase removes a database that no process has open, if it is there.
func removeDatabase(file string) (err error) {
	for _, end := range []string{"-wal", "-shm", ""} {
		if e := os.Remove(file + end); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// flushFile brings what is written of a file to the disk.
func flushFile(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// duplicate copies a file and flushes it.
func duplicate(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it is only read
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// SetAside puts the journal in a state folder, which is damaged and not open in this process, aside and returns its new name,
// so that a new one can begin; "" where nothing was left of it. ErrBusy where another process has it open.
func SetAside(dir string) (aside string, err error) {
	if aside, err = moveAside(dir); err != nil {
		return "", err
	}
	// The proof goes last: until then a journal that is gone is damage.
	if err := sidecar.RemoveProof(dir); err != nil {
		return "", failed("set aside", err)
	}
	_, err = backup.Remove(dir) // of a journal that is the user's no more
	return aside, failed("set aside", err)
}

// moveAside renames the files of a damaged journal; aside is "" where there was no database among them.
func moveAside(dir string) (aside string, err error) {
	file := filepath.Join(dir, fileName)
	if IsOpen(dir) || database.IsOpenElsewhere(file) {
		return "", &past.Error{Op: "set aside", Err: past.ErrBusy}
	}
	name := file + asideMark + time.Now().Format("20060102-150405")
	for _, end := range []string{database.LogSuffix, "-shm", ""} { // the log goes first: beside another database it would not be read as a log
		err := os.Rename(file+end, name+end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", failed("set aside", err)
		}
		if err == nil && end == "" {
			aside = name
		}
	}
	return aside, nil
}

// A repair begins with a verified copy. What the damaged journal has beyond it is carried over as far as it can be read:
// revisions in their order, with their makers and contents, then what was announced and not settled. The first row
// that is damaged ends it; what follows in the files is found by the next comparison.

// salvageable reads what a damaged journal has beyond a copy that ends at the proof from. It calls visit for each revision,
// with the contents that the revision names. read is the newest one; whole reports whether everything could be read.
func salvageable(ctx context.Context, file string, from sidecar.Proof,
	visit func(r *exportedRevision, blobs []*exportedBlob) error) (read int64, whole bool) {
	read = from.Last
	err := readDamaged(ctx, file, from.ID, func(reader *content.Reader) error {
		var list []*exportedRevision
		err := reader.Each(exportedRevisions+" WHERE r.rev > ? ORDER BY r.rev", []any{from.Last}, func(rows *sql.Rows) error {
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
func readDamaged(ctx context.Context, file, id string, read func(*content.Reader) error) error {
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		return errors.Join(err, past.ErrCorrupt)
	}
	db, err := database.OpenReaders(file, true)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it is only read
	if version, err := database.Version(db); err != nil || version != schema.Current {
		return errors.Join(err, past.ErrCorrupt)
	}
	return content.Read(ctx, db, func(reader *content.Reader) error {
		var p sidecar.Proof
		if err := reader.Row(proofQuery).Scan(&p.ID, &p.Last); err != nil || p.ID != id {
			return errors.Join(err, past.ErrCorrupt)
		}
		return read(reader)
	})
}

// blobOf reads a content and checks it; nil for 0.
func blobOf(reader *content.Reader, id int64) (b *exportedBlob, err error) {
	if id == 0 {
		return nil, nil
	}
	err = reader.Each(exportedBlobs+" WHERE id = ?", []any{id}, func(rows *sql.Rows) error {
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
		return w.tx(ctx, false, func() error {
			in.blobs = map[int64]int64{}
			for _, b := range blobs {
				b.Near = 0 // its base may be missing
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
	return errors.Join(err, w.Close())
}

// salvageIntents replaces the edits that were open when the copy was made by the open edits of the damaged journal. Where they cannot be
// read there are none: what the copy has is older.
func salvageIntents(ctx context.Context, file, id string, w *tableWriter) error {
	return w.tx(ctx, false, func() error {
		if err := errors.Join(w.Do("DELETE FROM intent_change"), w.Do("DELETE FROM intent")); err != nil {
			return err
		}
		return readDamaged(ctx, file, id, func(reader *content.Reader) error {
			list, err := scanIntents(reader.Query(openIntents + " ORDER BY i.id, c.n"))
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

func salvageIntent(reader *content.Reader, w *tableWriter, in *intent) error {
	if in.settled > 0 {
		return nil // the rest of an unfinished removal: the next comparison finds it
	}
	list := make([]sides, len(in.changes))
	for i := range in.changes {
		for _, s := range []struct {
			id   int64
			into **content.Content
		}{{in.changes[i].before, &list[i].before}, {in.changes[i].after, &list[i].after}} {
			b, err := blobOf(reader, s.id)
			if err != nil {
				return nil // the disk shows its outcome
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
