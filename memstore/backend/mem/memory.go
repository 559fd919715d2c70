// Package mem keeps a store in memory, for replays and tests. It behaves like a directory without links, and ends with the process.
package mem

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"memcurator/memstore/backend"
)

// Memory is the [backend.Backend] that keeps a store in memory: for replay, previews and tests. It behaves like a directory on a Unix
// file system, but holds no links. It never modifies bytes that it was given or returned, only replaces them whole, so that an open
// [backend.File] keeps its contents. It is safe for concurrent use.
type Memory struct {
	device uint64
	turn   chan struct{} // holds a token while a writer has the lock

	mu     sync.RWMutex // guards everything below, nodes included
	root   *memNode
	ids    uint64
	closed bool
}

// memNode is one file or directory.
type memNode struct {
	info     backend.Info // Name and Size are filled in when requested
	data     []byte
	children map[string]*memNode
}

// memDirSize is the size of every directory, as on most file systems.
const memDirSize = 4096

// memories numbers the stores, so that their FileIDs differ.
var memories atomic.Uint64

// New makes an empty store in memory, a [*Memory].
func New() backend.Backend {
	m := &Memory{device: memories.Add(1), turn: make(chan struct{}, 1)}
	m.root = m.node(backend.KindDir)
	return m
}

func (m *Memory) node(k backend.Kind) *memNode {
	m.ids++
	n := &memNode{info: backend.Info{Kind: k, ModTime: time.Now(), ID: backend.FileID{Device: m.device, Inode: m.ids}}}
	if k == backend.KindDir {
		n.info.Mode = fs.ModeDir | 0o700
		n.children = map[string]*memNode{}
	} else {
		n.info.Mode = 0o600
	}
	return n
}

func (n *memNode) describe(name string) backend.Info {
	i := n.info
	i.Name, i.Size = name, int64(len(n.data))
	if i.Kind == backend.KindDir {
		i.Size = memDirSize
	}
	return i
}

func memError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// use takes the lock for reading, and fails if the store was closed.
func (m *Memory) use() (release func(), err error) {
	m.mu.RLock()
	if m.closed {
		m.mu.RUnlock()
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, fs.ErrClosed)
	}
	return m.mu.RUnlock, nil
}

// change takes the lock for writing, and fails if the store was closed.
func (m *Memory) change() (release func(), err error) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, fs.ErrClosed)
	}
	return m.mu.Unlock, nil
}

// find walks to name. The caller holds the lock.
func (m *Memory) find(name string) (*memNode, error) {
	at := m.root
	if name == "." {
		return at, nil
	}
	for base := range strings.SplitSeq(name, "/") {
		switch {
		case at.info.Kind != backend.KindDir:
			return nil, backend.ErrNotDir
		case len(base) > backend.MaxName:
			return nil, backend.ErrNameTooLong
		}
		if at = at.children[base]; at == nil {
			return nil, backend.ErrNotExist
		}
	}
	return at, nil
}

// Stat implements [backend.Backend].
func (m *Memory) Stat(name string) (backend.Info, error) { return m.Lstat(name) }

// Lstat implements [backend.Backend].
func (m *Memory) Lstat(name string) (backend.Info, error) {
	release, err := m.use()
	if err != nil {
		return backend.Info{}, err
	}
	defer release()
	at, err := m.find(name)
	if err != nil {
		return backend.Info{}, memError("stat", name, err)
	}
	return at.describe(path.Base(name)), nil
}

