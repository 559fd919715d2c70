package mem

import (
	"path"
	"slices"
	"strings"

	"memcurator/memstore/backend"
)

// memStep is one segment of a path through the tree, and the node that it leads to.
type memStep struct {
	base string
	node *memNode
}

// memPlace is where a name leads: the node, and its path without links.
type memPlace struct {
	node  *memNode
	trail []memStep // from the root, which has no name, to node
}

func (p memPlace) parent() *memNode { return p.trail[len(p.trail)-2].node }

func (p memPlace) name() string {
	if len(p.trail) == 1 {
		return "."
	}
	names := make([]string, 0, len(p.trail)-1)
	for _, s := range p.trail[1:] {
		names = append(names, s.base)
	}
	return path.Join(names...)
}

// find walks to name; follow says whether to follow a link in the last
// segment. The caller holds the lock.
func (m *Memory) find(name string, follow bool) (memPlace, error) {
	trail := append(make([]memStep, 0, 8), memStep{node: m.root})
	todo := strings.Split(name, "/")
	for links := 0; len(todo) > 0; {
		base := todo[0]
		todo = todo[1:]
		here := trail[len(trail)-1].node
		if here.info.Kind != backend.KindDir {
			return memPlace{}, backend.ErrNotDir
		}
		switch base {
		case "", ".":
			continue
		case "..":
			if trail = trail[:len(trail)-1]; len(trail) == 0 {
				return memPlace{}, backend.ErrEscapes
			}
			continue
		}
		if len(base) > backend.MaxName {
			return memPlace{}, backend.ErrNameTooLong
		}
		next := here.children[base]
		if next == nil {
			return memPlace{}, backend.ErrNotExist
		}
		if next.info.Kind != backend.KindLink || (len(todo) == 0 && !follow) {
			trail = append(trail, memStep{base, next})
			continue
		}
		if links++; links > backend.MaxLinks {
			return memPlace{}, backend.ErrLinkLoop
		}
		if strings.HasPrefix(next.link, "/") {
			return memPlace{}, backend.ErrEscapes
		}
		todo = slices.Concat(strings.Split(next.link, "/"), todo)
	}
	return memPlace{node: trail[len(trail)-1].node, trail: trail}, nil
}
