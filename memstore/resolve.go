package memstore

import (
	"errors"
	"path"
)

// Resolver is what a [Backend] may offer beyond its interface: the name of the
// same thing without links in it. Guards and recorders then see one path for one
// file, whichever link it was reached by.
type Resolver interface {
	// Resolve follows the links in name that stay inside the store; with last also
	// one in its last segment. Segments that do not exist are kept.
	Resolve(name string, last bool) (string, error)
}

// Resolve implements [Resolver].
func (d *Dir) Resolve(name string, last bool) (string, error) {
	h, err := d.acquire()
	if err != nil {
		return "", err
	}
	defer d.release(h)
	real, err := resolveExisting(name, last, func(name string, last bool) (string, error) {
		return d.resolve(h, name, last)
	})
	return real, d.fail(h, err)
}

// resolveExisting resolves the part of name that exists and keeps the rest as it is.
func resolveExisting(name string, last bool, resolve func(string, bool) (string, error)) (string, error) {
	real, err := resolve(name, last)
	if !errors.Is(err, ErrNotExist) || name == "." {
		return real, err
	}
	dir, err := resolveExisting(path.Dir(name), true, resolve)
	if err != nil {
		return "", err
	}
	return joinName(dir, path.Base(name)), nil
}
