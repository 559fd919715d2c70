package overview

import (
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/discover"
	"memcurator/memstore/index"
	"memcurator/render/text"
)

// The bounds of comparing the indexes of a store with its notes; larger stores are not compared.
const (
	indexMost = 1 << 20 // bytes
	namesMost = 20_000
)

const outOfStep = "Its index is out of step: "

// IsOutOfStep reports whether a problem of a row is an index that differs from its notes.
func IsOutOfStep(problem string) bool { return strings.HasPrefix(problem, outOfStep) }

// IndexOf is the agent path of the index that a session of a store loads; "" if it loads none.
func IndexOf(found discover.Found) string {
	if files := found.Load.Files; len(files) == 1 && index.IsNamed(memstore.AgentPath(files[0])) {
		return memstore.AgentPath(files[0])
	}
	return ""
}

// gapsIn describes how the indexes of a store differ from its notes, by the names of the files alone; "" if they don't differ.
func gapsIn(b memstore.Backend, snapshot *backend.Snapshot, found discover.Found) string {
	s := &index.Store{Loaded: IndexOf(found)}
	snapshot.Walk(func(path string, n *memstore.Node) bool {
		if n.Hidden || memstore.InGit(path) {
			return false
		}
		if n.Kind == memstore.KindFile {
			s.Files = append(s.Files, path)
		}
		return len(s.Files) <= namesMost
	})
	if len(s.Files) > namesMost {
		return ""
	}
	g := s.Gaps(func(path string) ([]byte, error) {
		return memstore.ReadFile(b, memstore.BackendName(path), memstore.Look, indexMost)
	})
	var parts []string
	for _, one := range []struct {
		n         int
		one, many string
	}{{g.Orphans, "orphan", "orphans"}, {g.Dangling, "dead entry", "dead entries"}, {g.Doubles, "double entry", "double entries"}} {
		if one.n > 0 {
			parts = append(parts, text.Count(one.n, one.one, one.many))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return outOfStep + strings.Join(parts, ", ")
}
