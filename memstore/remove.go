package memstore

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"syscall"
)

// planDelete decides a delete. A link is removed itself, never what it points
// to, also where it leads out or nowhere: that loses no bytes, and is
// the only way to get rid of it (row 33). A path that goes on behind a link leading out is refused.
func (r *request) planDelete() (*plan, *Error) {
	t := r.target(r.c.Path)
	info, err := r.store.backend.Lstat(t.name)
	if err != nil {
		return nil, r.failed(t, err)
	}
	if t.name == "." {
		return nil, r.failed(t, ErrRoot)
	}
	if bad := r.metUnread(t); bad != nil {
		return nil, bad
	}
	p := &plan{action: doRemove, name: t.name, success: fill(r.store.rules.deleted, "p", t.show)}
	if !r.detailed {
		return p, nil
	}
	info.Name = path.Base(t.name)
	if p.before, err = r.below(nil, t.name, info); err != nil {
		return nil, r.failed(t, err)
	}
	real := strings.TrimPrefix(r.realPath(t.name, false), Root+"/")
	var held int64
	for i := range p.before {
		e := &p.before[i]
		c := Change{Kind: e.info.Kind, Path: AgentPath(real + e.name[len(t.name):])}
		if e.info.Kind == KindFile {
			c.Before = r.content(e.name, e.info.Size, &held)
		}
		if len(p.before) == 1 && c.Before != nil && c.Before.Size() <= eagerFile {
			e.data, _ = c.Before.Bytes()
		}
		p.changes = append(p.changes, c)
	}
	return p, nil
}

// below lists everything that goes when name is removed, children before their directory.
func (r *request) below(list []entry, name string, info Info) ([]entry, error) {
	if info.Kind == KindDir {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		children, err := r.store.backend.ReadDir(name)
		if err != nil {
			return nil, err
		}
		for _, c := range children {
			if list, err = r.below(list, joinName(name, c.Name), c); err != nil {
				return nil, err
			}
		}
	}
	return append(list, entry{name: name, info: info}), nil
}

// unchanged looks once more at what is to be removed and was shown to guards and
// recorders: bytes that came since would be lost without a record. Of a single small
// file the bytes are compared, since an edit may keep size and time.
func (r *request) unchanged(p *plan) error {
	if p.before == nil {
		return nil
	}
	info, err := r.store.backend.Lstat(p.name)
	if err != nil {
		return err
	}
	info.Name = path.Base(p.name)
	now, err := r.below(make([]entry, 0, len(p.before)), p.name, info)
	if err != nil {
		return err
	}
	if len(now) != len(p.before) {
		return ErrChanged
	}
	for i := range now {
		if p.before[i].data != nil {
			if now[i].data, err = r.read(now[i].name); err != nil {
				return err
			}
		}
		if !now[i].same(p.before[i]) {
			return ErrChanged
		}
	}
	return nil
}

// planRename decides a rename, in the order of row 34: the root, a move into
// itself, the destination, the source, and the parents last, so that no folder
// is made for a rename that fails. A link is moved itself, wherever it leads;
// a dangling link at the destination is in the way, since replacing it would lose it.
func (r *request) planRename() (*plan, *Error) {
	from, to := r.target(r.c.OldPath), r.target(r.c.NewPath)
	b := r.store.backend
	if _, err := b.Lstat("."); err != nil {
		return nil, r.failed(from, err)
	}
	if from.name == "." {
		return nil, r.failed(from, ErrRoot)
	}
	if strings.HasPrefix(to.name, from.name+"/") {
		return nil, r.inside()
	}
	_, taken := b.Lstat(to.name)
	switch {
	case taken == nil:
		return nil, r.failed(to, ErrExist)
	case !errors.Is(taken, ErrNotExist) && !errors.Is(taken, ErrNotDir):
		return nil, r.failed(to, taken)
	}
	info, err := b.Lstat(from.name)
	if err != nil {
		return nil, r.failed(from, err)
	}
	if bad := r.parents(to, taken); bad != nil {
		return nil, bad
	}
	if info.Kind == KindDir && r.leadsInto(from, to) {
		return nil, r.inside()
	}
	if bad := r.metUnread(from); bad != nil {
		return nil, bad
	}
	p := &plan{
		action: doRename, name: from.name, dest: to.name,
		success: fill(r.store.rules.renamed, "old", from.show, "new", to.show),
	}
	if r.detailed {
		c := Change{Kind: info.Kind, Path: r.realPath(to.name, false), OldPath: r.realPath(from.name, false)}
		if info.Kind == KindFile {
			var held int64
			c.Before = r.content(from.name, info.Size, &held)
			c.After = c.Before
		}
		p.changes = []Change{c}
	}
	return p, nil
}

// leadsInto reports whether the destination of a directory lies inside it by way of a link.
func (r *request) leadsInto(from, to target) bool {
	source := r.realPath(from.name, false)
	for at := path.Dir(to.name); at != "."; at = path.Dir(at) {
		if _, err := r.store.backend.Stat(at); err == nil {
			real := r.realPath(at, true)
			return real == source || strings.HasPrefix(real, source+"/")
		}
	}
	return false
}

func (r *request) inside() *Error {
	from, to := r.target(r.c.OldPath), r.target(r.c.NewPath)
	told := fill(r.store.rules.inside, "old", from.show, "new", to.show)
	return saying(r.c.Name, from, fmt.Errorf("%s to %s: %w", from.name, to.name, ErrInside), told)
}

// isInside reports whether a backend refused to move a directory into itself, by
// our sentinel or by the system's.
func isInside(err error) bool {
	return errors.Is(err, ErrInside) || errors.Is(err, syscall.EINVAL)
}
