package age

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"memcurator/memstore/backend"
)

// locate returns the name on disk of a name of the store. As on a file system, a name that is too long is reported only if everything
// before it is a directory, or, for a name about to be made with its parents, if some of it is missing.
func (d *EncryptedDir) locate(name string, making bool) (string, error) {
	if err := d.ready(); err != nil {
		return "", err
	}
	if name == "." {
		return name, nil
	}
	segments := strings.Split(name, "/")
	for i, s := range segments {
		if !validName(s) {
			return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
		}
		if len(s) <= maxName {
			segments[i] = d.keys.names.seal(s)
			continue
		}
		err := d.mustBeDir(strings.Join(segments[:i], "/"))
		if err == nil || making && errors.Is(err, backend.ErrNotExist) {
			err = fmt.Errorf("%w: an encrypted store takes %d bytes", backend.ErrNameTooLong, maxName)
		}
		return "", err
	}
	return strings.Join(segments, "/"), nil
}

// mustBeDir returns an error unless a name on disk is a directory; "" is the root.
func (d *EncryptedDir) mustBeDir(at string) error {
	if at == "" {
		return nil
	}
	i, err := d.disk.Lstat(at)
	if err == nil && i.Kind != backend.KindDir {
		err = &fs.PathError{Op: "open", Path: at, Err: backend.ErrNotDir}
	}
	return err
}

// describe translates what the disk reports about an entry.
func (d *EncryptedDir) describe(i backend.Info, base string) backend.Info {
	i.Name = base
	switch i.Kind {
	case backend.KindFile:
		i.Size = d.keys.plainSize(i.Size)
	case backend.KindLink: // not made by us
		i.Kind, i.Size = backend.KindOther, 0
		i.Mode = i.Mode.Perm() | fs.ModeIrregular
	}
	return i
}
