package age

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"filippo.io/age"

	"memcurator/memstore/backend"
)

// Create implements [backend.Backend].
func (d *EncryptedDir) Create(name string, data []byte) error {
	at, err := d.locate(name, true)
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
	at, err := d.locate(name, true)
	if err != nil {
		return err
	}
	return d.disk.MakeFolder(at)
}

// Replace implements [backend.Backend]. It compares the text on disk with old; just before the switch, the disk compares the encrypted
// bytes again.
func (d *EncryptedDir) Replace(name string, old, data []byte) error {
	at, err := d.locate(name, false)
	if err != nil {
		return vanished(err)
	}
	before, text, err := d.readSealed(at)
	if err != nil {
		return vanished(err)
	}
	if !bytes.Equal(text, old) {
		return fmt.Errorf("%s: %w", name, backend.ErrChanged)
	}
	after, err := d.keys.seal(data)
	if err != nil {
		return err
	}
	return d.disk.Replace(at, before, after)
}

// vanished is the error for a file that existed when its edit was decided, but doesn't now.
func vanished(err error) error {
	if errors.Is(err, backend.ErrNotExist) {
		return fmt.Errorf("%w: %w", backend.ErrChanged, err)
	}
	return err
}

// readSealed reads the encrypted bytes of a file, and decrypts those very bytes.
func (d *EncryptedDir) readSealed(at string) (sealed, text []byte, err error) {
	f, err := d.openAt(at, backend.Look)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	sealed = make([]byte, f.onDisk)
	if n, err := f.sealed.ReadAt(sealed, 0); err != nil && !(errors.Is(err, io.EOF) && n == len(sealed)) {
		return nil, nil, f.problem(err)
	}
	r, err := age.Decrypt(bytes.NewReader(sealed), d.keys.identity)
	if err != nil {
		return nil, nil, f.problem(err)
	}
	text = make([]byte, f.size)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, nil, f.problem(err)
	}
	return sealed, text, nil
}

// Remove implements [backend.Backend]. It removes a directory with everything
// in it, including files that others put there. A damaged file is removed
// like any other.
func (d *EncryptedDir) Remove(name string) error {
	at, err := d.locate(name, false)
	if err != nil {
		return err
	}
	return d.disk.Remove(at)
}

// Rename implements [backend.Backend]. Contents aren't encrypted again.
func (d *EncryptedDir) Rename(oldname, newname string) error {
	from, err := d.locate(oldname, false)
	if err != nil {
		return err
	}
	to, err := d.locate(newname, true)
	if err != nil {
		return err
	}
	return d.disk.Rename(from, to)
}

// Chmod implements [backend.ModeKeeper].
func (d *EncryptedDir) Chmod(name string, mode fs.FileMode) error {
	at, err := d.locate(name, false)
	if err != nil {
		return err
	}
	return d.disk.Chmod(at, mode)
}

// SetModTime implements [backend.TimeKeeper].
func (d *EncryptedDir) SetModTime(name string, at time.Time) error {
	disk, err := d.locate(name, false)
	if err != nil {
		return err
	}
	return d.disk.SetModTime(disk, at)
}
