package journal

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Remedy is a verified copy from which a damaged journal can be repaired.
type Remedy struct {
	Copy Copy
	Last int64 // the newest revision in it
	Had  int64 // the newest revision that the journal had, as far as the proof knows
}

// FindRemedy looks for the newest copy in a state folder that can be read to the end. ok is false where there is none.
func FindRemedy(ctx context.Context, dir string) (r Remedy, ok bool) {
	had, _ := readProof(dir)
	for _, c := range CopiesIn(dir) {
		file := filepath.Join(dir, c.Name)
		if verify(ctx, file) != nil {
			continue
		}
		p, err := proofOf(file)
		if err != nil {
			continue
		}
		return Remedy{Copy: c, Last: p.Last, Had: max(had.Last, p.Last)}, true
	}
	return r, false
}

// proofOf makes the proof of a database that no process has open.
func proofOf(file string) (p proof, err error) {
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

// Repair sets the damaged journal in a state folder aside and puts a copy of the remedy in its place. The journal must not be open
// in this process; ErrBusy where another process has it open. The next start records how the files differ from the copy. After a
// kill at any moment the next call completes the repair.
func Repair(ctx context.Context, dir string, r Remedy) (aside string, err error) {
	source, file := filepath.Join(dir, r.Copy.Name), filepath.Join(dir, FileName)
	p, err := proofOf(source)
	if err != nil {
		return "", failed("repair", err)
	}
	draft := file + copyingMark + "repair"
	if err := duplicate(source, draft); err != nil {
		return "", failed("repair", errors.Join(err, os.Remove(draft)))
	}
	if err := verify(ctx, draft); err != nil {
		return "", failed("repair", errors.Join(err, os.Remove(draft)))
	}
	if aside, err = moveAside(dir); err != nil {
		return "", errors.Join(err, os.Remove(draft))
	}
	if err := os.Rename(draft, file); err != nil {
		return aside, failed("repair", err)
	}
	return aside, failed("repair", writeProof(dir, p))
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
	if err := os.Remove(filepath.Join(dir, ProofName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", failed("set aside", err)
	}
	_, err = RemoveCopies(dir) // of a journal that is the user's no more
	return aside, failed("set aside", err)
}
