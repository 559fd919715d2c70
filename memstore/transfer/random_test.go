package transfer_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transfer"
)

// randomStore has notes, of which two stores often have the same.
func randomStore(rng *rand.Rand) map[string]string {
	files := map[string]string{}
	for _, name := range []string{"a.md", "b.md", "c.md", "sub/d.md", "sub/e.md", "sub/deep/f.md", "g.txt"} {
		if rng.IntN(3) > 0 {
			files[name] = fmt.Sprintf("# %s %d\n", name, rng.IntN(2))
		}
	}
	return files
}

// For any two stores and any selection, a transfer loses no note, and one undo in each journal restores every byte.
func TestRandomTransfersAndUndo(t *testing.T) {
	t.Parallel()
	for seed := range uint64(25) {
		rng := rand.New(rand.NewPCG(seed, 1))
		from, to := newStore(t, "from", randomStore(rng)), newStore(t, "to", randomStore(rng))
		x := &transfer.Transfer{From: from.place, To: to.place, Move: rng.IntN(3) > 0, Replace: rng.IntN(4) == 0}
		for _, name := range []string{"a.md", "b.md", "sub", "sub/d.md", "g.txt"} {
			if rng.IntN(2) == 0 && from.text(name) != "-" {
				x.Paths = append(x.Paths, memstore.Root+"/"+name)
			}
		}
		before := from.tree() + to.tree()
		notes := randomNotes(from, to)
		p, out := carry(t, x)
		for text := range notes {
			if !randomNotes(from, to)[text] && !x.Replace {
				t.Errorf("seed %d: %q is in neither store", seed, text)
			}
		}
		if len(out.Revisions[0]) > 0 {
			from.undo()
		}
		if len(out.Revisions[1]) > 0 {
			to.undo()
		}
		if after := from.tree() + to.tree(); after != before {
			t.Errorf("seed %d: after\n%sand its undo there is\n%swant\n%s", seed, rows(p), after, before)
		}
	}
}

// randomNotes are the notes of two stores, by name and text.
func randomNotes(stores ...*store) map[string]bool {
	list := map[string]bool{}
	for _, s := range stores {
		for _, name := range []string{"a.md", "b.md", "c.md", "sub/d.md", "sub/e.md", "sub/deep/f.md", "g.txt"} {
			if text := s.text(name); text != "-" {
				list[name+"\n"+text] = true
			}
		}
	}
	return list
}
