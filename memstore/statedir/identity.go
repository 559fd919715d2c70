package statedir

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// IdentityFile is the name of the file in a state folder that says which store the folder belongs to.
const IdentityFile = "store.json"

// identity is what the file has.
type identity struct {
	Path string `json:"path"` // of the store, real and absolute
}

// identityMost bounds the file of an identity, in bytes: a path has at most a few thousand.
const identityMost = 64 << 10

// Recorded returns the path of the store that the state folder dir belongs to. The error is fs.ErrNotExist where nothing says so.
func Recorded(dir string) (path string, err error) {
	f, err := os.Open(filepath.Join(dir, IdentityFile))
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, identityMost))
	if err != nil {
		return "", err
	}
	var id identity
	if json.Unmarshal(data, &id) != nil || !filepath.IsAbs(id.Path) {
		return "", fs.ErrNotExist // damaged: the next start writes it again
	}
	return id.Path, nil
}

// record notes in the state folder dir that it belongs to the store at storeDir.
func record(dir, storeDir string) error {
	path, err := Real(storeDir)
	if err != nil {
		return err
	}
	data, err := json.Marshal(identity{path})
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, IdentityFile), append(data, '\n'))
}

// WriteFile replaces a file of a state folder, whole or not at all. Only its owner can read it.
func WriteFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.tmp") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Folder is one state folder below a base.
type Folder struct {
	Dir  string // its own path
	Path string // of its store, as it was recorded; "" where it is unknown
	// Err is why the folder can't be read; nil: it can.
	Err error
}

// Orphaned reports whether the store of the folder is known and no longer where it was.
func (f Folder) Orphaned() bool {
	if f.Path == "" {
		return false
	}
	_, err := os.Lstat(f.Path)
	return errors.Is(err, fs.ErrNotExist)
}

// Known lists the state folders with a journal below base, as [All] does, of stores that are there.
func Known(base string) (there []Folder, err error) {
	all, err := All(base)
	for _, f := range all {
		if f.Path != "" && f.hasJournal() && !f.Orphaned() {
			there = append(there, f)
		}
	}
	return there, err
}

func (f Folder) hasJournal() bool {
	_, err := os.Lstat(filepath.Join(f.Dir, journalFile))
	return err == nil
}

// folderName is what [For] calls a folder.
var folderName = regexp.MustCompile(`^([a-z0-9-]+-)?[0-9a-f]{12}$`)

// All lists the state folders below base (empty: [Default]) with the paths of their stores, also folders that
// were renamed by hand. Anything else is skipped. A base that does not exist has none.
func All(base string) ([]Folder, error) {
	if base == "" {
		var err error
		if base, err = Default(); err != nil {
			return nil, err
		}
	}
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []Folder
	for _, e := range entries {
		f := Folder{Dir: filepath.Join(base, e.Name())}
		info, statErr := os.Stat(f.Dir) // a folder elsewhere that is linked to
		if statErr == nil && !info.IsDir() {
			continue
		}
		names, readErr := os.ReadDir(f.Dir)
		if readErr == nil && !isState(e.Name(), names) || errors.Is(readErr, fs.ErrNotExist) {
			continue
		}
		if f.Err = readErr; readErr == nil {
			var idErr error
			if f.Path, idErr = Recorded(f.Dir); idErr != nil && !errors.Is(idErr, fs.ErrNotExist) {
				f.Err = idErr
			}
		}
		list = append(list, f)
	}
	return list, err
}

// isState reports whether a folder is a state folder, by its name or its contents.
func isState(name string, entries []os.DirEntry) bool {
	if folderName.MatchString(name) {
		return true
	}
	for _, e := range entries {
		if e.Name() == IdentityFile || e.Name() == journalFile {
			return true
		}
	}
	return false
}

// journalFile is the name in package journal, which this package may not import.
const journalFile = "journal.db"
