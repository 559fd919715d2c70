package backend

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
)

// plainTree is the slow and simple tree that Tree is compared with.
type plainTree map[string]Info

func (p plainTree) snapshot() *Snapshot {
	var build func(name string, i Info, hidden bool) *Node
	build = func(name string, i Info, hidden bool) *Node {
		n := newNode(i, hidden)
		if i.Kind != KindDir {
			return &n
		}
		var below []string
		for other := range p {
			if other != "." && path.Dir(other) == name {
				below = append(below, other)
			}
		}
		slices.Sort(below)
		for _, other := range below {
			n.Children = append(n.Children, build(other, p[other], hidden || hiddenName(path.Base(other))))
		}
		n.total()
		return &n
	}
	return &Snapshot{Root: build(".", p["."], false), Complete: true}
}

func (p plainTree) remove(name string) {
	for other := range p {
		if other == name || strings.HasPrefix(other, name+"/") {
			delete(p, other)
		}
	}
}

func text(s *Snapshot) string {
	var b strings.Builder
	s.Walk(func(path string, n *Node) bool {
		fmt.Fprintln(&b, path, n.Name, n.Kind, n.Size, n.Hidden, n.Files, n.Bytes)
		return true
	})
	return b.String()
}

// TestTreeAgainstPlainTree edits both at random; snapshots taken on the way must
// stay as they were.
func TestTreeAgainstPlainTree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b", ".c", "node_modules", "d"}
	pick := func() string {
		name := names[r.IntN(len(names))]
		for range r.IntN(3) {
			name += "/" + names[r.IntN(len(names))]
		}
		return name
	}
	root := Info{Name: ".", Kind: KindDir}
	plain := plainTree{".": root}
	tree := NewTree(&Snapshot{Root: &Node{Info: root}, Complete: true})
	type kept struct {
		snapshot *Snapshot
		text     string
	}
	var all []kept
	for i := range 4000 {
		name := pick()
		parent, ok := plain[path.Dir(name)]
		ok = ok && parent.Kind == KindDir
		switch r.IntN(8) {
		case 0, 1, 2:
			info := Info{Name: path.Base(name), Kind: KindFile, Size: int64(r.IntN(100))}
			if tree.Put(name, info) != ok {
				t.Fatalf("step %d: Put %s said %v", i, name, !ok)
			}
			if ok {
				plain.remove(name)
				plain[name] = info
			}
		case 3, 4:
			info := Info{Name: path.Base(name), Kind: KindDir, Size: int64(r.IntN(100))}
			tree.Put(name, info)
			if old := plain[name]; ok && old.Kind != KindDir {
				plain.remove(name)
			}
			if ok {
				plain[name] = info
			}
		case 5:
			tree.Remove(name)
			plain.remove(name)
		case 6:
			to := pick()
			n := tree.Subtree(name)
			parent, ok := plain[path.Dir(to)]
			if n == nil || !ok || parent.Kind != KindDir || to == name || strings.HasPrefix(to, name+"/") || strings.HasPrefix(name, to+"/") {
				continue
			}
			tree.Remove(name)
			tree.Attach(to, n)
			plain.move(name, to)
		case 7:
			if got, info := tree.Lookup(name), plain[name]; (got == nil) != (info.Kind == 0) || got != nil && got.Info != info {
				t.Fatalf("step %d: Lookup %s gives %v, want %v", i, name, got, info)
			}
		}
		if r.IntN(20) == 0 {
			s := tree.Snapshot()
			want := text(plain.snapshot())
			if got := text(s); got != want {
				t.Fatalf("step %d: tree\n%s\nwant\n%s", i, got, want)
			}
			all = append(all, kept{s, want})
		}
	}
	for _, k := range all {
		if text(k.snapshot) != k.text {
			t.Fatal("a published snapshot has changed")
		}
	}
}

func (p plainTree) move(from, to string) {
	p.remove(to)
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range p {
			if (name == from || strings.HasPrefix(name, from+"/")) && !yield(name) {
				return
			}
		}
	}) {
		info := p[name]
		delete(p, name)
		if name == from {
			info.Name = path.Base(to)
		}
		p[to+name[len(from):]] = info
	}
}

func TestFind(t *testing.T) {
	s := plainTree{
		".": {Name: ".", Kind: KindDir}, "a%2f": {Name: "a%2f", Kind: KindFile, Size: 3},
		"d": {Name: "d", Kind: KindDir}, "d/.x": {Name: ".x", Kind: KindDir}, "d/.x/y": {Name: "y", Kind: KindFile, Size: 4},
	}.snapshot()
	for path, want := range map[string]string{
		"/memories": ".", "/memories/": ".", "/memories/a%2f": "a%2f", "/memories/d/.x/y": "y",
		"/memories/d/none": "", "/memories/a%2f/below": "", "/memoriesd": "", "": "", "/": "",
	} {
		got := s.Find(path)
		if (got == nil) != (want == "") || got != nil && got.Name != want {
			t.Errorf("Find(%q) = %v, want %q", path, got, want)
		}
	}
	if n := s.Find("/memories/d/.x/y"); !n.Hidden {
		t.Error("an entry below a dot name is hidden")
	}
	if s.Root.Files != 2 || s.Root.Bytes != 7 {
		t.Errorf("totals %d, %d", s.Root.Files, s.Root.Bytes)
	}
	if (*Snapshot)(nil).Find("/memories") != nil {
		t.Error("no snapshot, no node")
	}
}
