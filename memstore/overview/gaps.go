package overview

import (
	"fmt"
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

const outOfStep = "Its index "

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
	if g.Orphans > 0 {
		parts = append(parts, "misses "+text.Count(g.Orphans, "file"))
	}
	if g.Dangling > 0 {
		parts = append(parts, fmt.Sprintf("lists %d that %s exist", g.Dangling, text.Plural(g.Dangling, "doesn't", "don't")))
	}
	if g.Doubles > 0 {
		parts = append(parts, fmt.Sprintf("lists %d twice", g.Doubles))
	}
	switch n := len(parts); n {
	case 0:
		return ""
	case 1:
		return outOfStep + parts[0]
	default:
		return outOfStep + strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
}
