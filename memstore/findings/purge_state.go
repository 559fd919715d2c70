package findings

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"memcurator/memstore/journal"
	"memcurator/memstore/statedir"
)

// hashed are files not searched for values in context: those of a [State], which contain keyed hashes; the key; and the identity of the
// store, which is its path. Labels of dismissals may contain a file name, and are cleaned.
var hashed = map[string]bool{keyFile: true, dismissalsFile: true, purgedFile: true, statedir.IdentityFile: true}

// inUse reports whether a file of a state folder belongs to the open journal.
func inUse(base string) bool {
	return journal.KindOf(base) == journal.DatabaseFile
}

// stateFolder is a state folder to search, and how a report labels its files.
type stateFolder struct {
	dir   string
	label string // prefix of file names in reports; "" for the store's own
}

// cleanState removes the values from the rest of the state folder: what the interface remembers, texts that could not be saved. It
// changes only files that contain a value. Journals set aside as damaged, and copies of a journal, can only be removed whole.
func (s *Scrubber) cleanState(ctx context.Context, p *Purged) error {
	if s.StateDir == "" {
		return nil
	}
	s.Report(stepState, 0, 1)
	var all []string
	err := filepath.WalkDir(s.StateDir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(ctx.Err(), leftToProof(err))
		}
		if journal.KindOf(e.Name()) == journal.CopyFile {
			return nil // kept in case this purge damages the journal; removed at the end
		}
		if at != s.StateDir && !inUse(e.Name()) && (!hashed[e.Name()] || e.Name() == dismissalsFile) {
			all = append(all, at)
		}
		return nil
	})
	for _, at := range slices.Backward(all) { // children before their folder
		if err == nil {
			err = cmp.Or(ctx.Err(), leftToProof(s.cleanEntry(at, p)))
		}
	}
	s.Report(stepState, 1, 1)
	return err
}

// cleanEntry cleans one file or folder of a state folder, and its name.
func (s *Scrubber) cleanEntry(at string, p *Purged) error {
	rel, _ := filepath.Rel(s.StateDir, at) // at is below it
	rel = filepath.ToSlash(rel)
	info, err := os.Lstat(at)
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() {
		gone := journal.KindOf(info.Name()) == journal.AsideFile || isDatabase(at)
		touched := false
		if !gone {
			if touched, err = s.cleanFile(at); err != nil {
				return err
			}
		}
		if gone {
			p.Removed = append(p.Removed, rel)
			return os.Remove(at)
		}
		if touched && !slices.Contains(p.State, rel) {
			p.State = append(p.State, rel)
		}
	}
	base := filepath.Base(at)
	clean := journal.RedactName(base, s.redactName)
	if clean == base {
		return nil
	}
	return os.Rename(at, filepath.Join(filepath.Dir(at), journal.FreeName(clean, func(name string) bool {
		_, err := os.Lstat(filepath.Join(filepath.Dir(at), name))
		return err == nil
	})))
}

// leftToProof drops errors about a single file, which the proof will report.
func leftToProof(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// databaseMagic begins every SQLite file.
const databaseMagic = "SQLite format 3\x00"

// isDatabase reports whether a file of a state folder other than the open journal is a database: a user's copy of a journal. Its contents
// are compressed, in pages that need not be adjacent.
func isDatabase(at string) bool {
	f, err := os.Open(at)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(databaseMagic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == databaseMagic
}

// Aside returns the names of journals that were set aside as damaged, and of copies of the journal, in the state folder. A purge removes
// them all.
func Aside(stateDir string) (names []string) {
	entries, _ := os.ReadDir(stateDir) // an unreadable folder is reported where it matters
	for _, e := range entries {
		if journal.KindOf(e.Name()) == journal.AsideFile ||
			e.Type().IsRegular() && !inUse(e.Name()) && isDatabase(filepath.Join(stateDir, e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names
}

// cleanFile rewrites a file if it contains a chosen value, also as JSON writes it.
func (s *Scrubber) cleanFile(at string) (touched bool, err error) {
	info, err := os.Stat(at)
	if err != nil || info.Size() > maxFile {
		return false, err
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return false, err
	}
	clean, _ := s.Clean(filepath.Base(at), data)
	if bytes.Equal(clean, data) {
		return false, nil
	}
	return true, statedir.WriteFile(at, clean)
}
