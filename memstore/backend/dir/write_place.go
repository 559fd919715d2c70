package dir

import (
	"errors"
	"os"
	"path"
	"runtime"
	"strings"

	"memcurator/memstore/backend"
)

// place is the location of a name: its opened directory and the last segment.
// A write uses one place from its first step to its last, so that swapping a
// folder meanwhile has no effect.
type place struct {
	folder // the directory
	h      *openRoot
	dir    string // its name below the store's root, acceptable to the Root
	base   string
	chain  []madeDir // directories made on the way, outermost first
	owned  bool      // close root with the place
}

// madeDir is a directory made for a write, seen from its parent.
type madeDir struct {
	parent *os.Root
	owned  bool // close parent with the place
	name   string
	info   os.FileInfo
}

func (p *place) close() {
	if p.owned {
		_ = p.root.Close()
	}
	for _, m := range p.chain {
		if m.owned {
			_ = m.parent.Close()
		}
	}
}

// full is the name below the store's root.
func (p *place) full() string { return path.Join(p.dir, p.base) }

// split cuts name into its directory and the last segment.
func split(name string) (dir, base string) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return ".", name
	}
	return name[:i], name[i+1:]
}

// place opens the parent directory of name.
func (h *openRoot) place(name string) (place, error) {
	dir, base := split(name)
	if dir == "." {
		return place{folder: h.folder(h.root), h: h, dir: dir, base: base}, nil
	}
	root, err := openFolder(h.root, dir)
	if h.needsHand(err) {
		if dir, err = h.resolve(dir, true); err == nil {
			root, err = openFolder(h.root, dir)
		}
	}
	if err != nil {
		return place{}, err
	}
	return place{folder: h.folder(root), h: h, dir: dir, base: base, owned: true}, nil
}

// inPlace runs a write in the parent directory of name.
func (d *Dir) inPlace(name string, do func(p *place) error) error {
	return at(name, d.handles.acquireToWrite, do)
}

// at runs do in the parent directory of name, in the store that acquire opens.
func at(name string, acquire func() (*openRoot, error), do func(p *place) error) error {
	h, err := acquire()
	if err != nil {
		return err
	}
	defer h.release()
	p, err := h.place(name)
	if err != nil {
		return h.fail(err)
	}
	defer p.close()
	return h.fail(do(&p))
}

// inNewPlace runs a write in the parent directory of name, which it makes if needed. If the write fails, it removes what it made.
func (d *Dir) inNewPlace(name string, do func(p *place) error) error {
	h, err := d.handles.acquireToWrite()
	if err != nil {
		return err
	}
	defer h.release()
	p, err := h.makePlace(name)
	if err != nil {
		return h.fail(err)
	}
	if err := do(&p); err != nil {
		p.unmake()
		return h.fail(err)
	}
	p.remember()
	p.close()
	return nil
}

// folder is an open directory of the store, for writes.
func (h *openRoot) folder(root *os.Root) folder { return folder{root, h.of.fault} }

// openFolder opens a directory as a Root. The final dot makes the system
// refuse anything else; otherwise it would block on a FIFO.
func openFolder(root *os.Root, dir string) (*os.Root, error) {
	return root.OpenRoot(dir + "/.")
}

// makePlace is place, but makes missing directories, mode 0700 whatever the
// umask. If the write fails, unmake removes them again.
func (h *openRoot) makePlace(name string) (place, error) {
	p, err := h.place(name)
	if err == nil || !errors.Is(err, backend.ErrNotExist) {
		return p, err
	}
	dir, base := split(name)
	var missing []string
	for errors.Is(err, backend.ErrNotExist) {
		var last string
		dir, last = split(dir)
		missing = append(missing, last)
		p, err = h.place(path.Join(dir, "x"))
	}
	if err != nil {
		return place{}, err
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := p.descend(missing[i]); err != nil {
			p.unmake()
			return place{}, err
		}
	}
	p.base = base
	return p, nil
}

// descend makes the directory name in p and moves p into it.
func (p *place) descend(name string) error {
	err := p.fault.check(stepMkdir)
	if err == nil {
		err = p.root.Mkdir(name, 0o700)
	}
	made := madeDir{parent: p.root, owned: p.owned, name: name}
	if err == nil {
		made.info, err = p.root.Lstat(name)
	} else if errors.Is(err, backend.ErrExist) { // another program was faster, or it is a dangling link
		err = nil
	}
	if err != nil {
		return err
	}
	p.chain = append(p.chain, made)
	p.owned = false // from now on the chain closes it
	if made.info != nil && runtime.GOOS != "windows" && made.info.Mode().Perm() != 0o700 {
		if err := p.root.Chmod(name, 0o700); err != nil {
			return err
		}
	}
	root, err := openFolder(p.root, name)
	if err != nil {
		if errors.Is(err, backend.ErrNotExist) {
			return &os.PathError{Op: "mkdir", Path: name, Err: backend.ErrNotDir}
		}
		return err
	}
	p.root, p.owned, p.dir = root, true, path.Join(p.dir, name)
	return nil
}

// unmake removes the directories that were made, unless they were replaced or
// are in use, and closes the place.
func (p *place) unmake() {
	for i := len(p.chain) - 1; i >= 0; i-- {
		m := p.chain[i]
		if m.info == nil {
			continue
		}
		now, err := m.parent.Lstat(m.name)
		if err != nil || !os.SameFile(now, m.info) || m.parent.Remove(m.name) != nil {
			break
		}
	}
	p.close()
}

// flush makes the names in the directory durable, and those of the directories made for it.
func (p *place) flush() error {
	if err := p.sync(); err != nil {
		return err
	}
	for i := len(p.chain) - 1; i >= 0; i-- {
		if err := p.h.folder(p.chain[i].parent).sync(); err != nil {
			return err
		}
	}
	return nil
}
