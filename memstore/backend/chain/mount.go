package chain

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// mount is a folder of this machine that holds files of the chain, under a name of the store.
type mount struct {
	name  string // "4-project"; "" for a folder that only imports and links lead to
	disk  string // absolute, without links
	owner scope

	mu     sync.Mutex
	opened *dir.Dir
	closed bool
}

// scope is the audience of a folder: all users, the user, or a project.
type scope uint8

const (
	forSystem scope = iota
	forUser
	forAbove
	forProject
	elsewhere // read-only; opened for each access, since there may be many
)

// readOnly reports whether nothing is written in the scope.
func (s scope) readOnly() bool { return s == forSystem || s == elsewhere }

// use calls do with the folder. With making, a missing folder is made first.
func (m *mount) use(making bool, do func(*dir.Dir) error) error {
	d, done, err := m.open(making)
	if err != nil {
		return err
	}
	defer done()
	return do(d)
}

// open returns the folder and what to call after using it.
func (m *mount) open(making bool) (d *dir.Dir, done func(), err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, nil, backend.ErrUnavailable
	}
	if m.opened != nil {
		return m.opened, func() {}, nil
	}
	d, err = dir.Open(m.disk, dir.Options{Create: making && !m.owner.readOnly()})
	if err != nil {
		return nil, nil, err
	}
	if m.owner.readOnly() {
		return d, func() { _ = d.Close() }, nil // it was only read
	}
	m.opened = d
	return d, func() {}, nil
}

func (m *mount) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	if m.opened != nil {
		_ = m.opened.Close() // every write is on disk already
		m.opened = nil
	}
}

// rel returns the name below the folder of a path without links; ok is false for a path outside.
func (m *mount) rel(path string) (rel string, ok bool) { return relTo(m.disk, path) }

// relTo is the slash-separated name of a path below a folder.
func relTo(folder, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(folder, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// path is where a name below the folder is on this machine.
func (m *mount) path(rel string) string { return filepath.Join(m.disk, filepath.FromSlash(rel)) }

// Names in the store spell the dot that hides a name.
const dot = "dot-"

// shown is the name in the store of a name on disk. ok is false for one that would collide, or would not be listed.
func shown(rel string) (name string, ok bool) {
	if rel == "." {
		return "", true
	}
	segments := strings.Split(rel, "/")
	for i, s := range segments {
		switch {
		case s == "node_modules" || strings.HasPrefix(s, dot) || backend.TempName(s):
			return "", false
		case strings.HasPrefix(s, "."):
			segments[i] = dot + s[1:]
		}
	}
	return strings.Join(segments, "/"), true
}

// onDisk is the inverse of shown.
func onDisk(name string) string {
	segments := strings.Split(name, "/")
	for i, s := range segments {
		if rest, ok := strings.CutPrefix(s, dot); ok {
			segments[i] = "." + rest
		}
	}
	return strings.Join(segments, "/")
}

// isGone reports whether a folder can't be used because it isn't there.
func isGone(err error) bool {
	return errors.Is(err, backend.ErrUnavailable) || errors.Is(err, backend.ErrNotExist) || errors.Is(err, backend.ErrNotDir)
}
