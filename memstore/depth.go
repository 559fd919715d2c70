package memstore

import (
	"context"
	"errors"
	"strings"

	"memcurator/memstore/backend"
)

// heightLooks is how many folders of a moving tree are checked again under the lock: about 20 ms. In a larger tree, the move may miss
// folders created meanwhile.
const heightLooks = 4096

// height is the depth of the tree below a folder, and the folders it was measured from. It is measured without the lock and confirmed
// under it.
type height struct {
	name    string // the folder
	levels  int
	folders []entry
}

// measureHeight walks the folders below name, but no deeper than a new path may be.
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
			return nil // an agent couldn't use a path into a folder that can't be entered
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

// holds reports whether the folders are unchanged since the measurement.
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

// levelsOf is the number of names in an agent path after [Root].
func levelsOf(agentPath string) int { return strings.Count(agentPath[len(backend.Root):], "/") }

// notTooDeep refuses a new path of more than maxDepth names, counted after following links. below is the depth of the tree that comes
// with it.
func (r *request) notTooDeep(t target, real string, below int) *Error {
	if levelsOf(real)+below <= backend.MaxDepth {
		return nil
	}
	return r.failed(t, &backend.PathError{Path: t.raw, Err: backend.ErrPathTooLong})
}

// measure finds the height of the tree that a rename moves before taking the lock, since a large tree takes seconds. What it can't find
// out is measured, or refused, under the lock.
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

// notTooDeep refuses a move that makes a path deeper than a new one may be. A tree that is too deep already may move to where it gets no
// deeper.
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
