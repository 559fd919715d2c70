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
	return h.fail(h.root.Chtimes(name, time.Time{}, at))
}
