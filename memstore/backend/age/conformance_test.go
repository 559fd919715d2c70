package age_test

import (
	"context"
	"encoding/json"
	"path"
	"runtime"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/memtest"
)

// tried is an encrypted store as the conformance suite sees it.
type tried struct{ *memstore.Store }

func (s tried) Do(ctx context.Context, input json.RawMessage) (string, bool) {
	r := s.DoJSON(ctx, input)
	return r.Content, r.IsError
}

// A store that is unreadable on disk answers like any other.
func TestConformance(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names on disk are those of Unix")
	}
	memtest.Run(t, memstore.Docs.String(), func(t *testing.T, v memtest.Vector) (memtest.Handler, func() (memtest.Tree, error)) {
		t.Parallel()
		for _, need := range v.Needs {
			if need != memtest.NeedsExactNames {
				t.Skipf("an encrypted store has no %s", need)
			}
		}
		b, _ := newDir(t)
		inside, outside := v.Tree.Split()
		for _, name := range inside.Names() {
			if inside[name].Dir {
				must(t, b.MakeFolder(name))
			} else {
				must(t, b.Create(name, inside[name].Data))
			}
		}
		return tried{memstore.New(b, memstore.Options{})}, func() (memtest.Tree, error) {
			treeInto(t, b, ".", outside)
			return outside, nil
		}
	})
}

// treeInto adds what is below dir to a tree.
func treeInto(t *testing.T, b memstore.Backend, dir string, into memtest.Tree) {
	t.Helper()
	list, err := b.ReadDir(dir)
	must(t, err)
	for _, e := range list {
		at := path.Join(dir, e.Name)
		if e.Kind == memstore.KindDir {
			into[at] = memtest.Node{Dir: true}
			treeInto(t, b, at, into)
		} else {
			into[at] = memtest.Node{Data: []byte(readAll(t, b, at))}
		}
	}
}
