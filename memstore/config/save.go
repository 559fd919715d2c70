package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The errors of [Save] and [Create] that callers tell apart.
var (
	ErrInsideStore = errors.New("the configuration is inside a store, where the agent could change it")
	ErrChanged     = errors.New("another program changed the file meanwhile")
)

// Save replaces the bytes before of a file by after: whole or not at all, with the mode that it
// has. Where the file is a link, the file behind it is replaced. What is in one of the given
// stores is never written, nor what another program has changed since it was read.
func Save(file string, before, after []byte, stores ...string) error {
	for _, dir := range stores {
		if Inside(file, dir) {
			return ErrInsideStore
		}
	}
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	temp, err := writeTemp(target, after, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer os.Remove(temp)
	now, err := Read(target)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, before) {
		return ErrChanged
	}
	return os.Rename(temp, target)
}

// Create writes a new file, for its owner only, and the folders above it that are missing. A
// file that exists is left alone: [fs.ErrExist].
func Create(file string, data []byte, stores ...string) error {
	dir := filepath.Dir(file)
	for _, store := range stores {
		if Inside(file, store) {
			return ErrInsideStore
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return nil
}

// writeTemp writes data to a new file beside target.
func writeTemp(target string, data []byte, mode fs.FileMode) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*.tmp")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return "", errors.Join(fmt.Errorf("write %s: %w", f.Name(), err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}
