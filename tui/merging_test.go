package tui

import (
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/tui/act"
)

// A reverted change was overwritten in two places: the user takes one side, and the answer is one undoable revision.
func TestConflictsAreDecided(t *testing.T) {
	t.Parallel()
	body := numbered(40)
	lines := strings.SplitAfter(body, "\n")
	edited := func(a, b string) string {
		l := append([]string{}, lines...)
		l[2], l[30] = a+"\n", b+"\n"
		return strings.Join(l, "")
	}
	dir := files(t, map[string]string{"a.md": body})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	for _, c := range [][2]string{{"first", "second"}, {"erste", "zweite"}} {
		d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/a.md"})
		d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/a.md", FileText: edited(c[0], c[1])})
	}
	d.write("a.md", edited("one", "two"))
	d.unread(5)
	d.write("a.md", edited("eins", "zwei"))
	d.unread(6)
	d.press("2")
	d.sees("#6")
	d.press("g", "j")
	d.sees("#5")
	d.press("r")
	d.sees("Revert: 2 conflicts in a.md")
	d.golden("merge-110x30")
	d.press("-")
	d.sees(act.TextKeptCurrent)
	d.holds("a.md", edited("eins", "zwei"))
	d.press("r", "+")
	d.sees("a.md, 2 later edits overwritten")
	d.holds("a.md", edited("erste", "zweite"))
	d.press("u")
	d.holds("a.md", edited("eins", "zwei"))
}
