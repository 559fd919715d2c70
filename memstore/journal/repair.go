package journal

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// Remedy is a verified copy from which a damaged journal can be repaired.
type Remedy struct {
	Copy Copy
	Last int64 // the newest revision in it
	Had  int64 // the newest revision that the journal had, as far as the proof knows
	Read int64 // the newest revision up to which the damaged journal can be read beyond the copy; Last where it cannot
}

// FindRemedy finds the newest copy in a state folder that can be read to the end. ok is false if there is none.
func FindRemedy(ctx context.Context, dir string) (r Remedy, ok bool) {
	had, _ := sidecar.ReadProof(dir)
	for _, c := range CopiesIn(dir) {
		file := filepath.Join(dir, c.Name)
		if verify(ctx, file) != nil {
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
	db, err := openReaders(file, true)
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
	if isOpenElsewhere(file) {
		return "", 0, &past.Error{Op: "repair", Err: past.ErrBusy}
	}
	draft := file + copyingMark + "repair"
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
	if err := salvage(ctx, damaged, draft, p); err != nil || verify(ctx, draft) != nil {
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if err := errors.Join(removeDatabase(draft), duplicate(source, draft), verify(ctx, draft)); err != nil {
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
	_, err = RemoveCopies(dir) // of a journal that is the user's no more
	return aside, failed("set aside", err)
}
