package tree

import (
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// marks is the set of selected agent paths. It knows the paths and not the rows, so sorting, filtering and a newer snapshot leave it alone.
type marks map[string]bool

func (m marks) set(path string, on bool) {
	if on && path != memstore.Root {
		m[path] = true
	} else {
		delete(m, path)
	}
}

// bytes is how much the marked paths hold. A file below a marked folder counts once.
func (m marks) bytes(s *memstore.Snapshot) (total int64) {
	for path := range m {
		if n := s.Find(path); n != nil && !m.covered(path) {
			total += weight(n)
		}
	}
	return total
}

// covered reports whether a folder above path is marked.
func (m marks) covered(path string) bool {
	for at := parentOf(path); at != ""; at = parentOf(at) {
		if m[at] {
			return true
		}
	}
	return false
}

func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

// follow brings the marks along with what happened to the store: they move with renames and leave with what was deleted.
func (m marks) follow(list []past.Revision) {
	for i := range list {
		from, to := list[i].Path, ""
		switch list[i].Shape {
		case past.Renamed:
			from, to = list[i].OldPath, list[i].Path
		case past.Removed:
		default:
			continue
		}
		for path := range m {
			if path != from && !strings.HasPrefix(path, from+"/") {
				continue
			}
			delete(m, path)
			if to != "" {
				m[to+path[len(from):]] = true
			}
		}
	}
}
