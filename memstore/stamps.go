package memstore

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"memcurator/memstore/backend"
)

// Stamps are what a file, a folder or a link has beside its bytes and its name. Owners are left to
// the system: giving a file away is for root alone.
type Stamps struct {
	Mode    fs.FileMode // permissions; 0: those that it has. Of a link there are none.
	ModTime time.Time   // of the last change to its bytes; zero: the one that it has
	// AccessTime is when a file was last read; zero: the one that it has.
	AccessTime time.Time
}

// Restamp gives what is at an agent path its stamps back, once everything in it is as it
// was: what is put into a folder changes the folder's own time. The bytes stay, so it is no
// edit: recorders are not told, and guards are not asked. What the backend cannot set stays as it is.
func (s *Store) Restamp(ctx context.Context, path string, to Stamps) error {
	r := s.request(ctx, Command{Name: CmdReplace, Path: path})
	t := target{raw: path, show: path}
	if s.options.ReadOnly {
		return r.failed(t, ErrReadOnly)
	}
	end, err := r.open(1)
	if err != nil {
		return r.failed(t, err)
	}
	defer end()
	name, ok := backend.NameOf(path)
	if !ok {
		return r.failed(t, backend.ErrPrefix)
	}
	if name != "." {
		if name, err = stepName(path); err != nil {
			return r.failed(t, err)
		}
	}
	if err = restamp(r.store.backend, name, to); err == nil {
		err = r.store.commit(ctx, r.key)
	}
	if err != nil {
		return r.failed(t, err)
	}
	return nil
}

// restamp sets the time before the mode: a folder that cannot be entered would not let the
// names in it be reached, but its own time has nothing to do with that.
func restamp(b backend.Backend, name string, to Stamps) error {
	var errs []error
	if k, ok := b.(backend.TimeKeeper); ok && !to.ModTime.IsZero() {
		if err := k.SetModTime(name, to.ModTime); !errors.Is(err, errors.ErrUnsupported) {
			errs = append(errs, err)
		}
	}
	if k, ok := b.(backend.AccessTimeKeeper); ok && !to.AccessTime.IsZero() {
		errs = append(errs, k.SetAccessTime(name, to.AccessTime))
	}
	if k, ok := b.(backend.ModeKeeper); ok && to.Mode != 0 {
		errs = append(errs, k.Chmod(name, to.Mode.Perm()))
	}
	return errors.Join(errs...)
}
