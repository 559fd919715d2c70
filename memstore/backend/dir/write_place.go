package dir

import (
	"errors"
	"os"
	"path"
	"runtime"
	"strings"
	"syscall"

	"memcurator/memstore/backend"
)

// place is where a name lives: the directory that holds it, opened, and the last
// segment. A write goes through one place from its first step to its last,
// so that a folder swapped meanwhile changes nothing.
type place struct {
	root  *os.Root // the directory
	dir   string   // its name below the store's root; the Root takes it as it is
	base  string
	chain []madeDir // directories made on the way, outermost first
	owned bool      // root is closed with the place
}

// madeDir is a directory made for a write, seen from its parent.
type madeDir struct {
	parent *os.Root
	owned  bool // parent is closed with the place
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

// place opens the directory that holds name.
func (d *Dir) place(h *openRoot, name string) (place, error) {
	dir, base := split(name)
	if dir == "." {
		return place{root: h.root, dir: dir, base: base}, nil
	}
	root, err := openFolder(h.root, dir)
	if h.needsHand(err) {
		if dir, err = d.resolve(h, dir, true); err == nil {
			root, err = openFolder(h.root, dir)
		}
	}
	if err != nil {
		return place{}, err
	}
	return place{root: root, dir: dir, base: base, owned: true}, nil
}

// openFolder opens a directory as a Root. The final dot makes the system refuse
// anything else, where it would wait on a FIFO.
func openFolder(root *os.Root, dir string) (*os.Root, error) {
	return root.OpenRoot(dir + "/.")
}

// makePlace is place with the missing directories made, mode 0700 whatever the
// umask. After a failure unmake takes them away again.
func (d *Dir) makePlace(h *openRoot, name string) (place, error) {
	p, err := d.place(h, name)
	if err == nil || !errors.Is(err, backend.ErrNotExist) {
		return p, err
	}
	dir, base := split(name)
	var missing []string
	for errors.Is(err, backend.ErrNotExist) {
		var last string
		dir, last = split(dir)
		missing = append(missing, last)
		p, err = d.place(h, path.Join(dir, "x"))
	}
	if err != nil {
		return place{}, err
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := d.descend(&p, missing[i]); err != nil {
			d.unmake(&p)
			return place{}, err
		}
	}
	p.base = base
	return p, nil
}

// descend makes the directory name in p and moves p into it.
func (d *Dir) descend(p *place, name string) error {
	err := d.check(stepMkdir)
	if err == nil {
		err = p.root.Mkdir(name, 0o700)
	}
	made := madeDir{parent: p.root, owned: p.owned, name: name}
	if err == nil {
		made.info, err = p.root.Lstat(name)
	} else if errors.Is(err, backend.ErrExist) { // another program was quicker, or it is a link that dangles
		err = nil
	}
	if err != nil {
		return err
	}
	p.chain = append(p.chain, made)
	p.owned = false // the chain closes it from now on
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

// unmake takes away the directories that were made, as far as they still are
// those and empty, and closes the place.
func (d *Dir) unmake(p *place) {
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

// sync makes the names in the directory durable, and those of the directories made for it.
func (d *Dir) sync(p *place) error {
	if err := d.syncDir(p.root); err != nil {
		return err
	}
	for i := len(p.chain) - 1; i >= 0; i-- {
		if err := d.syncDir(p.chain[i].parent); err != nil {
			return err
		}
	}
	return nil
}

// syncDir flushes a directory, where the system can do that.
func (d *Dir) syncDir(root *os.Root) error {
	if err := d.check(stepSyncDir); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := root.OpenFile(".", os.O_RDONLY|openDirFlags, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closing := f.Close(); err == nil {
		err = closing
	}
	var errno syscall.Errno
	if errors.As(err, &errno) && syncMissing(errno) {
		return nil
	}
	return err
}

// remove takes away one name. A step that fails is tried once more: a
// temporary file left behind would be the worse outcome.
func (d *Dir) remove(root *os.Root, name string) error {
	err := d.removeOnce(root, name)
	if err != nil && !errors.Is(err, backend.ErrNotExist) {
		err = d.removeOnce(root, name)
	}
	return err
}

func (d *Dir) removeOnce(root *os.Root, name string) error {
	if err := d.check(stepRemove); err != nil {
		return err
	}
	return root.Remove(name)
}
