package backend

import (
	"iter"
	"path"
	"slices"
	"sort"
	"strings"
)

// Node is one path of a [Snapshot]. It is immutable once published, so
// snapshots, goroutines and trees may share it.
type Node struct {
	Info
	// Hidden: the agent's listing omits it, because it is a dot name or
	// node_modules or is below one. The agent can still open it.
	Hidden   bool
	Children []*Node // of a directory; sorted by name in code point order
	Files    int     // number of non-directories below a directory; 1 for anything else
	Bytes    int64   // size of a file, or of all regular files below a directory
	Problem  error   // why the directory could not be read; Children are then the last known ones
}

// Child returns the entry called name, or nil.
func (n *Node) Child(name string) *Node {
	if i, ok := n.search(name); ok {
		return n.Children[i]
	}
	return nil
}

func (n *Node) search(name string) (int, bool) {
	return sort.Find(len(n.Children), func(i int) int { return strings.Compare(name, n.Children[i].Name) })
}

// Snapshot is the known tree of a store at one moment. It is immutable.
type Snapshot struct {
	Root     *Node
	Complete bool // false while some folders are unread
}

// Find returns the node at agentPath, or nil. Links are not followed.
func (s *Snapshot) Find(agentPath string) *Node {
	name, ok := NameOf(agentPath)
	if !ok || s == nil || s.Root == nil {
		return nil
	}
	return s.find(name)
}

func (s *Snapshot) find(name string) *Node {
	n := s.Root
	for rest := name; rest != "." && n != nil; {
		var first string
		first, rest = cutName(rest)
		n = n.Child(first)
	}
	return n
}

// Walk calls visit for every node, parents before children and siblings by
// name. If visit returns false for a directory, Walk skips what is below it.
func (s *Snapshot) Walk(visit func(agentPath string, n *Node) bool) {
	if s != nil && s.Root != nil {
		walkNodes(Root, s.Root, visit)
	}
}

func walkNodes(at string, n *Node, visit func(string, *Node) bool) {
	if !visit(at, n) {
		return
	}
	for _, c := range n.Children {
		walkNodes(at+"/"+c.Name, c, visit)
	}
}

// SnapshotOf makes a complete snapshot of about n paths, given by their names in the store, sorted byte by byte. Folders come before
// their entries and may be omitted.
func SnapshotOf(sorted iter.Seq2[string, Info], n int) *Snapshot {
	nodes := make([]Node, 0, n)
	root := &Node{Info: Info{Name: ".", Kind: KindDir}}
	type made struct{ node, parent *Node }
	dirs, order := map[string]made{".": {node: root}}, []made{}
	var put func(name string, i Info) *Node
	put = func(name string, i Info) *Node {
		at := path.Dir(name)
		in, ok := dirs[at]
		if !ok {
			in.node = put(at, Info{Name: path.Base(at), Kind: KindDir})
			above := dirs[at].parent // where it may follow a name such as "a-b" for "a"
			slices.SortFunc(above.Children, func(x, y *Node) int { return strings.Compare(x.Name, y.Name) })
		}
		if len(nodes) == cap(nodes) {
			nodes = make([]Node, 0, 1+n/8) // those made before stay where they are
		}
		nodes = append(nodes, newNode(i, in.node.Hidden || hiddenName(i.Name)))
		node := &nodes[len(nodes)-1]
		in.node.Children = append(in.node.Children, node)
		if i.Kind == KindDir {
			dirs[name] = made{node, in.node}
			order = append(order, made{node, in.node})
		} else {
			in.node.Files += node.Files
			in.node.Bytes += node.Bytes
		}
		return node
	}
	for name, i := range sorted {
		if InGit(path.Dir(name)) {
			continue
		}
		put(name, i)
	}
	for _, d := range slices.Backward(order) {
		d.parent.Files += d.node.Files
		d.parent.Bytes += d.node.Bytes
	}
	return &Snapshot{Root: root, Complete: true}
}

// cutName splits off the first segment; rest is "." after the last one.
func cutName(name string) (first, rest string) {
	if i := strings.IndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return name, "."
}

// hiddenName implements the documented tool's rule for listings.
func hiddenName(base string) bool {
	return strings.HasPrefix(base, ".") && base != "." || base == "node_modules"
}

func hiddenBelow(name string) bool {
	for rest := name; rest != "."; {
		var first string
		first, rest = cutName(rest)
		if hiddenName(first) {
			return true
		}
	}
	return false
}

// newNode makes the node of one entry without children.
func newNode(i Info, hidden bool) Node {
	n := Node{Info: i, Hidden: hidden}
	if i.Name == gitFolder {
		return n // also the file that says where it is counts as nothing
	}
	if i.Kind != KindDir {
		n.Files = 1
	}
	if i.Kind == KindFile {
		n.Bytes = i.Size
	}
	return n
}

// total computes the totals of a directory from its children.
func (n *Node) total() {
	n.Files, n.Bytes = 0, 0
	for _, c := range n.Children {
		n.Files += c.Files
		n.Bytes += c.Bytes
	}
}
