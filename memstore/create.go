package memstore

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"memcurator/memstore/backend"
)

// planCreate decides a create. Whatever is at the path already, a directory
// and a dangling link too, is in the way (row 17).
func (r *request) planCreate() (*plan, *Error) {
	t, bad := r.locate(r.c.Path, true)
	if bad != nil {
		return nil, bad
	}
	if t.name == "." {
		if _, err := r.store.backend.Lstat("."); err != nil {
			return nil, r.failed(t, err)
		}
		return nil, r.failed(t, backend.ErrExist)
	}
	if bad := r.notReserved(t); bad != nil {
		return nil, bad
	}
	_, err := r.store.backend.Lstat(t.name)
	switch {
	case err == nil && r.store.options.Overwrite:
		return r.planOverwrite(t)
	case err == nil:
		return nil, r.failed(t, backend.ErrExist)
	case !errors.Is(err, backend.ErrNotExist) && !errors.Is(err, backend.ErrNotDir):
		return nil, r.failed(t, err)
	}
	if bad := r.parents(t, err); bad != nil {
		return r.leaving(t, bad)
	}
	real := backend.AgentPath(t.name)
	if r.detailed || strings.Contains(t.name, "/") {
		real = r.realPath(t.name, true)
	}
	if bad := r.notTooDeep(t, real, 0); bad != nil {
		return nil, bad
	}
	a, bad := r.amend(nil, []byte(r.c.FileText))
	if bad != nil {
		return nil, bad
	}
	data := a.data
	if bad := r.fits(t, data); bad != nil {
		return nil, bad
	}
	p := &plan{action: doCreate, name: t.name, data: data, success: fill(r.store.rules.created, "p", t.show) + a.notes}
	if r.detailed {
		p.changes = []Change{{Kind: backend.KindFile, Path: real, After: NewContent(data)}}
	}
	return p, nil
}

// planOverwrite decides a create over an existing file, where Options allow it.
// It replaces any bytes, since it does not read them; anything but a regular file stays.
func (r *request) planOverwrite(t target) (*plan, *Error) {
	old, err := r.read(t.name)
	if errors.Is(err, backend.ErrNotRegular) || errors.Is(err, backend.ErrIsDir) || errors.Is(err, backend.ErrNotExist) {
		return nil, r.failed(t, backend.ErrExist)
	}
	if err != nil {
		return nil, r.failed(t, err)
	}
	if bad := r.met(t, old); bad != nil {
		return nil, bad
	}
	a, bad := r.amend(old, []byte(r.c.FileText))
	if bad != nil {
		return nil, bad
	}
	if bad := r.fits(t, a.data); bad != nil {
		return nil, bad
	}
	return r.planReplace(t, old, a.data, fill(r.store.rules.created, "p", t.show)+a.notes), nil
}

// parents checks that the missing directories of a new path can be made, before
// any is: a failing command leaves no empty folders behind. lookup is what looking
// for the path itself has said.
func (r *request) parents(t target, lookup error) *Error {
	if !strings.Contains(t.name, "/") && !errors.Is(lookup, backend.ErrNotDir) {
		return nil
	}
	for at := t.name; ; {
		if len(path.Base(at)) > backend.MaxName {
			return r.failed(t, backend.ErrNameTooLong)
		}
		at = path.Dir(at)
		if at == "." {
			return nil
		}
		info, err := r.store.backend.Stat(at)
		switch {
		case err == nil && info.Kind == backend.KindDir:
			return nil
		case err == nil:
			return r.blocked(t, at)
		case errors.Is(err, backend.ErrNotExist):
			// A dangling link is in the way of a directory of its name.
			if _, err := r.store.backend.Lstat(at); err == nil {
				return r.blocked(t, at)
			}
		case !errors.Is(err, backend.ErrNotDir):
			return r.failed(t, err)
		}
	}
}

// notReserved refuses to make what a later write would sweep away as left behind by one
// of ours that was killed, and what says that the store is encrypted.
func (r *request) notReserved(t target) *Error {
	temp := false
	for segment := range strings.SplitSeq(t.name, "/") {
		_, is := backend.TempProcess(segment)
		temp = temp || is
	}
	first, _, _ := strings.Cut(t.name, "/")
	if temp || strings.EqualFold(first, backend.SealedHeader) { // not all file systems tell cases apart
		return r.failed(t, ErrReserved)
	}
	return nil
}

func (r *request) blocked(t target, parent string) *Error {
	text := fill(r.store.rules.blocked, "p", t.show, "parent", backend.AgentPath(parent))
	return saying(r.c.Name, t, fmt.Errorf("%s: %w", parent, backend.ErrNotDir), text)
}
