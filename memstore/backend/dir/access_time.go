package dir

import (
	"errors"
	"os"
	"time"
)

// AccessTime implements [backend.AccessTimer]. Our own reads leave no trace if the system allows, so the time is that of a read by the
// agent or another program.
func (d *Dir) AccessTime(name string) (time.Time, error) {
	h, err := d.handles.acquire()
	if err != nil {
		return time.Time{}, err
	}
	defer h.release()
	fi, _, err := h.lstat(name)
	if err != nil {
		return time.Time{}, h.fail(err)
	}
	at, ok := statAccessTime(fi)
	if !ok || !keepsAccessTimes(h.self) {
		return time.Time{}, &os.PathError{Op: "access time", Path: name, Err: errors.ErrUnsupported}
	}
	return at, nil
}
