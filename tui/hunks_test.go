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

// The diff of a change shows which of its hunks were reverted, and by what, until that is undone.
func TestTheDiffMarksRevertedHunks(t *testing.T) {
	t.Parallel()
	before := numbered(40)
	dir := files(t, map[string]string{"a.md": before})
	d := start(t, setup{dir: dir, w: 110, h: 34, theme: dark, journal: t.TempDir()})
	d.write("a.md", strings.NewReplacer("row 5\n", "changed 5\n", "row 9\n", "changed 9\n", "row 30\n", "changed 30\n").Replace(before))
	d.arrived(1)
	d.press(".")
	d.sees("+changed 5")
	d.press("}", "r") // the second
	d.sees("Reverted 1 hunk of a.md. u undoes")
	d.sees("↶          9 +changed 9")
	d.press("r")
	d.sees("This hunk is already reverted by #2")
	d.press("}", "r")
	d.sees("3 changes") // in the strip
	d.sees("reverted by #3")
	d.golden("hunks-reverted-110x34")
	lacksSoon := func(text string) { // the marks follow the message of the undo
		t.Helper()
		d.until(text+" is gone", func() bool { return !strings.Contains(d.screen(), text) })
	}
	d.press("u")
	lacksSoon("reverted by #3")
	d.press("u")
	lacksSoon("reverted by")
	d.press("ctrl+a", "r") // all of it: the heading says so too
	d.sees("reverted by #6 ")
}
