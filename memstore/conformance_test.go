package memstore

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

// tried is a store as the conformance suite sees it.
type tried struct{ *Store }

func (s tried) Do(ctx context.Context, input json.RawMessage) (string, bool) {
	r := s.DoJSON(ctx, input)
	return r.Content, r.IsError
}

func TestConformanceOnDisk(t *testing.T) {
	for _, d := range Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			memtest.Run(t, d.String(), func(t *testing.T, v memtest.Vector) (memtest.Handler, func() (memtest.Tree, error)) {
				t.Parallel()
				place := memtest.Place(memtest.TempDir(t))
				if err := place.Furnish(v); errors.Is(err, errors.ErrUnsupported) {
					t.Skipf("this system has no %s: %v", strings.Join(v.Needs, ", "), err)
				} else if err != nil {
					t.Fatal(err)
				}
				s, err := Open(place.Store(), Options{Dialect: d})
				must(t, err)
				t.Cleanup(func() { _ = s.Close() })
				return tried{s}, place.Tree
			})
		})
	}
}

func TestConformanceInMemory(t *testing.T) {
	for _, d := range Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			memtest.Run(t, d.String(), func(t *testing.T, v memtest.Vector) (memtest.Handler, func() (memtest.Tree, error)) {
				if slices.Contains(v.Needs, memtest.NeedsHoles) || slices.Contains(v.Needs, memtest.NeedsFIFO) {
					t.Skip("a store in memory holds every byte, and no pipes")
				}
				b := NewMemory().(*Memory)
				inside, outside := v.Tree.Split()
				for _, name := range inside.Names() {
					plantNode(t, b, name, inside[name])
				}
				return tried{New(b, Options{Dialect: d})}, func() (memtest.Tree, error) {
					treeInto(t, b, ".", outside)
					return outside, nil
				}
			})
		})
	}
}

func plantNode(t *testing.T, b *Memory, name string, n memtest.Node) {
	t.Helper()
	switch {
	case n.Dir:
		must(t, b.MakeFolder(name))
	case n.Link != "":
		t.Skip("a store in memory has no links")
	default:
		must(t, b.Create(name, n.Data))
	}
}

// treeInto adds what is below dir to a tree.
func treeInto(t *testing.T, b backend.Backend, dir string, into memtest.Tree) {
	t.Helper()
	list, err := b.ReadDir(dir)
	must(t, err)
	for _, e := range list {
		at := backend.JoinName(dir, e.Name)
		var n memtest.Node
		switch e.Kind {
		case backend.KindDir:
			n.Dir = true
			treeInto(t, b, at, into)
		case backend.KindLink:
			target, err := b.Readlink(at)
			must(t, err)
			if n.Link = strings.Replace(target, backend.Root, "{store}", 1); n.Link == target {
				n.Link = strings.Replace(target, "/outside", "{outside}", 1)
			}
			if strings.HasPrefix(target, "..") {
				n.Link = target
			}
		default:
			n.Data, err = backend.ReadFile(b, at, backend.Look, MaxFile)
			must(t, err)
		}
		into[at] = n
	}
}

// There are vectors for every dialect, and for nothing else.
func TestVectorsForEachDialect(t *testing.T) {
	var names []string
	for _, d := range Dialects() {
		names = append(names, d.String())
	}
	slices.Sort(names)
	if got := memtest.Dialects(); !slices.Equal(got, names) {
		t.Errorf("there are vectors for %v, and the dialects %v", got, names)
	}
}
