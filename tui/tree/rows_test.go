package tree

import (
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"memcurator/memstore"
)

// grow builds a random snapshot and returns it with all its agent paths.
func grow(r *rand.Rand, depth int) (*memstore.Snapshot, map[string]*memstore.Node) {
	paths := map[string]*memstore.Node{}
	var build func(path, name string, depth int) *memstore.Node
	build = func(path, name string, depth int) *memstore.Node {
		n := &memstore.Node{Info: memstore.Info{Name: name, Kind: memstore.KindFile, Size: 1}}
		n.Hidden = strings.Contains(path, "/.")
		paths[path] = n
		if depth == 0 || r.IntN(3) == 0 && path != memstore.Root {
			n.Files = 1
			return n
		}
		n.Kind = memstore.KindDir
		names := map[string]bool{}
		for range r.IntN(6) {
			names[[]string{"a", "B.md", ".git", "notes", "Ünder", "日記", "z9"}[r.IntN(7)]] = true
		}
		sorted := make([]string, 0, len(names))
		for name := range names {
			sorted = append(sorted, name)
		}
		sort.Strings(sorted)
		for _, name := range sorted {
			c := build(path+"/"+name, name, depth-1)
			n.Children = append(n.Children, c)
			n.Files += c.Files
		}
		return n
	}
	return &memstore.Snapshot{Root: build(memstore.Root, ".", depth), Complete: true}, paths
}

// visible says by the obvious rules whether a path has a row.
func visible(path string, paths map[string]*memstore.Node, sh shape, word string) bool {
	if path == memstore.Root {
		return true
	}
	for at := path; at != memstore.Root; at = at[:strings.LastIndexByte(at, '/')] {
		if paths[at].Hidden && !sh.hidden {
			return false
		}
		parent := at[:strings.LastIndexByte(at, '/')]
		if word == "" && !sh.expanded[parent] {
			return false
		}
	}
	if word == "" {
		return true
	}
	for at := range paths { // a folder with the word in its name shows its entries
		name := strings.ToLower(at[strings.LastIndexByte(at, '/')+1:])
		if at != memstore.Root && strings.HasPrefix(path, at+"/") && strings.Contains(name, word) {
			return sh.hidden || !paths[path].Hidden
		}
	}
	for other := range paths {
		if other != path && !strings.HasPrefix(other, path+"/") || other == memstore.Root {
			continue
		}
		name := other[strings.LastIndexByte(other, '/')+1:]
		if strings.Contains(strings.ToLower(name), word) && (sh.hidden || !paths[other].Hidden) {
			return true
		}
	}
	return false
}

func TestFlattenAgainstTheObviousRules(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, paths := grow(r, 4)
		sh := shape{expanded: map[string]bool{}, hidden: r.IntN(2) == 0}
		for path := range paths {
			sh.expanded[path] = r.IntN(2) == 0
		}
		word := ""
		if r.IntN(2) == 0 {
			word = []string{"a", "md", "ü", "日", "git", "zzz"}[r.IntN(6)]
			sh.match = &matcher{filter: parseFilter(word)}
		}
		sh.sorter = &sorter{by: order(r.IntN(int(orderCount)))}
		rows := flatten(s, sh)
		seen := map[string]bool{}
		last := ""
		for i := range rows {
			path := rows.path(i)
			seen[path] = true
			if paths[path] != rows[i].node {
				t.Fatalf("seed %d: row %d says %s but holds another node", seed, i, path)
			}
			if found, exact := rows.find(path); found != i || !exact {
				t.Fatalf("seed %d: find(%s) = %d %v, want %d", seed, path, found, exact, i)
			}
			if i > 0 && strings.Count(path, "/")-strings.Count(last, "/") > 1 {
				t.Fatalf("seed %d: %s follows %s", seed, path, last)
			}
			last = path
		}
		for path := range paths {
			if want := visible(path, paths, sh, word); seen[path] != want {
				t.Fatalf("seed %d: %s visible %v, want %v with %q and %+v", seed, path, seen[path], want, word, sh)
			}
		}
	}
}
