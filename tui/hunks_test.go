package tui

import (
	"strings"
	"testing"
)

// Several hunks of a change are reverted as one act, which one undo undoes.
func TestSeveralHunksAreRevertedAsOne(t *testing.T) {
	t.Parallel()
	before := numbered(60)
	dir := files(t, map[string]string{"a.md": before})
	d := start(t, setup{dir: dir, w: 110, h: 34, theme: dark, journal: t.TempDir()})
	after := before
	for _, n := range []string{"5", "25", "45"} {
		after = strings.Replace(after, "row "+n+"\n", "changed "+n+"\n", 1)
	}
	if after == before {
		t.Fatal("nothing was changed")
	}
	d.write("a.md", after)
	d.arrived(1)
	d.press(".")
	d.sees("+changed 5")
	d.press("space", "space") // the first, and the second, to which the cursor went
	d.golden("hunks-selected-110x34")
	d.press("r")
	holds := func(want string) func() bool {
		return func() bool { return d.read("a.md") == want }
	}
	d.until("two hunks are reverted", holds(strings.Replace(before, "row 45\n", "changed 45\n", 1)))
	d.press("u")
	d.until("both are back", holds(after))
}

// A hunk is a block of changed lines, also where a header introduces several: the keys stop, select and revert the same lines.
func TestOneBlockOfAHunkIsReverted(t *testing.T) {
	t.Parallel()
	before := numbered(30)
	dir := files(t, map[string]string{"a.md": before})
	d := start(t, setup{dir: dir, w: 110, h: 34, theme: dark, journal: t.TempDir()})
	after := strings.NewReplacer("row 5\n", "changed 5\n", "row 9\n", "changed 9\n", "row 13\n", "changed 13\n").Replace(before)
	d.write("a.md", after)
	d.arrived(1)
	d.press(".")
	d.sees("+changed 5")
	if n := strings.Count(d.screen(), "@@ -"); n != 1 {
		t.Fatalf("%d headers, want one for all three", n)
	}
	d.press("}", "r") // the second
	d.sees("Reverted 1 hunk of a.md. u undoes")
	second := strings.Replace(after, "changed 9\n", "row 9\n", 1)
	d.holds("a.md", second)
	d.press("u")
	d.holds("a.md", after)
	d.press("j", "j", "j", "r") // an unchanged line
	d.sees("No changed line here. } goes to the next hunk")
	d.holds("a.md", after)
}
