package adapt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Store is the [backend.Backend] of another program's memory. It reads the memory whole, and again whenever one of its files changed.
type Store struct {
	adapter Adapter
	files   []string // the first is that of the memory, without links
	locks   *dir.Dir // the folder of the program's file, for the lock among our processes

	mu     sync.Mutex // guards what is below; the trees themselves don't change
	tree   *tree
	stamps stamps
	number uint64 // of the tree
	closed bool
}

// Open opens the memory at a path with an adapter. It reads nothing yet.
func Open(a Adapter, file string) (*Store, error) {
	named, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	named, err = filepath.EvalSymlinks(named)
	if err != nil {
		return nil, err
	}
	locks, err := dir.Open(filepath.Dir(named), dir.Options{})
	if err != nil {
		return nil, err
	}
	files := []string{named}
	for _, ending := range a.Beside {
		files = append(files, named+ending)
	}
	return &Store{adapter: a, files: files, locks: locks}, nil
}

// Troubles implements [backend.Adapted].
func (s *Store) Troubles() ([]string, error) {
	t, err := s.current()
	if err != nil {
		return nil, err
	}
	return t.image.Problems, nil
}

// KnownTroubles are the troubles of the memory as it was last read. It reads nothing.
func (s *Store) KnownTroubles() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tree == nil {
		return nil
	}
	return s.tree.image.Problems
}

// Record returns what is known of a file beside its text; false for a folder and for a missing file.
func (s *Store) Record(name string) (Record, bool) {
	t, err := s.current()
	if err != nil {
		return Record{}, false
	}
	e := t.entries[name]
	if e == nil {
		return Record{}, false
	}
	r := e.Record()
	r.ID, r.Expires = e.ID, e.Expires
	return r, true
}

// Expiring returns the files that the program lets expire, and when, by their names.
func (s *Store) Expiring() map[string]time.Time {
	all := map[string]time.Time{}
	if t, err := s.current(); err == nil {
		for i := range t.image.Entries {
			if e := &t.image.Entries[i]; !e.Expires.IsZero() {
				all[e.Name] = e.Expires
			}
		}
	}
	return all
}

// Files implements [backend.Adapted].
func (s *Store) Files() []string { return s.files }

// Version implements [backend.Adapted].
func (s *Store) Version() (uint64, error) {
	if _, err := s.current(); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.number, nil
}

// current returns the tree of the files as they are now.
func (s *Store) current() (*tree, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, fs.ErrClosed)
	}
	now := stampsOf(s.files)
	if s.tree != nil && slices.EqualFunc(now, s.stamps, sameStamp) {
		return s.tree, nil
	}
	image, err := s.adapter.Read(context.Background(), s.files[0])
	if err != nil {
		return nil, err
	}
	s.stamps = now // those of before: a change during the reading is seen by the next call
	if s.tree != nil && s.tree.image.Digest == image.Digest && s.tree.image.ReadOnly == image.ReadOnly {
		return s.tree, nil
	}
	s.number++
	s.tree = plant(s.files[0], image, s.tree, now.newest())
	return s.tree, nil
}

// stamps describe the files, nil for one that isn't there; they change when a file does.
type stamps []fs.FileInfo

func stampsOf(files []string) stamps {
	list := make(stamps, len(files))
	for i, name := range files {
		if info, err := os.Stat(name); err == nil {
			list[i] = info
		}
	}
	return list
}

