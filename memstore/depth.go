package memstore

import (
	"context"
	"errors"
	"strings"

	"memcurator/memstore/backend"
)

// heightLooks is how many folders of a tree that moves are looked at once more in the turn of the
// mover: some 20 ms. Of what else was made in a larger tree meanwhile a move may be unaware.
const heightLooks = 4096

// height is how many names are below a folder at most, one below the other, and the folders
// it was measured by: it is measured without the lock, and confirmed with it.
type height struct {
	name    string // the folder
	levels  int
	folders []entry
}

// measureHeight walks the folders below name, as far down as a new path may go.
func measureHeight(ctx context.Context, b backend.Backend, name string, info backend.Info) (*height, error) {
	h := &height{name: name, folders: []entry{{name: name, info: info}}}
	return h, h.walk(ctx, b, name, 0)
}

func (h *height) walk(ctx context.Context, b backend.Backend, name string, level int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	list, err := b.ReadDir(name)
	if err != nil {
		if errors.Is(err, backend.ErrPermission) || errors.Is(err, backend.ErrNotExist) {
			return nil // what cannot be entered makes no path that an agent could use
		}
		return err
	}
	if len(list) > 0 {
		h.levels = max(h.levels, level+1)
	}
	for _, c := range list {
		if c.Kind != backend.KindDir || h.levels > backend.MaxDepth {
			continue
		}
		at := backend.JoinName(name, c.Name)
		h.folders = append(h.folders, entry{name: at, info: c})
		if err := h.walk(ctx, b, at, level+1); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether the folders are as they were measured.
func (h *height) holds(b backend.Backend) bool {
	for i := range h.folders[:min(len(h.folders), heightLooks)] {
		was := &h.folders[i]
		now, err := b.Lstat(was.name)
		if err != nil || now.ID != was.info.ID || !now.ModTime.Equal(was.info.ModTime) {
			return false
		}
	}
	return true
}

// levelsOf is how many names the agent path of something in the store has below [Root].
func levelsOf(agentPath string) int { return strings.Count(agentPath[len(backend.Root):], "/") }

// notTooDeep refuses a new path that has more names than maxDepth once links are followed. below is how
// many more there are below it.
func (r *request) notTooDeep(t target, real string, below int) *Error {
	if levelsOf(real)+below <= backend.MaxDepth {
		return nil
	}
	return r.failed(t, &backend.PathError{Path: t.raw, Err: backend.ErrPathTooLong})
}

// measure finds out how high the tree is that a rename moves before the store is locked: in a
// large one that takes seconds. What it cannot find out is found out, or refused, under the lock.
func (r *request) measure() {
	if r.c.Name != CmdRename {
		return
	}
	t, err := r.store.locate(r.c.OldPath, false)
	if err != nil {
		return
	}
	if info, err := r.store.backend.Lstat(t.name); err == nil && info.Kind == backend.KindDir {
		r.height, _ = measureHeight(r.ctx, r.store.backend, t.name, info)
	}
}

// notTooDeep refuses a move that makes a path deeper than a new one may be. What is deeper already can
// be moved to where it gets no deeper still.
func (m *renaming) notTooDeep() *Error {
	from, to := m.realPath(m.from.name, false), m.realPath(m.to.name, false)
	if m.info.Kind != backend.KindDir || levelsOf(to) <= levelsOf(from) {
		if levelsOf(to) <= levelsOf(from) {
			return nil
		}
		return m.request.notTooDeep(m.to, to, 0)
	}
	b := m.store.backend
	h := m.height
	if h == nil || h.name != m.from.name || !h.holds(b) {
		var err error
		if h, err = measureHeight(m.ctx, b, m.from.name, m.info); err != nil {
			return m.failed(m.from, err)
		}
	}
	return m.request.notTooDeep(m.to, to, h.levels)
}
