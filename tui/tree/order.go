package tree

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"memcurator/memstore"
)

// order is how the entries of a folder are sorted.
type order uint8

const (
	byName  order = iota // code point order, as in the agent's listing
	bySize               // largest first; a folder counts what is below it
	byAge                // changed last first
	byLinks              // what most other files name first; a folder counts what is below it
	orderCount
)

func (o order) String() string {
	return [...]string{"name", "size", "age", "links"}[o]
}

// orderNamed is the order of that name; by name where there is none.
func orderNamed(name string) order {
	for o := range orderCount {
		if o.String() == name {
			return o
		}
	}
	return byName
}

// sorter sorts folders.
type sorter struct {
	by order
	// links counts by agent path the files that name it, or name what is below it.
	links map[string]int
}

// children returns the entries of a folder in the order; path is that of the folder, which only byLinks needs.
func (s sorter) children(n *memstore.Node, path string) []*memstore.Node {
	if s.by == byName {
		return n.Children
	}
	out := slices.Clone(n.Children)
	slices.SortStableFunc(out, func(a, b *memstore.Node) int {
		switch s.by {
		case bySize:
			return cmp.Compare(weight(b), weight(a))
		case byLinks:
			return cmp.Compare(s.links[path+"/"+b.Name], s.links[path+"/"+a.Name])
		}
		return b.ModTime.Compare(a.ModTime)
	})
	return out
}

func weight(n *memstore.Node) int64 {
	if n.Kind == memstore.KindDir {
		return n.Bytes
	}
	return n.Size
}

// linksBelow adds to each folder the links to what is below it.
func linksBelow(links map[string]int) map[string]int {
	out := maps.Clone(links)
	for at, n := range links {
		for dir := path.Dir(at); len(dir) > len(memstore.Root); dir = path.Dir(dir) {
			out[dir] += n
		}
	}
	return out
}
