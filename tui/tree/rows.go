package tree

import (
	"strings"

	"memcurator/memstore"
)

// row is one visible line of the tree. Paths are not stored: a folder with
// 50,000 entries would pay for them on every refresh; [rows.path] builds one when asked.
type row struct {
	node   *memstore.Node
	parent int32 // index of the parent's row; -1 for the root
	depth  int16 // paths have at most 4,096 bytes
	hit    bool  // the filter lets this row itself through, not only what is below
}

type rows []row

// shape says which part of a snapshot is visible.
type shape struct {
	expanded map[string]bool // agent paths of unfolded folders
	hidden   bool            // show what the agent's listing leaves out
	match    *filter         // nil: no filter
	sorter   sorter
}

// flatten lists the visible rows of s, depth first. Its cost is the number of visible
// rows; with a filter it is the number of names in the store.
func flatten(s *memstore.Snapshot, sh shape) rows {
	if s == nil || s.Root == nil {
		return nil
	}
	var out rows
	if sh.match != nil {
		sh.hidden = sh.hidden || sh.match.hidden
		out, _ = appendMatching(out, s.Root, -1, 0, memstore.Root, sh)
		if len(out) == 0 {
			out = rows{{node: s.Root, parent: -1}}
		}
		return out
	}
	return appendUnfolded(out, s.Root, -1, 0, memstore.Root, sh)
}

func appendUnfolded(out rows, n *memstore.Node, parent int32, depth int16, path string, sh shape) rows {
	at := int32(len(out))
	out = append(out, row{node: n, parent: parent, depth: depth})
	if n.Kind != memstore.KindDir || !sh.expanded[path] {
		return out
	}
	for _, child := range sh.sorter.children(n, path) {
		if child.Hidden && !sh.hidden {
			continue
		}
		below := ""
		if child.Kind == memstore.KindDir {
			below = path + "/" + child.Name
		}
		out = appendUnfolded(out, child, at, depth+1, below, sh)
	}
	return out
}

// appendMatching keeps the rows that match and the folders that lead to them.
func appendMatching(out rows, n *memstore.Node, parent int32, depth int16, path string, sh shape) (rows, bool) {
	at := int32(len(out))
	hit := depth > 0 && sh.match.match(name{path, n})
	out = append(out, row{node: n, parent: parent, depth: depth, hit: hit})
	found := hit
	for _, child := range sh.sorter.children(n, path) {
		if child.Hidden && !sh.hidden {
			continue
		}
		var kept bool
		out, kept = appendMatching(out, child, at, depth+1, path+"/"+child.Name, sh)
		found = found || kept
	}
	if !found {
		out = out[:at]
	}
	return out, found
}

// path returns the agent path of row i.
func (r rows) path(i int) string {
	if i < 0 || i >= len(r) {
		return memstore.Root
	}
	var names []string
	for at := int32(i); at >= 0 && r[at].parent >= 0; at = r[at].parent {
		names = append(names, r[at].node.Name)
	}
	var b strings.Builder
	b.WriteString(memstore.Root)
	for k := len(names) - 1; k >= 0; k-- {
		b.WriteByte('/')
		b.WriteString(names[k])
	}
	return b.String()
}

// find returns the row of an agent path, or of its deepest visible ancestor.
func (r rows) find(path string) (i int, exact bool) {
	rest, ok := strings.CutPrefix(path, memstore.Root)
	if !ok || len(r) == 0 {
		return 0, false
	}
	rest = strings.Trim(rest, "/")
	for rest != "" {
		name, after, _ := strings.Cut(rest, "/")
		next := r.child(i, name)
		if next < 0 {
			return i, false
		}
		i, rest = next, after
	}
	return i, true
}

func (r rows) child(parent int, name string) int {
	for i := parent + 1; i < len(r) && r[i].depth > r[parent].depth; i++ {
		if r[i].parent == int32(parent) && r[i].node.Name == name {
			return i
		}
	}
	return -1
}

// nearestIn is the row that took the place of one that is gone: in the folder at a row, as near to row at as possible.
func (r rows) nearestIn(folder, at int) int {
	at = min(at, len(r)-1)
	for at > folder && r[at].parent != int32(folder) {
		at--
	}
	return max(at, folder)
}

// firstHit is the first row that the filter lets through itself, or else row i, a folder that only leads to one.
func (r rows) firstHit(i int) int {
	for k, row := range r {
		if row.hit {
			return k
		}
	}
	return i
}

// eachMarkable visits the rows from one to another that a range means: an unfolded folder
// is omitted, since the rows below imply it. Else the end of a range would say nothing, as all
// below the folder were in it.
func (r rows) eachMarkable(from, to int, visit func(i int)) {
	for i := max(1, from); i <= to && i < len(r); i++ {
		if unfolded := i+1 < len(r) && r[i+1].parent == int32(i); !unfolded {
			visit(i)
		}
	}
}
