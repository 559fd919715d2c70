package overview

import (
	"errors"
	"io"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/discover"
	"memcurator/memstore/index"
	"memcurator/render/text"
)

// The bounds of comparing the indexes of a store with its notes: what is larger is not compared.
const (
	indexMost = 1 << 20 // bytes
	namesMost = 20_000
)

// gapsIn says how the indexes of a store differ from its notes, by the names of the files alone; "" if they don't.
func gapsIn(b memstore.Backend, snapshot *backend.Snapshot, found discover.Found) string {
	s := &index.Store{}
	if files := found.Load.Files; len(files) == 1 && index.IsNamed(memstore.AgentPath(files[0])) {
		s.Loaded = memstore.AgentPath(files[0])
	}
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
	g := s.Gaps(func(path string) ([]byte, error) { return whole(b, path) })
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
	return "Its index is out of step: " + strings.Join(parts, ", ")
}

// errLarge is the error for a file that is larger than an index.
var errLarge = errors.New("too large for an index")

// whole reads a file that may be an index.
func whole(b memstore.Backend, path string) ([]byte, error) {
	f, err := b.Open(memstore.BackendName(path), memstore.Look)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	data, err := io.ReadAll(io.NewSectionReader(f, 0, indexMost+1))
	if err == nil && len(data) > indexMost {
		err = errLarge
	}
	return data, err
}
