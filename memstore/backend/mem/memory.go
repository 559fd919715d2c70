// Package mem keeps a store in memory, for replays and tests. It behaves like a directory, links included, and ends with the process.
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
// file system. It never modifies bytes that it was given or returned, only replaces them whole, so that an open [backend.File] keeps its
// contents. It is safe for concurrent use.
type Memory struct {
	device uint64
	turn   chan struct{} // holds a token while a writer has the lock

	mu     sync.RWMutex // guards everything below, nodes included
	root   *memNode
	ids    uint64
	closed bool
}

// memNode is one file, directory or link.
type memNode struct {
	info     backend.Info // Name and Size are filled in when requested
	data     []byte
	link     string
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
	switch k {
	case backend.KindDir:
		n.info.Mode = fs.ModeDir | 0o700
		n.children = map[string]*memNode{}
	case backend.KindLink:
		n.info.Mode = fs.ModeSymlink | 0o777
	default:
		n.info.Mode = 0o600
	}
	return n
}

func (n *memNode) describe(name string) backend.Info {
	i := n.info
	i.Name = name
	switch i.Kind {
	case backend.KindFile:
		i.Size = int64(len(n.data))
	case backend.KindLink:
		i.Size = int64(len(n.link))
	case backend.KindDir:
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

// Stat implements [backend.Backend].
func (m *Memory) Stat(name string) (backend.Info, error) { return m.stat(name, true) }

// Lstat implements [backend.Backend].
func (m *Memory) Lstat(name string) (backend.Info, error) { return m.stat(name, false) }

func (m *Memory) stat(name string, follow bool) (backend.Info, error) {
	release, err := m.use()
	if err != nil {
		return backend.Info{}, err
	}
	defer release()
	at, err := m.find(name, follow)
	if err != nil {
		return backend.Info{}, memError("stat", name, err)
	}
	return at.node.describe(path.Base(name)), nil
}

// ReadDir implements [backend.Backend].
func (m *Memory) ReadDir(name string) ([]backend.Info, error) {
	release, err := m.use()
	if err != nil {
		return nil, err
	}
	defer release()
	at, err := m.find(name, true)
	if err == nil && at.node.info.Kind != backend.KindDir {
		err = backend.ErrNotDir
	}
	if err != nil {
		return nil, memError("readdir", name, err)
	}
	list := make([]backend.Info, 0, len(at.node.children))
	for base, n := range at.node.children {
		list = append(list, n.describe(base))
	}
	slices.SortFunc(list, func(a, b backend.Info) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Readlink implements [backend.Backend].
func (m *Memory) Readlink(name string) (string, error) {
	release, err := m.use()
	if err != nil {
		return "", err
	}
	defer release()
	at, err := m.find(name, false)
	if err == nil && at.node.info.Kind != backend.KindLink {
		err = fs.ErrInvalid
	}
	if err != nil {
		return "", memError("readlink", name, err)
	}
	return at.node.link, nil
}

// Resolve implements [backend.Resolver].
func (m *Memory) Resolve(name string, last bool) (string, error) {
	release, err := m.use()
	if err != nil {
		return "", err
	}
	defer release()
	return backend.ResolveExisting(name, last, func(name string, last bool) (string, error) {
		at, err := m.find(name, last)
		if err != nil {
			return "", memError("resolve", name, err)
		}
		return at.name(), nil
	})
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
	return memFile{bytes.NewReader(at.node.data), at.node.describe(path.Base(name))}, nil
}

func (m *Memory) findFile(name string) (place memPlace, err error) {
	at, err := m.find(name, true)
	switch {
	case err != nil:
		return at, err
	case at.node.info.Kind == backend.KindDir:
		return at, fmt.Errorf("%w: %w", backend.ErrNotRegular, backend.ErrIsDir)
	case at.node.info.Kind != backend.KindFile:
		return at, backend.ErrNotRegular
	}
	return at, nil
}

// Create implements [backend.Backend].
func (m *Memory) Create(name string, data []byte) error {
	return m.add(name, backend.KindFile, func(n *memNode) { n.data = bytes.Clone(data) })
}

// Symlink makes a link at name. A target that begins with a slash is an agent
// path if it is /memories or below, and otherwise leads out of the store.
func (m *Memory) Symlink(target, name string) error {
	return m.add(name, backend.KindLink, func(n *memNode) { n.link = target })
}

func (m *Memory) add(name string, k backend.Kind, fill func(*memNode)) error {
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
	fill(n)
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
	_, err := m.find(name, false)
	if err == nil {
		return nil, backend.ErrExist
	}
	if !errors.Is(err, backend.ErrNotExist) {
		return nil, err
	}
	var missing []string
	dir := path.Dir(name)
	at, err := m.find(dir, true)
	for ; errors.Is(err, backend.ErrNotExist); at, err = m.find(dir, true) {
		if _, err := m.find(dir, false); err == nil {
			return nil, backend.ErrNotDir // a dangling link
		}
		missing = append(missing, path.Base(dir))
		dir = path.Dir(dir)
	}
	if err == nil && at.node.info.Kind != backend.KindDir {
		err = backend.ErrNotDir
	}
	if err != nil {
		return nil, err
	}
	for _, base := range append(missing, path.Base(name)) {
		if len(base) > backend.MaxName {
			return nil, backend.ErrNameTooLong
		}
	}
	parent := at.node
	for _, base := range slices.Backward(missing) {
		made := m.node(backend.KindDir)
		parent.set(base, made)
		parent = made
	}
	return parent, nil
}

// Replace implements [backend.Backend].
func (m *Memory) Replace(name string, old, data []byte) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	at, err := m.findFile(name)
	if errors.Is(err, backend.ErrNotExist) || (err == nil && !bytes.Equal(at.node.data, old)) {
		err = backend.ErrChanged
	}
	if err != nil {
		return memError("replace", name, err)
	}
	at.node.data = bytes.Clone(data)
	at.node.info.ModTime = time.Now()
	return nil
}

// Remove implements [backend.Backend].
func (m *Memory) Remove(name string) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	at, err := m.find(name, false)
	if err == nil && name == "." {
		err = backend.ErrRoot
	}
	if err != nil {
		return memError("remove", name, err)
	}
	at.parent().set(path.Base(name), nil)
	return nil
}

// Rename implements [backend.Backend].
func (m *Memory) Rename(oldname, newname string) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	at, err := m.find(oldname, false)
	if err == nil && oldname == "." {
		err = backend.ErrRoot
	}
	if err == nil {
		err = m.outside(at.node, newname)
	}
	if err != nil {
		return memError("rename", oldname, err)
	}
	dir, err := m.makeParents(newname)
	if err != nil {
		return memError("rename", newname, err)
	}
	at.parent().set(path.Base(oldname), nil)
	dir.set(path.Base(newname), at.node)
	return nil
}

// outside checks that the deepest existing directory of name is not below n.
func (m *Memory) outside(n *memNode, name string) error {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		at, err := m.find(dir, true)
		if err != nil && dir != "." {
			continue
		}
		if slices.ContainsFunc(at.trail, func(s memStep) bool { return s.node == n }) {
			return backend.ErrInside
		}
		return err
	}
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
