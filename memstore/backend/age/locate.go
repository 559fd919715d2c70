package age

import (
	"fmt"
	"io/fs"
	"strings"

	"memcurator/memstore/backend"
)

// locate returns the name on disk of a name of the store.
func (d *EncryptedDir) locate(name string) (string, error) {
	if err := d.ready(); err != nil {
		return "", err
	}
	if name == "." {
		return name, nil
	}
	for s := range strings.SplitSeq(name, "/") {
		switch {
		case !validName(s):
			return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
		case len(s) > maxName:
			return "", fmt.Errorf("%w: an encrypted store takes %d bytes", backend.ErrNameTooLong, maxName)
		}
	}
	return d.DiskName(name), nil
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
