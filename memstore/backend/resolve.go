package backend

import (
	"errors"
	"path"
)

// ResolveExisting resolves the part of name that exists and keeps the rest.
func ResolveExisting(name string, last bool, resolve func(string, bool) (string, error)) (string, error) {
	real, err := resolve(name, last)
	if !errors.Is(err, ErrNotExist) || name == "." {
		return real, err
	}
	dir, err := ResolveExisting(path.Dir(name), true, resolve)
	if err != nil {
		return "", err
	}
	return JoinName(dir, path.Base(name)), nil
}
