package dir

import (
	"errors"
	"os"
	"time"
)

// AccessTime implements [backend.AccessTimer]. Reads by us leave no trace where the system allows that, so
// that it tells of others and of the agent.
func (d *Dir) AccessTime(name string) (time.Time, error) {
	h, err := d.acquire()
	if err != nil {
		return time.Time{}, err
	}
	defer d.release(h)
	fi, _, err := d.lstat(h, name)
	if err != nil {
		return time.Time{}, d.fail(h, err)
	}
	at, ok := statAccessTime(fi)
	if !ok || !keepsAccessTimes(h.self) {
		return time.Time{}, &os.PathError{Op: "access time", Path: name, Err: errors.ErrUnsupported}
	}
	return at, nil
}