func sameStamp(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

func (s stamps) newest() (t time.Time) {
	for _, at := range s {
		if at != nil && at.ModTime().After(t) {
			t = at.ModTime()
		}
	}
	return t
}

func failed(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

// find returns the node at a name.
func (s *Store) find(op, name string) (*tree, *backend.Node, error) {
	t, err := s.current()
	if err != nil {
		return nil, nil, err
	}
	n, err := t.find(name)
	if err != nil {
		return t, nil, failed(op, name, err)
	}
	return t, n, nil
}

// Stat implements [backend.Backend].
func (s *Store) Stat(name string) (backend.Info, error) { return s.Lstat(name) }

// Lstat implements [backend.Backend].
func (s *Store) Lstat(name string) (backend.Info, error) {
	_, n, err := s.find("stat", name)
	if err != nil {
		return backend.Info{}, err
	}
	return n.Info, nil
}

// ReadDir implements [backend.Backend].
func (s *Store) ReadDir(name string) ([]backend.Info, error) {
	_, n, err := s.find("readdir", name)
	if err == nil && n.Kind != backend.KindDir {
		err = failed("readdir", name, backend.ErrNotDir)
	}
	if err != nil {
		return nil, err
	}
	list := make([]backend.Info, len(n.Children))
	for i, child := range n.Children {
		list[i] = child.Info
	}
	return list, nil
}

// Readlink implements [backend.Backend]. There are no links.
func (s *Store) Readlink(name string) (string, error) {
	_, _, err := s.find("readlink", name)
	if err == nil {
		err = failed("readlink", name, fs.ErrInvalid)
	}
	return "", err
}

// file is an open file with the bytes that it had when it was opened.
type file struct {
	*bytes.Reader
	info backend.Info
}

func (f file) Info() (backend.Info, error) { return f.info, nil }
func (f file) Close() error                { return nil }

// errFolder is the error for a folder that is opened as a file.
var errFolder = fmt.Errorf("%w: %w", backend.ErrNotRegular, backend.ErrIsDir)

// Open implements [backend.Backend].
func (s *Store) Open(name string, _ backend.Access) (backend.File, error) {
	t, n, err := s.find("open", name)
	if err == nil && n.Kind == backend.KindDir {
		err = failed("open", name, errFolder)
	}
	if err != nil {
		return nil, err
	}
	return file{bytes.NewReader(t.entries[name].Text), n.Info}, nil
}

// edit works out an edit, if the memory can be changed.
func (t *tree) edit(e Edit) (edited Edited, err error) {
	if t.image.ReadOnly != "" {
		return edited, &backend.Refusal{Why: t.image.ReadOnly, Fixed: true}
	}
	if e.New != nil {
		if err := t.fixed(e.Name); err != nil {
			return edited, err
		}
	}
	edited, err = t.image.Editor.Edit(e)
	if err == nil && e.Exact && !bytes.Equal(edited.Text, e.New) {
		err = &backend.Refusal{Why: "The program's file can't keep this text as it is"}
	}
	return edited, err
}

// changing carries out an edit of something that is there; check may refuse it.
func (s *Store) changing(op string, e Edit, check func(t *tree, was *Entry) error) error {
	t, _, err := s.find(op, e.Name)
	if err == nil {
		if err = check(t, t.entries[e.Name]); err == nil {
			return s.write(op, t, e)
		}
		err = failed(op, e.Name, err)
	}
	return err
}

func (s *Store) write(op string, t *tree, e Edit) error {
	edited, err := t.edit(e)
	if err == nil {
		err = edited.Write(context.Background())
	}
	if err != nil {
		return failed(op, e.Name, err)
	}
	s.mu.Lock()
	s.stamps = nil // whatever they are now, the memory has changed
	s.mu.Unlock()
	return nil
}

// Create implements [backend.Backend].
func (s *Store) Create(name string, data []byte) error {
	t, _, err := s.find("create", name)
	switch {
	case err == nil:
		return failed("create", name, backend.ErrExist)
	case !errors.Is(err, backend.ErrNotExist):
		return err
	}
	return s.write("create", t, Edit{Name: name, New: present(data), Exact: true})
}

// present is a copy that isn't nil.
func present(data []byte) []byte { return append(make([]byte, 0, len(data)), data...) }

// Replace implements [backend.Backend].
func (s *Store) Replace(name string, old, data []byte) error {
	err := s.changing("replace", Edit{Name: name, New: present(data), Exact: true}, func(_ *tree, was *Entry) error {
		switch {
		case was == nil:
			return errFolder
		case !bytes.Equal(was.Text, old):
			return backend.ErrChanged
		}
		return nil
	})
	if errors.Is(err, backend.ErrNotExist) {
		return failed("replace", name, backend.ErrChanged)
	}
	return err
}

// Remove implements [backend.Backend].
func (s *Store) Remove(name string) error {
	return s.changing("remove", Edit{Name: name}, func(*tree, *Entry) error {
		if name == "." {
			return backend.ErrRoot
		}
		return nil
	})
}

// Rename implements [backend.Backend].
func (s *Store) Rename(oldname, newname string) error {
	return s.changing("rename", Edit{Name: oldname, To: newname}, func(t *tree, was *Entry) error {
		_, err := t.find(newname)
		switch {
		case oldname == ".":
			return backend.ErrRoot
		case backend.IsBelow(newname, oldname) || newname == oldname && was == nil:
			return backend.ErrInside
		case err == nil:
			return backend.ErrExist
		case !errors.Is(err, backend.ErrNotExist):
			return err
		}
		return nil
	})
}

// Form implements [backend.Adapted].
func (s *Store) Form(name string, data []byte) ([]byte, error) {
	return s.text(Edit{Name: name, New: present(data)})
}

// Renamed implements [backend.Adapted].
func (s *Store) Renamed(name, newname string) ([]byte, error) {
	return s.text(Edit{Name: name, To: newname})
}

// text is that of a file after an edit.
func (s *Store) text(e Edit) ([]byte, error) {
	t, err := s.current()
	if err != nil {
		return nil, err
	}
	edited, err := t.edit(e)
	return edited.Text, err
}

// Changes implements [backend.Partial].
func (s *Store) Changes(name string) error {
	t, _, err := s.find("replace", name)
	if err != nil {
		return err
	}
	if err := t.fixed(name); err != nil {
		return failed("replace", name, err)
	}
	return nil
}

// MakeFolder implements [backend.FolderMaker]. A folder is there as long as something is in it.
func (s *Store) MakeFolder(string) error { return nil }

// PathOf implements [backend.PathFinder]: every record is in the file of the program.
func (s *Store) PathOf(string) string { return s.files[0] }

// Lock implements [backend.Backend]. The lock is that of the folder which has the program's file, where it leaves nothing.
func (s *Store) Lock(ctx context.Context) (unlock func(), err error) {
	return s.locks.Lock(ctx)
}

// Close implements [backend.Backend].
func (s *Store) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed, s.tree = true, nil
	s.mu.Unlock()
	if closed {
		return nil
	}
	return s.locks.Close()
}
