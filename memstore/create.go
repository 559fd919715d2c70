package memstore

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"memcurator/memstore/backend"
)

// planCreate plans a create. Anything already at the path is in the way,
// including a directory or a dangling link (row 17).
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
		return nil, bad
	}
	a, bad := r.amend(t, nil, []byte(r.c.FileText))
	if bad != nil {
		return nil, bad
	}
	data := a.data
	if bad := r.fits(t, data); bad != nil {
		return nil, bad
	}
	return &plan{
		action: doCreate, name: t.name, data: data, success: fill(r.store.rules.created, "p", t.show) + ownLines(a.notes),
		changes: []Change{{Kind: backend.KindFile, Path: r.realPath(t.name, true), After: NewContent(data)}},
	}, nil
}

// planOverwrite plans a create over an existing file, if Options allow it. It doesn't read the old bytes, so it replaces any; only
// regular files are replaced.
func (r *request) planOverwrite(t target) (*plan, *Error) {
	old, err := r.read(t.name)
	if errors.Is(err, backend.ErrNotRegular) || errors.Is(err, backend.ErrIsDir) || errors.Is(err, backend.ErrNotExist) {
		return nil, r.failed(t, backend.ErrExist)
	}
	if err != nil {
		return nil, r.failed(t, err)
	}
	return r.planRewrite(t, old, fill(r.store.rules.created, "p", t.show))
}

// planRewrite plans to replace a file that was read by the text of the command.
func (r *request) planRewrite(t target, old []byte, success string) (*plan, *Error) {
	if r.expect != nil && *r.expect != Sum(old) {
		return nil, r.failed(t, backend.ErrChanged)
	}
	a, bad := r.amend(t, old, []byte(r.c.FileText))
	if bad != nil {
		return nil, bad
	}
	if bad := r.fits(t, a.data); bad != nil {
		return nil, bad
	}
	return r.planReplace(t, old, a.data, success+ownLines(a.notes)), nil
}

// parents checks that the missing directories of a new path can be made
// before it makes any, so that a failing command leaves no empty folders
// behind. lookup is the error of looking up the path itself.
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
			// A dangling link blocks a directory of its name.
			if _, err := r.store.backend.Lstat(at); err == nil {
				return r.blocked(t, at)
			}
		case !errors.Is(err, backend.ErrNotDir):
			return r.failed(t, err)
		}
	}
}

// notReserved refuses names that mean something to us: those of temporary files, which a later write would remove as leftovers of a
// killed process, and the header of an encrypted store.
func (r *request) notReserved(t target) *Error {
	temp := false
	for segment := range strings.SplitSeq(t.name, "/") {
		temp = temp || backend.IsTemp(segment)
	}
	first, _, _ := strings.Cut(t.name, "/")
	if temp || strings.EqualFold(first, backend.SealedHeader) { // some file systems ignore case
		return r.failed(t, ErrReserved)
	}
	return nil
}

func (r *request) blocked(t target, parent string) *Error {
	text := fill(r.store.rules.blocked, "p", t.show, "parent", backend.AgentPath(parent))
	return saying(r.c.Name, t, fmt.Errorf("%s: %w", parent, backend.ErrNotDir), text)
}
