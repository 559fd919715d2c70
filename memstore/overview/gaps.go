package overview

import (
	"fmt"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/index"
	"memcurator/memstore/load"
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

// gapsIn describes how the indexes of a store differ from its notes, by the names of the files alone; "" if they don't differ.
func gapsIn(b memstore.Backend, snapshot *backend.Snapshot, loads load.Source) string {
	s := index.StoreOf(snapshot)
	if len(s.Files) > namesMost {
		return ""
	}
	s.Loaded, _ = loads.Of(snapshot).Index()
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
	if len(parts) == 0 {
		return ""
	}
	return outOfStep + strings.Join(parts, " and ")
}
