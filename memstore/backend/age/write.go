package age

import (
	"bytes"
	"errors"
	"fmt"

	"memcurator/memstore/backend"
)

// Create implements [backend.Backend].
func (d *EncryptedDir) Create(name string, data []byte) error {
	at, err := d.locate(name)
	if err != nil {
		return err
	}
	sealed, err := d.keys.seal(data)
	if err != nil {
		return err
	}
	return d.disk.Create(at, sealed)
}

// MakeFolder implements [backend.FolderMaker].
func (d *EncryptedDir) MakeFolder(name string) error {
	at, err := d.locate(name)
	if err != nil {
		return err
	}
	return d.disk.MakeFolder(at)
}

// Replace implements [backend.Backend]. It compares the text on disk with old; just before the switch, the disk compares the encrypted
// bytes again.
func (d *EncryptedDir) Replace(name string, old, data []byte) error {
	at, err := d.locate(name)
	if err != nil {
		return vanished(err)
	}
	before, err := d.openAt(at, backend.Look)
	if err != nil {
		return vanished(err)
	}
	defer func() { _ = before.Close() }() // it was only read
	if !bytes.Equal(before.text, old) {
		return fmt.Errorf("%s: %w", name, backend.ErrChanged)
	}
	after, err := d.keys.seal(data)
	if err != nil {
		return err
	}
	return d.disk.Replace(at, before.sealed, after)
}

// vanished is the error for a file that existed when its edit was decided, but doesn't now.
func vanished(err error) error {
	if errors.Is(err, backend.ErrNotExist) {
		return fmt.Errorf("%w: %w", backend.ErrChanged, err)
	}
	return err
}

// Remove implements [backend.Backend]. It removes a directory with everything
// in it, including files that others put there. A damaged file is removed
// like any other.
func (d *EncryptedDir) Remove(name string) error {
	at, err := d.locate(name)
	if err != nil {
		return err
	}
	return d.disk.Remove(at)
}

// Rename implements [backend.Backend]. Contents aren't encrypted again.
func (d *EncryptedDir) Rename(oldname, newname string) error {
	from, err := d.locate(oldname)
	if err != nil {
		return err
	}
	to, err := d.locate(newname)
	if err != nil {
		return err
	}
	return d.disk.Rename(from, to)
}

// Stamp implements [backend.Stamper].
func (d *EncryptedDir) Stamp(name string, to backend.Stamps) error {
	at, err := d.locate(name)
	if err != nil {
		return err
	}
	return d.disk.Stamp(at, to)
}
