package memtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Place is a folder on disk with a store in it, for handlers that work on
// directories. It is empty at first; the caller that made it removes it.
type Place string

// Store is the path of the store, the folder memories.
func (p Place) Store() string { return filepath.Join(string(p), "memories") }

// outside is the folder beside the store.
func (p Place) outside() string { return filepath.Join(string(p), "outside") }

// Furnish makes the store of a vector and what is beside it. An error that wraps
// [errors.ErrUnsupported] says that this system cannot hold what the vector needs.
func (p Place) Furnish(v Vector) error {
	for _, dir := range []string{p.Store(), p.outside()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if slices.Contains(v.Needs, NeedsExactNames) {
		if err := p.keepsNames(); err != nil {
			return err
		}
	}
	for _, name := range v.Tree.Names() {
		disk := filepath.Join(p.Store(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(disk), 0o700); err != nil {
			return err
		}
		if err := p.make(disk, v.Tree[name]); err != nil {
			return err
		}
	}
	return nil
}

// keepsNames tries whether the file system knows names apart that differ in case, in normal
// form, or in dots at the end.
func (p Place) keepsNames() error {
	for _, pair := range [][2]string{{"name", "NAME"}, {"\u00e9", "e\u0301"}, {"dot", "dot."}} {
		first, second := filepath.Join(string(p), pair[0]), filepath.Join(string(p), pair[1])
		if err := write(first, ""); err != nil {
			return orUnsupported(err)
		}
		if err := write(second, ""); err != nil {
			return orUnsupported(err)
		}
		if err := errors.Join(os.Remove(first), os.Remove(second)); err != nil {
			return err
		}
	}
	return nil
}

func (p Place) make(disk string, n Node) error {
	switch {
	case n.Dir:
		return os.MkdirAll(disk, 0o700)
	case n.FIFO:
		return orUnsupported(makeFIFO(disk))
	case n.Link != "":
		return orUnsupported(os.Symlink(p.places().Replace(n.Link), disk))
	case n.Holes != 0:
		return orUnsupported(makeHoles(disk, n.Holes))
	}
	return write(disk, string(n.Data))
}

func (p Place) places() *strings.Replacer {
	return strings.NewReplacer(storePlace, p.Store(), outsidePlace, p.outside())
}

// write makes a file that must not be there yet: on file systems that fold case or normal forms two names of ours may be one.
func write(disk, data string) error {
	f, err := os.OpenFile(disk, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(data)
	return errors.Join(err, f.Close())
}

// makeHoles makes a large file without writing it.
func makeHoles(disk string, size int64) error {
	if err := write(disk, ""); err != nil {
		return err
	}
	return os.Truncate(disk, size)
}

// unsupported is what a system cannot make.
type unsupported struct{ error }

func (u unsupported) Is(target error) bool { return target == errors.ErrUnsupported }
func (u unsupported) Unwrap() error        { return u.error }

func orUnsupported(err error) error {
	if err == nil {
		return nil
	}
	return unsupported{err}
}

// readLimit is the size above which a file counts by its size alone.
const readLimit = 64 << 20

// Tree reads what is there now, beside the store too.
func (p Place) Tree() (Tree, error) {
	t := Tree{}
	if err := p.read(t, p.Store(), ""); err != nil {
		return nil, err
	}
	return t, p.read(t, p.outside(), outsideStore)
}

func (p Place) read(t Tree, root, prefix string) error {
	restore := strings.NewReplacer(p.Store(), storePlace, p.outside(), outsidePlace)
	return filepath.WalkDir(root, func(disk string, e fs.DirEntry, err error) error {
		if err != nil || disk == root {
			return err
		}
		rel, err := filepath.Rel(root, disk)
		if err != nil {
			return err
		}
		var n Node
		switch e.Type() {
		case fs.ModeDir:
			n.Dir = true
		case fs.ModeNamedPipe:
			n.FIFO = true
		case fs.ModeSymlink:
			n.Link, err = os.Readlink(disk)
			n.Link = restore.Replace(n.Link)
		default:
			n, err = readNode(disk, e)
		}
		t[prefix+filepath.ToSlash(rel)] = n
		return err
	})
}

func readNode(disk string, e fs.DirEntry) (n Node, err error) {
	info, err := e.Info()
	if err != nil {
		return n, err
	}
	if info.Size() > readLimit {
		return Node{Holes: info.Size()}, nil
	}
	n.Data, err = os.ReadFile(disk)
	return n, err
}
