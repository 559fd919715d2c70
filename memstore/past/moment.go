package past

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"memcurator/memstore"
)

// Moment is the store as it was after one revision, as a [memstore.Backend] that can only be
// read: whoever reads a store through its backend reads the past the same way. Bytes come from the
// record when they are needed; what it has not kept is [memstore.ErrUnavailable] and
// [ErrNotKept]. Times are those of [Tree.Snapshot]. Every write is [memstore.ErrReadOnly]. Safe for concurrent
// use; Close does nothing, and the record must outlive it.
type Moment struct {
	tree     *Tree
	snapshot *memstore.Snapshot
	record   Contents
}

// Contents is where the bytes of a [Moment] are kept, such as a journal.
type Contents interface {
	Bytes(ctx context.Context, s Side) ([]byte, error)
}

var _ memstore.Backend = (*Moment)(nil)

// NewMoment returns the store as a tree of a record has it; its bytes come from the record.
func NewMoment(t *Tree, r Contents) *Moment {
	return &Moment{tree: t, snapshot: t.Snapshot(), record: r}
}

// Tree is what the store held.
func (m *Moment) Tree() *Tree { return m.tree }

// Snapshot is the same for lists and trees of files.
func (m *Moment) Snapshot() *memstore.Snapshot { return m.snapshot }

// linksMost bounds the links that a name leads through, as file systems do.
const linksMost = 40

// find finds what is at name; follow says whether a link there is followed. at is the name that it leads to. A link in the middle of a name
// leads nowhere.
func (m *Moment) find(op, name string, follow bool) (at string, n *memstore.Node, err error) {
	at = path.Clean(name)
	for hops := 0; ; hops++ {
		n = m.snapshot.Find(memstore.AgentPath(at))
		switch {
		case n == nil:
			return "", nil, &fs.PathError{Op: op, Path: name, Err: memstore.ErrNotExist}
		case n.Kind != memstore.KindLink || !follow:
			return at, n, nil
		}
		target, err := m.bytes(op, at)
		if err != nil {
			return "", nil, err
		}
		to := path.Join(path.Dir(at), string(target))
		if path.IsAbs(string(target)) || to == ".." || strings.HasPrefix(to, "../") {
			return "", nil, &fs.PathError{Op: op, Path: name, Err: memstore.ErrEscapes}
		}
		if hops == linksMost {
			return "", nil, &fs.PathError{Op: op, Path: name, Err: memstore.ErrLinkLoop}
		}
		at = to
	}
}

func (m *Moment) describe(op, name string, follow bool) (memstore.Info, error) {
	_, n, err := m.find(op, name, follow)
	if err != nil {
		return memstore.Info{}, err
	}
	i := n.Info
	i.Name = path.Base(name)
	return i, nil
}

// Stat implements [memstore.Backend].
func (m *Moment) Stat(name string) (memstore.Info, error) { return m.describe("stat", name, true) }

// Lstat implements [memstore.Backend].
func (m *Moment) Lstat(name string) (memstore.Info, error) { return m.describe("lstat", name, false) }

// ReadDir implements [memstore.Backend].
func (m *Moment) ReadDir(name string) ([]memstore.Info, error) {
	_, n, err := m.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	if n.Kind != memstore.KindDir {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: memstore.ErrNotDir}
	}
	list := make([]memstore.Info, len(n.Children))
	for i, c := range n.Children {
		list[i] = c.Info
	}
	return list, nil
}

// Readlink implements [memstore.Backend].
func (m *Moment) Readlink(name string) (string, error) {
	at, n, err := m.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	if n.Kind != memstore.KindLink {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	target, err := m.bytes("readlink", at)
	return string(target), err
}

func (m *Moment) bytes(op, name string) ([]byte, error) {
	e, ok := m.tree.Find(memstore.AgentPath(name))
	if !ok {
		return nil, &fs.PathError{Op: op, Path: name, Err: memstore.ErrNotExist}
	}
	data, err := m.record.Bytes(context.Background(), e.Side())
	if err != nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("%w: %w", memstore.ErrUnavailable, err)}
	}
	return data, nil
}

// Open implements [memstore.Backend].
func (m *Moment) Open(name string, _ memstore.Access) (memstore.File, error) {
	at, n, err := m.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if n.Kind != memstore.KindFile {
		return nil, &fs.PathError{Op: "open", Path: name, Err: memstore.ErrNotRegular}
	}
	data, err := m.bytes("open", at)
	if err != nil {
		return nil, err
	}
	return pastFile{bytes.NewReader(data), n.Info}, nil
}

// pastFile is a file of the past, held in memory.
type pastFile struct {
	*bytes.Reader
	info memstore.Info
}

func (f pastFile) Info() (memstore.Info, error) { return f.info, nil }
func (f pastFile) Close() error                 { return nil }

// refuse is the result of every write.
func (m *Moment) refuse(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: memstore.ErrReadOnly}
}

// Create implements [memstore.Backend].
func (m *Moment) Create(name string, _ []byte) error { return m.refuse("create", name) }

// Replace implements [memstore.Backend].
func (m *Moment) Replace(name string, _, _ []byte) error { return m.refuse("replace", name) }

// Remove implements [memstore.Backend].
func (m *Moment) Remove(name string) error { return m.refuse("remove", name) }

// Rename implements [memstore.Backend].
func (m *Moment) Rename(oldname, _ string) error { return m.refuse("rename", oldname) }

// Lock implements [memstore.Backend].
func (m *Moment) Lock(context.Context) (func(), error) { return nil, memstore.ErrReadOnly }

// Close implements [memstore.Backend].
func (m *Moment) Close() error { return nil }