// ReadDir implements [backend.Backend].
func (m *Memory) ReadDir(name string) ([]backend.Info, error) {
	release, err := m.use()
	if err != nil {
		return nil, err
	}
	defer release()
	at, err := m.find(name)
	if err == nil && at.info.Kind != backend.KindDir {
		err = backend.ErrNotDir
	}
	if err != nil {
		return nil, memError("readdir", name, err)
	}
	list := make([]backend.Info, 0, len(at.children))
	for base, n := range at.children {
		list = append(list, n.describe(base))
	}
	slices.SortFunc(list, func(a, b backend.Info) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Readlink implements [backend.Backend].
func (m *Memory) Readlink(name string) (string, error) {
	if _, err := m.Lstat(name); err != nil {
		return "", err
	}
	return "", memError("readlink", name, fs.ErrInvalid)
}

// memFile is an open file with the bytes that it had when it was opened.
type memFile struct {
	*bytes.Reader
	info backend.Info
}

func (f memFile) Info() (backend.Info, error) { return f.info, nil }
func (f memFile) Close() error                { return nil }

// Open implements [backend.Backend].
func (m *Memory) Open(name string, _ backend.Access) (backend.File, error) {
	release, err := m.use()
	if err != nil {
		return nil, err
	}
	defer release()
	at, err := m.findFile(name)
	if err != nil {
		return nil, memError("open", name, err)
	}
	return memFile{bytes.NewReader(at.data), at.describe(path.Base(name))}, nil
}

func (m *Memory) findFile(name string) (*memNode, error) {
	at, err := m.find(name)
	if err == nil && at.info.Kind == backend.KindDir {
		err = fmt.Errorf("%w: %w", backend.ErrNotRegular, backend.ErrIsDir)
	}
	return at, err
}

// Create implements [backend.Backend].
func (m *Memory) Create(name string, data []byte) error {
	return m.add(name, backend.KindFile, bytes.Clone(data))
}

// MakeFolder implements [backend.FolderMaker].
func (m *Memory) MakeFolder(name string) error { return m.add(name, backend.KindDir, nil) }

func (m *Memory) add(name string, k backend.Kind, data []byte) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	dir, err := m.makeParents(name)
	if err != nil {
		return memError("create", name, err)
	}
	n := m.node(k)
	n.data = data
	dir.set(path.Base(name), n)
	return nil
}

func (n *memNode) set(base string, child *memNode) {
	if child == nil {
		delete(n.children, base)
	} else {
		n.children[base] = child
	}
	n.info.ModTime = time.Now()
}

// makeParents makes the missing directories above name and returns the
// lowest. It first checks that name doesn't exist and that all of them can be
// made.
func (m *Memory) makeParents(name string) (*memNode, error) {
	_, err := m.find(name)
	if err == nil {
		return nil, backend.ErrExist
	}
	if !errors.Is(err, backend.ErrNotExist) {
		return nil, err
	}
	bases := strings.Split(name, "/")
	if slices.ContainsFunc(bases, func(base string) bool { return len(base) > backend.MaxName }) {
		return nil, backend.ErrNameTooLong
	}
	at := m.root
	for _, base := range bases[:len(bases)-1] {
		next := at.children[base]
		if next == nil {
			next = m.node(backend.KindDir)
			at.set(base, next)
		}
		at = next
	}
	return at, nil
}

// parent is the directory that holds name, which exists.
func (m *Memory) parent(name string) *memNode {
	at, _ := m.find(path.Dir(name))
	return at
}

// Replace implements [backend.Backend].
func (m *Memory) Replace(name string, old, data []byte) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	at, err := m.findFile(name)
	if errors.Is(err, backend.ErrNotExist) || (err == nil && !bytes.Equal(at.data, old)) {
		err = backend.ErrChanged
	}
	if err != nil {
		return memError("replace", name, err)
	}
	at.data = bytes.Clone(data)
	at.info.ModTime = time.Now()
	return nil
}

// Remove implements [backend.Backend].
func (m *Memory) Remove(name string) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	_, err = m.find(name)
	if err == nil && name == "." {
		err = backend.ErrRoot
	}
	if err != nil {
		return memError("remove", name, err)
	}
	m.parent(name).set(path.Base(name), nil)
	return nil
}

// Rename implements [backend.Backend].
func (m *Memory) Rename(oldname, newname string) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	at, err := m.find(oldname)
	switch {
	case err != nil:
	case oldname == ".":
		err = backend.ErrRoot
	case strings.HasPrefix(newname, oldname+"/"):
		err = backend.ErrInside
	}
	if err != nil {
		return memError("rename", oldname, err)
	}
	dir, err := m.makeParents(newname)
	if err != nil {
		return memError("rename", newname, err)
	}
	m.parent(oldname).set(path.Base(oldname), nil)
	dir.set(path.Base(newname), at)
	return nil
}

// Stamp implements [backend.Stamper] for times. Permissions mean nothing in memory.
func (m *Memory) Stamp(name string, to backend.Stamps) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	found, err := m.find(name)
	if err != nil {
		return memError("chtimes", name, err)
	}
	if !to.ModTime.IsZero() {
		found.info.ModTime = to.ModTime
	}
	return nil
}

// Lock implements [backend.Backend].
func (m *Memory) Lock(ctx context.Context) (unlock func(), err error) {
	release, err := m.use()
	if err != nil {
		return nil, err
	}
	release()
	if ctx.Err() == nil {
		select {
		case m.turn <- struct{}{}:
			return sync.OnceFunc(func() { <-m.turn }), nil
		case <-ctx.Done():
		}
	}
	return nil, fmt.Errorf("%w: %w", backend.ErrBusy, context.Cause(ctx))
}

// Close implements [backend.Backend].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.root = true, nil
	return nil
}
