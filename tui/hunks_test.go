package tui

import (
	"strings"
	"testing"
)

// A hunk is a block of changed lines, also where a header introduces several: the keys stop at and revert the same lines.
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
	d.sees(": rewrote a.md. u undoes")
	second := strings.Replace(after, "changed 9\n", "row 9\n", 1)
	d.holds("a.md", second)
	d.sees("1 hunk reverted")
	d.lacks("@@  reverted") // the others are in force
	d.press("u")
	d.holds("a.md", after)
	d.press("j", "j", "j", "r") // an unchanged line
	d.sees("No changed line here. } goes to the next hunk")
	d.holds("a.md", after)
}
