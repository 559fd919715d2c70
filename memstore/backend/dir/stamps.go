package dir

import (
	"os"
	"time"
)

// Chmod implements [backend.ModeKeeper].
func (d *Dir) Chmod(name string, mode os.FileMode) error {
	h, err := d.handles.acquireToWrite()
	if err != nil {
		return err
	}
	defer h.release()
	return h.fail(h.root.Chmod(name, mode.Perm()))
}

// SetModTime implements [backend.TimeKeeper]. It keeps the access time: restoring a file doesn't read it.
func (d *Dir) SetModTime(name string, at time.Time) error {
	h, err := d.handles.acquireToWrite()
	if err != nil {
		return err
	}
	defer h.release()
	info, err := h.root.Lstat(name)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		return h.fail(h.setLinkTime(name, at))
	}
	if err == nil {
		err = h.root.Chtimes(name, time.Time{}, at)
	}
	return h.fail(err)
}

// SetAccessTime implements [backend.AccessTimeKeeper].
func (d *Dir) SetAccessTime(name string, at time.Time) error {
	h, err := d.handles.acquireToWrite()
	if err != nil {
		return err
	}
	defer h.release()
	return h.fail(h.root.Chtimes(name, at, time.Time{}))
}

func (h *openRoot) setLinkTime(name string, at time.Time) error {
	p, err := h.place(name)
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
