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
// their entries and may be omitted. It is several times faster than filling a [Tree] one by one.
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

// Tree edits a snapshot: the watcher keeps one up to date and takes an
// immutable [Snapshot] of it to publish. An edit costs time in the depth of
// its path, whatever the size of the folder; Snapshot in the sizes of the
// folders edited since the last one. A Tree has one owner at a time: unlike
// its snapshots, it is not safe for concurrent use.
//
// Names are those of [Backend]: relative, with "." for the root.
type Tree struct {
	root     *edited
	complete bool
}

// edited is a node with the edits below it since the last Snapshot. In kids,
// nil means a removed entry.
type edited struct {
	node *Node
	kids map[string]*edited
}

// NewTree starts from s, which doesn't change.
func NewTree(s *Snapshot) *Tree {
	return &Tree{root: &edited{node: s.Root}, complete: s.Complete}
}

// Snapshot returns the tree as it is now.
func (t *Tree) Snapshot() *Snapshot {
	n := t.root.freeze()
	t.root = &edited{node: n}
	return &Snapshot{Root: n, Complete: t.complete}
}

func (e *edited) freeze() *Node {
	if e.kids == nil {
		return e.node
	}
	names := make([]string, 0, len(e.kids))
	for name := range e.kids {
		names = append(names, name)
	}
	slices.Sort(names)
	n := *e.node
	n.Children = make([]*Node, 0, len(e.node.Children)+len(names))
	old := e.node.Children
	for _, name := range names {
		for len(old) > 0 && old[0].Name < name {
			n.Children = append(n.Children, old[0])
			old = old[1:]
		}
		if len(old) > 0 && old[0].Name == name {
			old = old[1:]
		}
		if kid := e.kids[name]; kid != nil {
			n.Children = append(n.Children, kid.freeze())
		}
	}
	n.Children = append(n.Children, old...)
	n.total()
	return &n
}

// Lookup returns the node at name, or nil. Its Info, Hidden and Problem are
// current; Children and totals are those of the last Snapshot.
func (t *Tree) Lookup(name string) *Node {
	e, n := t.root, t.root.node
	for rest := name; rest != "."; {
		var first string
		first, rest = cutName(rest)
		if e != nil {
			if kid, ok := e.kids[first]; ok {
				if kid == nil {
					return nil
				}
				e, n = kid, kid.node
				continue
			}
			e = nil
		}
		if n = n.Child(first); n == nil {
			return nil
		}
	}
	return n
}

// Subtree returns the current node at name with everything below it, or nil.
func (t *Tree) Subtree(name string) *Node {
	if t.Lookup(name) == nil {
		return nil
	}
	return t.edit(name).freeze()
}

// edit returns the editable node at name, or nil.
func (t *Tree) edit(name string) *edited {
	e := t.root
	for rest := name; rest != "."; {
		var first string
		first, rest = cutName(rest)
		kid, ok := e.kids[first]
		if !ok {
			if n := e.node.Child(first); n != nil {
				kid = &edited{node: n}
				e.set(first, kid)
			}
		}
		if kid == nil {
			return nil
		}
		e = kid
	}
	return e
}

func (e *edited) set(base string, kid *edited) {
	if e.kids == nil {
		e.kids = make(map[string]*edited)
	}
	e.kids[base] = kid
}

// parent returns the editable parent directory of name.
func (t *Tree) parent(name string) *edited {
	dir := path.Dir(name)
	if n := t.Lookup(dir); n == nil || n.Kind != KindDir {
		return nil
	}
	return t.edit(dir)
}

// Put sets the Info of name itself. A directory that was a directory before
// keeps its entries. It returns false if the parent is missing.
func (t *Tree) Put(name string, i Info) bool {
	if old := t.Lookup(name); name == "." || old != nil && old.Kind == KindDir && i.Kind == KindDir {
		e := t.edit(name)
		n := *e.node
		i.Name = n.Name
		n.Info, n.Problem = i, nil
		e.node = &n
		return true
	}
	p := t.parent(name)
	if p == nil {
		return false
	}
	i.Name = path.Base(name)
	n := newNode(i, p.node.Hidden || hiddenName(i.Name))
	p.set(i.Name, &edited{node: &n})
	return true
}

// Attach inserts a node with everything below it at name, renaming it if
// needed. It returns false if the parent is missing.
func (t *Tree) Attach(name string, n *Node) bool {
	if name == "." {
		t.root = &edited{node: n}
		return true
	}
	p := t.parent(name)
	if p == nil {
		return false
	}
	base := path.Base(name)
	p.set(base, &edited{node: n.relabel(base, p.node.Hidden)})
	return true
}

// relabel returns n under another name and parent, sharing its descendants if
// possible.
func (n *Node) relabel(base string, below bool) *Node {
	hidden := below || hiddenName(base)
	if n.Name == base && n.Hidden == hidden {
		return n
	}
	c := *n
	c.Name = base
	if c.Hidden != hidden {
		c.Hidden = hidden
		c.Children = make([]*Node, len(n.Children))
		for i, kid := range n.Children {
			c.Children[i] = kid.relabel(kid.Name, hidden)
		}
	}
	return &c
}

// Remove removes name and everything below it. The root stays, but becomes empty.
func (t *Tree) Remove(name string) {
	if name == "." {
		n := *t.root.node
		n.Children, n.Files, n.Bytes = nil, 0, 0
		t.root = &edited{node: &n}
		return
	}
	if t.Lookup(name) != nil {
		t.edit(path.Dir(name)).set(path.Base(name), nil)
	}
}

// SetProblem records that the directory at name can't be read; nil means that it can.
func (t *Tree) SetProblem(name string, problem error) {
	if n := t.Lookup(name); n == nil || n.Problem == problem {
		return
	}
	e := t.edit(name)
	n := *e.node
	n.Problem = problem
	e.node = &n
}
