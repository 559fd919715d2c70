package findings

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore/journal"
	"memcurator/memstore/journal/purge"
	"memcurator/memstore/statedir"
)

// hashed are files that are not looked through for values in context: those of a [Memory], which hold hashes with a key, and
// the key, the identity of the store, whose numbers look like those of cards, the proof that there was a journal, and
// the reserve, which the journal empties itself when it is purged. The labels of dismissals may have a name of a file
// in them, and are cleaned.
var hashed = map[string]bool{keyFile: true, dismissalsFile: true, cacheFile: true, statedir.IdentityFile: true}

func isHashed(base string) bool { return hashed[base] || journal.KindOf(base) == journal.CountsFile }

// inUse reports whether a file of a state folder belongs to the journal that is in use.
func inUse(base string) bool {
	kind := journal.KindOf(base)
	return kind == journal.DatabaseFile || kind == journal.EndingsFile
}

// stateFolder is a folder of state that is cleaned or searched, with what its files are called in a report.
type stateFolder struct {
	dir   string
	label string // before the name of a file: "" in the store's own
}

// cleanState removes the values from the rest of a state folder: what the interface remembers, copies that an
// editor had, leftovers of writes that were killed. Only files that hold a value are touched. A journal that
// was put aside is damaged, so that it can only be removed whole, and so are copies of a journal.
func (s *Scrubber) cleanState(ctx context.Context, of stateFolder, p *Purged) error {
	if of.dir == "" {
		return nil
	}
	s.Report(stepState, 0, 1)
	var all []string
	err := filepath.WalkDir(of.dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(ctx.Err(), leftToProof(err))
		}
		if e.IsDir() && at != of.dir && strings.HasPrefix(e.Name(), exportDirs) {
			if err := os.RemoveAll(at); err != nil { // of a purge that was killed
				return err
			}
			return fs.SkipDir
		}
		if of.dir == s.StateDir && journal.KindOf(e.Name()) == journal.CopyFile {
			return nil // it is there should this purge spoil the journal, and goes when nothing is left
		}
		if at != of.dir && !inUse(e.Name()) && (!isHashed(e.Name()) || e.Name() == dismissalsFile) {
			all = append(all, at)
		}
		return nil
	})
	for _, at := range slices.Backward(all) { // what a folder holds before the folder
		if err == nil {
			err = cmp.Or(ctx.Err(), leftToProof(s.cleanEntry(of, at, p)))
		}
	}
	s.Report(stepState, 1, 1)
	return err
}

// cleanEntry cleans one file or folder of a state folder, and its name.
func (s *Scrubber) cleanEntry(of stateFolder, at string, p *Purged) error {
	rel, _ := filepath.Rel(of.dir, at) // at is below it
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
			gone, err = s.isSpent(at, rel)
		}
		if err == nil && gone {
			p.Removed = append(p.Removed, of.label+rel)
			return os.Remove(at)
		}
		if err != nil {
			return err
		}
		if touched && !slices.Contains(p.State, of.label+rel) {
			p.State = append(p.State, of.label+rel)
		}
	}
	base := filepath.Base(at)
	clean := purge.RedactName(base, s.redactName)
	if clean == base {
		return nil
	}
	return os.Rename(at, filepath.Join(filepath.Dir(at), purge.FreeName(clean, func(name string) bool {
		_, err := os.Lstat(filepath.Join(filepath.Dir(at), name))
		return err == nil
	})))
}

// isSpent reports whether a file that still holds a value is of no use to anybody: left by a write or an editor that was killed.
func (s *Scrubber) isSpent(at, rel string) (bool, error) {
	base := path.Base(rel)
	if !swapName(base) && !strings.HasSuffix(base, ".tmp") && !strings.HasPrefix(rel, "edit-") {
		return false, nil
	}
	f, err := os.Open(at)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > s.MaxFile {
		return false, err
	}
	text := make([]byte, info.Size())
	n, err := f.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return s.holdsAny(text[:n]), nil
}

// leftToProof drops errors about one file that the proof reports when it comes to that file.
func leftToProof(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// databaseMagic is what a file of SQLite begins with.
const databaseMagic = "SQLite format 3\x00"

// isDatabase reports whether a file of a state folder that is not the journal in use is a database all the same: a copy that
// a user made of a journal. Its contents are compressed, in pages that need not be adjacent.
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

// Aside are the journals in the state folder that were put aside as damaged, and copies of the journal, all of which a purge
// removes: their names.
func Aside(stateDir string) (names []string) {
	entries, _ := os.ReadDir(stateDir) // a folder that cannot be read says so where it matters
	for _, e := range entries {
		if journal.KindOf(e.Name()) == journal.AsideFile ||
			e.Type().IsRegular() && !inUse(e.Name()) && isDatabase(filepath.Join(stateDir, e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names
}

// cleanFile rewrites one file where it holds a value; JSON string by string, so that it can be read afterwards.
func (s *Scrubber) cleanFile(at string) (touched bool, err error) {
	info, err := os.Stat(at)
	if err != nil || info.Size() > s.MaxFile {
		return false, err
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return false, err
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	clean := data
	if d.Decode(&v) == nil && !d.More() {
		if s.cleanJSON(&v) {
			if clean, err = json.Marshal(v); err != nil {
				return false, err
			}
		}
	} else {
		clean, _ = s.Clean(filepath.Base(at), data)
	}
	if bytes.Equal(clean, data) {
		return false, nil
	}
	return true, writeFile(at, clean)
}

// cleanJSON cleans every string of a value, keys too.
func (s *Scrubber) cleanJSON(v *any) (changed bool) {
	switch x := (*v).(type) {
	case string:
		clean, _ := s.Clean("", []byte(x))
		if changed = string(clean) != x; changed {
			*v = string(clean)
		}
	case []any:
		for i := range x {
			changed = s.cleanJSON(&x[i]) || changed
		}
	case map[string]any:
		for key, inner := range x {
			changed = s.cleanJSON(&inner) || changed
			clean, _ := s.Clean("", []byte(key))
			if string(clean) != key {
				delete(x, key)
				changed = true
			}
			x[string(clean)] = inner
		}
	}
	return changed
}
