package tree

import (
	"cmp"
	"slices"

	"memcurator/memstore"
)

// order is how the entries of a folder are sorted.
type order uint8

const (
	byName order = iota // code point order, as in the agent's listing
	bySize              // largest first; a folder counts what is below it
	byAge               // changed last first
	orderCount
)

func (o order) String() string {
	return [...]string{"name", "size", "age"}[o]
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

// orderCacheSize bounds the sorted folders that are kept.
const orderCacheSize = 256

// sorter sorts folders and keeps the result: nodes never change, so a folder that is
// drawn again on the next snapshot is not sorted again. Not safe for concurrent use.
type sorter struct {
	by   order
	kept map[*memstore.Node][]*memstore.Node
}

func (s *sorter) children(n *memstore.Node) []*memstore.Node {
	if s == nil || s.by == byName || len(n.Children) < 2 {
		return n.Children
	}
	if done, ok := s.kept[n]; ok {
		return done
	}
	out := slices.Clone(n.Children)
	slices.SortStableFunc(out, func(a, b *memstore.Node) int {
		if s.by == bySize {
			return cmp.Compare(weight(b), weight(a))
		}
		return b.ModTime.Compare(a.ModTime)
	})
	if s.kept == nil || len(s.kept) >= orderCacheSize {
		s.kept = map[*memstore.Node][]*memstore.Node{}
	}
	s.kept[n] = out
	return out
}

func weight(n *memstore.Node) int64 {
	if n.Kind == memstore.KindDir {
		return n.Bytes
	}
	return n.Size
}
