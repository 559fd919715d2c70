package memstore

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"memcurator/memstore/backend"
)

// planDelete plans a delete. It removes a link itself, never its target, even if it leads out or nowhere: that loses no bytes, and is the
// only way to get rid of such a link (row 33). A path that continues beyond a link leading out is refused.
func (r *request) planDelete() (*plan, *Error) {
	t, bad := r.locate(r.c.Path, false)
	if bad != nil {
		return nil, bad
	}
	info, err := r.store.backend.Lstat(t.name)
	if err == nil && info.Kind == backend.KindOther && r.store.rules.keepsOther {
		err = backend.ErrNotExist
	}
	if err != nil {
		return nil, r.failed(t, err)
	}
	if t.name == "." {
		return nil, r.failed(t, backend.ErrRoot)
	}
	p := &plan{action: doRemove, name: t.name, success: fill(r.store.rules.deleted, "p", t.show)}
	info.Name = path.Base(t.name)
	if p.before, err = r.below(nil, t.name, info); err != nil {
		return nil, r.failed(t, err)
	}
	real := strings.TrimPrefix(r.realPath(t.name, false), backend.Root+"/")
	for i := range p.before {
		e := &p.before[i]
		c := Change{Kind: e.info.Kind, Path: backend.AgentPath(real + e.name[len(t.name):])}
		if e.info.Kind == backend.KindFile {
			c.Before = r.content(e.name, e.info.Size)
		}
		if len(p.before) == 1 && c.Before != nil && c.Before.Size() <= comparedMost {
			e.data, _ = c.Before.Bytes()
		}
		p.changes = append(p.changes, c)
	}
	return p, nil
}

// comparedMost is the largest file, in bytes, that is compared by its bytes just before it is removed.
const comparedMost = 8 << 20

// below lists everything that is removed along with name, children before their directory.
func (r *request) below(list []entry, name string, info backend.Info) ([]entry, error) {
	if info.Kind == backend.KindDir {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		children, err := r.store.backend.ReadDir(name)
		if err != nil {
			return nil, err
		}
		for _, c := range children {
			if list, err = r.below(list, backend.JoinName(name, c.Name), c); err != nil {
				return nil, err
			}
		}
	}
	return append(list, entry{name: name, info: info}), nil
}

// unchanged checks again what guards and recorders saw of an entry to be removed: bytes added since would be lost without a record.
// It compares the bytes of a single small file, since an edit may preserve size and time.
func (r *request) unchanged(p *plan) error {
	if p.before == nil { // a step
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
		return backend.ErrChanged
	}
	for i := range now {
		if p.before[i].data != nil {
			if now[i].data, err = r.read(now[i].name); err != nil {
				return err
			}
		}
		if !now[i].same(p.before[i]) {
			return backend.ErrChanged
		}
	}
	return nil
}

// renaming is a rename passing the checks of its dialect.
type renaming struct {
	*request
	from, to target
	info     backend.Info // of the source
	lookup   error        // the error of looking up the new path
}

// planRename plans a rename. A link is moved itself, wherever it leads. The dialect determines the checks and their order.
func (r *request) planRename() (*plan, *Error) {
	from, bad := r.locate(r.c.OldPath, false)
	if bad != nil {
		return nil, bad
	}
	to, bad := r.locate(r.c.NewPath, true)
	if bad != nil {
		return nil, bad
	}
	if _, err := r.store.backend.Lstat("."); err != nil {
		return nil, r.failed(from, err)
	}
	if bad := r.notReserved(to); bad != nil {
		return nil, bad
	}
	m := &renaming{request: r, from: from, to: to}
	for _, check := range r.store.rules.renameChecks {
		if bad := check(m); bad != nil {
			return nil, bad
		}
	}
	return m.plan(), nil
}

func (m *renaming) plan() *plan {
	r := m.request
	c := Change{Kind: m.info.Kind, Path: r.realPath(m.to.name, false), OldPath: r.realPath(m.from.name, false)}
	if m.info.Kind == backend.KindFile {
		c.Before = r.content(m.from.name, m.info.Size)
		c.After = c.Before
	}
	return &plan{
		action: doRename, name: m.from.name, dest: m.to.name,
		success: fill(r.store.rules.renamed, "old", m.from.show, "new", m.to.show), changes: []Change{c},
	}
}

func (m *renaming) notRoot() *Error {
	if m.from.name == "." {
		return m.failed(m.from, backend.ErrRoot)
	}
	return nil
}

// notInside refuses a move into itself, judging by the spelling.
func (m *renaming) notInside() *Error {
	if !strings.HasPrefix(m.to.name, m.from.name+"/") {
		return nil
	}
	return m.inside()
}

// notTaken checks whether the new path is taken. A dangling link takes it, since replacing the link would lose it.
func (m *renaming) notTaken() *Error {
	_, m.lookup = m.store.backend.Lstat(m.to.name)
	switch {
	case m.lookup == nil:
		return m.failed(m.to, backend.ErrExist)
	case !errors.Is(m.lookup, backend.ErrNotExist) && !errors.Is(m.lookup, backend.ErrNotDir):
		return m.failed(m.to, m.lookup)
	}
	return nil
}

func (m *renaming) hasSource() *Error {
	var err error
	if m.info, err = m.store.backend.Lstat(m.from.name); err != nil {
		return m.failed(m.from, err)
	}
	return nil
}

func (m *renaming) hasParents() *Error {
	return m.request.parents(m.to, m.lookup)
}

func (m *renaming) notIntoItself() *Error {
	if m.info.Kind == backend.KindDir && m.leadsInto(m.from, m.to) {
		return m.inside()
	}
	return nil
}

// leadsInto reports whether the destination of a directory is inside that directory by way of a link.
func (r *request) leadsInto(from, to target) bool {
	source := r.realPath(from.name, false)
	for at := path.Dir(to.name); at != "."; at = path.Dir(at) {
		if _, err := r.store.backend.Stat(at); err == nil {
			real := r.realPath(at, true)
			return real == source || backend.IsBelow(real, source)
		}
	}
	return false
}

func (r *request) inside() *Error {
	from, to := r.target(r.c.OldPath), r.target(r.c.NewPath)
	told := fill(r.store.rules.inside, "old", from.show, "new", to.show)
	return saying(r.c.Name, from, fmt.Errorf("%s to %s: %w", from.name, to.name, backend.ErrInside), told)
}
