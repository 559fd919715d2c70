package transfer_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transfer"
)

// randomStore has notes, some of which link to each other, and often an index that lists some of them.
func randomStore(rng *rand.Rand) map[string]string {
	names := []string{"a.md", "b.md", "c.md", "sub/d.md", "sub/e.md", "sub/deep/f.md", "g.txt"}
	stems := []string{"a", "b", "d", "f", "nowhere"}
	files := map[string]string{}
	index := "# Memory\n\n"
	for _, name := range names {
		if rng.IntN(3) == 0 {
			continue
		}
		files[name] = fmt.Sprintf("# %s %d\n", name, rng.IntN(2)) // two stores often have the same
		if rng.IntN(2) == 0 {
			files[name] += "See [other](" + strings.Repeat("../", strings.Count(name, "/")) + names[rng.IntN(len(names))] + ")\n"
		}
		if rng.IntN(2) == 0 {
			files[name] += "And [[" + stems[rng.IntN(len(stems))] + "]]\n"
		}
		if rng.IntN(3) > 0 {
			index += "- [" + name + "](" + name + ") — a hook\n"
		}
	}
	if rng.IntN(4) == 0 {
		index += "- [gone](gone.md) — nothing there\n"
	}
	if rng.IntN(4) == 0 {
		index += "Some words of the user.\n"
	}
	if rng.IntN(4) > 0 {
		files["MEMORY.md"] = index
	}
	return files
}

// deadEntries are the lines of an index whose note is not there, or whose note it has twice.
func deadEntries(s *store) (n int) {
	seen := map[string]bool{}
	for line := range strings.Lines(s.text("MEMORY.md")) {
		if _, rest, ok := strings.Cut(line, "]("); ok {
			target, _, _ := strings.Cut(rest, ")")
			if s.text(target) == "-" || seen[target] {
				n++
			}
			seen[target] = true
		}
	}
	return n
}

var noteLink = regexp.MustCompile(`(?:\[other\]\(|\[\[)([^\])]+)(?:\)|\]\])`)

// deadLinks are the targets of links in a note, by markup of [randomStore], that a store with these names doesn't have.
func deadLinks(note, text string, names map[string]bool) (dead []string) {
	for _, m := range noteLink.FindAllStringSubmatch(text, -1) {
		to := path.Join(path.Dir(note), m[1])
		if strings.HasPrefix(m[0], "[[") {
			to = m[1] + ".md"
			for name := range names {
				if path.Base(name) == to {
					to = name
				}
			}
		}
		if !names[to] {
			dead = append(dead, m[1])
		}
	}
	return dead
}

// names are the names of the notes of a random store.
func (s *store) names() map[string]bool {
	list := map[string]bool{}
	for note := range randomNotes(s) {
		name, _, _ := strings.Cut(note, "\n")
		list[name] = true
	}
	return list
}

// For any two stores and any selection, the plan names exactly the links in notes that lead nowhere at the destination, and did at the
// source; a transfer followed by one undo in each journal restores every byte, and an index has no more
// entries that lead nowhere than before.
func TestRandomTransfersAndUndo(t *testing.T) {
	t.Parallel()
	lost := 0 // links
	for seed := range uint64(25) {
		rng := rand.New(rand.NewPCG(seed, 1))
		from, to := newStore(t, "from", randomStore(rng)), newStore(t, "to", randomStore(rng))
		x := &transfer.Transfer{From: from.place, To: to.place, Move: rng.IntN(3) > 0, Replace: rng.IntN(4) == 0}
		for _, name := range []string{"a.md", "b.md", "sub", "sub/d.md", "MEMORY.md", "g.txt"} {
			if rng.IntN(2) == 0 && from.text(name) != "-" {
				x.Paths = append(x.Paths, memstore.Root+"/"+name)
			}
		}
		was := from.names()
		before, dead := from.tree()+to.tree(), [2]int{deadEntries(from), deadEntries(to)}
		notes := randomNotes(from, to)
		p, out := carry(t, x)
		for text := range notes {
			if !randomNotes(from, to)[text] && !x.Replace && !strings.Contains(text, "MEMORY.md") {
				t.Errorf("seed %d: %q is in neither store", seed, text)
			}
		}
		for i := range p.Items {
			name := memstore.BackendName(p.Items[i].Path)
			if !p.Items[i].Writes() || name == "MEMORY.md" || path.Ext(name) != ".md" {
				continue
			}
			var want []string
			gone := deadLinks(name, to.text(name), was)
			for _, target := range deadLinks(name, to.text(name), to.names()) {
				if !slices.Contains(gone, target) && !slices.Contains(want, target) {
					want = append(want, target)
				}
			}
			if !slices.Equal(p.Items[i].Links, want) {
				t.Errorf("seed %d: the plan names %q of %s, want %q", seed, p.Items[i].Links, name, want)
			}
			lost += len(want)
		}
		for i := range p.Items { // an index that goes without its notes has entries that lead nowhere, and the plan names them
			if one := &p.Items[i]; one.Path == memstore.Root+"/MEMORY.md" && one.Writes() {
				dead[1] = dead[0] + len(one.Links)
			}
		}
		if a, b := deadEntries(from), deadEntries(to); a > dead[0] || b > dead[1] {
			t.Errorf("seed %d: dead entries were %v, are %d and %d after\n%s\nfrom\n%s\nto\n%s", seed, dead, a, b, rows(p),
				from.text("MEMORY.md"), to.text("MEMORY.md"))
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
	if lost == 0 {
		t.Error("no transfer broke a link")
	}
}

// randomNotes are the notes of two stores, by name and text.
func randomNotes(stores ...*store) map[string]bool {
	list := map[string]bool{}
	for _, s := range stores {
		for _, name := range []string{"a.md", "b.md", "c.md", "sub/d.md", "sub/e.md", "sub/deep/f.md", "g.txt", "MEMORY.md"} {
			if text := s.text(name); text != "-" {
				list[name+"\n"+text] = true
			}
		}
	}
	return list
}
