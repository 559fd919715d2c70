package browse

import (
	"context"
	"strings"
	"testing"
	"time"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func note(name string, size int64, age time.Duration) *memstore.Node {
	return &memstore.Node{Info: memstore.Info{Name: name, Kind: memstore.KindFile, Size: size, ModTime: noon.Add(-age)}, Files: 1}
}

func folderOf(name string, children ...*memstore.Node) *memstore.Node {
	n := &memstore.Node{Info: memstore.Info{Name: name, Kind: memstore.KindDir}, Children: children}
	for _, c := range children {
		n.Files += c.Files
		n.Bytes += entry{Node: c}.weight()
	}
	return n
}

// grown is a tree on a store, every folder unfolded.
func grown(root *memstore.Node) *Tree {
	env := &kit.Env{Styles: theme.New(theme.Options{}), Now: func() time.Time { return noon }}
	env.Jobs = kit.NewJobs(context.Background())
	t := newTree(env, memstore.Docs)
	t.Resize(40, 20)
	t.SetSnapshot(&memstore.Snapshot{Complete: true, Root: root})
	t.Actions().Perform(keymap.ExpandAll)
	return t
}

// names are those of the rows that can be selected.
func names(t *Tree) (list []string) {
	for _, e := range t.Listed() {
		list = append(list, e.Name)
	}
	return list
}

func TestTreeTermsAndOrders(t *testing.T) {
	tree := grown(folderOf(".", note("Notes.md", 5000, time.Hour), note("big.bin", 20<<10, 400*24*time.Hour),
		folderOf("projects", note("ferry notes.txt", 300, 10*time.Minute), note("Ünder.MD", 0, 8*24*time.Hour))))
	tree.SetUnread(map[string]int{"/memories/big.bin": 1})
	for line, want := range map[string]string{
		"notes": "Notes.md ferry notes.txt", `"ferry notes"`: "ferry notes.txt", "ünder": "Ünder.MD", "proj ferry": "ferry notes.txt",
		".md": "Notes.md Ünder.MD", "is:unread": "big.bin", "is:x notes": "Notes.md ferry notes.txt",
	} {
		if tree.SetFilter(line); strings.Join(names(tree), " ") != want {
			t.Errorf("%q leaves %q, want %q", line, names(tree), want)
		}
	}
	tree.SetFilter("")
	for by, want := range map[string]string{
		"name": "Notes.md big.bin ferry notes.txt Ünder.MD", "size": "big.bin Notes.md ferry notes.txt Ünder.MD",
		"age": "Notes.md big.bin ferry notes.txt Ünder.MD",
	} {
		if tree.Prefer(by, true); strings.Join(names(tree), " ") != want {
			t.Errorf("by %s: %q, want %q", by, names(tree), want)
		}
	}
}
