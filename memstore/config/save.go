package config

import (
	"errors"
	"os"
	"path/filepath"

	"memcurator/memstore"
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
	target, err := filepath.EvalSymlinks(file)
	if err == nil {
		err = write(file, stores, target, func(in memstore.Backend, name string) error { return in.Replace(name, before, after) })
	}
	if errors.Is(err, memstore.ErrChanged) {
		return ErrChanged
	}
	return err
}

// Create writes a new file, for its owner only, and the folders above it that are missing. A
// file that exists is left alone: [fs.ErrExist].
func Create(file string, data []byte, stores ...string) error {
	return write(file, stores, file, func(in memstore.Backend, name string) error {
		return in.Create(name, data)
	})
}

// write writes to a target, the file or what it links to, unless the file is in one of the stores.
func write(file string, stores []string, target string, do func(in memstore.Backend, name string) error) error {
	for _, store := range stores {
		if Inside(file, store) {
			return ErrInsideStore
		}
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	in, err := memstore.OpenDir(filepath.Dir(target), memstore.DirOptions{})
	if err != nil {
		return err
	}
	return errors.Join(do(in, filepath.Base(target)), in.Close())
}
