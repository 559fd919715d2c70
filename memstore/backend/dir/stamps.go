package dir

import (
	"os"
	"time"
)

// Chmod implements [backend.ModeKeeper].
func (d *Dir) Chmod(name string, mode os.FileMode) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	return d.fail(h, h.root.Chmod(name, mode.Perm()))
}

// SetModTime implements [backend.TimeKeeper]. The access time stays: a file that was put back was not read.
func (d *Dir) SetModTime(name string, at time.Time) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	info, err := h.root.Lstat(name)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		return d.fail(h, d.setLinkTime(h, name, at))
	}
	if err == nil {
		err = h.root.Chtimes(name, time.Time{}, at)
	}
	return d.fail(h, err)
}

// SetAccessTime implements [backend.AccessTimeKeeper].
func (d *Dir) SetAccessTime(name string, at time.Time) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	return d.fail(h, h.root.Chtimes(name, at, time.Time{}))
}

func (d *Dir) setLinkTime(h *openRoot, name string, at time.Time) error {
	p, err := d.place(h, name)
	if err != nil {
		return err
	}
	defer p.close()
	dir, err := p.root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return setLinkTime(dir, p.base, at)
}
