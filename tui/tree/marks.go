package tree

import (
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// marks is the set of marked agent paths. It knows the paths and not the rows, so sorting,
// filtering and a newer snapshot leave it alone.
type marks struct {
	sizes   map[string]int64 // agent path -> bytes, of a folder those of the files below
	folders int              // no more of the paths than this are folders
	total   int64            // bytes of all, each file counted once
	fresh   bool             // total is up to date
}

func (m *marks) has(path string) bool { _, ok := m.sizes[path]; return ok }

func (m *marks) add(path string, n *memstore.Node) {
	if m.has(path) || path == memstore.Root {
		return
	}
	if m.sizes == nil {
		m.sizes = map[string]int64{}
	}
	if n.Kind == memstore.KindDir {
		m.folders++
	}
	m.sizes[path] = weight(n)
	m.fresh = false
}

func (m *marks) remove(path string, folder bool) {
	if !m.has(path) {
		return
	}
	if folder {
		m.folders--
	}
	delete(m.sizes, path)
	m.fresh = false
}

func (m *marks) toggle(path string, n *memstore.Node) {
	if m.has(path) {
		m.remove(path, n.Kind == memstore.KindDir)
	} else {
		m.add(path, n)
	}
}

// bytes is how much the marked paths hold. A file below a marked folder counts once.
func (m *marks) bytes() int64 {
	if m.fresh {
		return m.total
	}
	m.total, m.fresh = 0, true
	for path, size := range m.sizes {
		if m.folders == 0 || !m.covered(path) {
			m.total += size
		}
	}
	return m.total
}

// covered reports whether a folder above path is marked.
func (m *marks) covered(path string) bool {
	for at := parentOf(path); at != ""; at = parentOf(at) {
		if m.has(at) {
			return true
		}
	}
	return false
}

func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

// follow brings the marks along with what happened to the store: they move with renames and
// leave with what was deleted.
func (m *marks) follow(list []past.Revision) {
	for i := range list {
		if len(m.sizes) == 0 {
			return
		}
		switch r := &list[i]; r.Shape {
		case past.Renamed:
			m.relocate(r)
		case past.Removed:
			m.drop(r)
		}
	}
}

// measure takes the sizes of a newer state of the store. A file missing from it keeps its size until its removal is reported.
func (m *marks) measure(s *memstore.Snapshot) {
	for path := range m.sizes {
		if n := s.Find(path); n != nil {
			m.sizes[path], m.fresh = weight(n), false
		}
	}
}

// relocate moves the marks at and below a renamed path.
func (m *marks) relocate(r *past.Revision) {
	for _, path := range m.at(r.OldPath, r.Kind == memstore.KindDir) {
		moved := r.Path + path[len(r.OldPath):]
		m.sizes[moved] = m.sizes[path]
		delete(m.sizes, path)
		m.fresh = false
	}
}

func (m *marks) drop(r *past.Revision) {
	for _, path := range m.at(r.Path, r.Kind == memstore.KindDir) {
		delete(m.sizes, path)
		m.fresh = false
	}
}

// at lists the marked paths that are path or, when it is a folder, are below it.
func (m *marks) at(path string, folder bool) []string {
	if !folder {
		if m.has(path) {
			return []string{path}
		}
		return nil
	}
	var out []string
	for marked := range m.sizes {
		if marked == path || strings.HasPrefix(marked, path+"/") {
			out = append(out, marked)
		}
	}
	return out
}
