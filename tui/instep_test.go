package tui

import (
	"strings"
	"testing"
)

// An index follows what is deleted and renamed: undone in one with the act.
func TestIndexFollowsDeletionsAndMoves(t *testing.T) {
	t.Parallel()
	const text = "# Index\n\n- [A](a.md) — x\n- [B](b.md) — y\n- [C](c.md) — z\n"
	dir := files(t, map[string]string{"MEMORY.md": text, "a.md": "aaa\n", "b.md": "See [A](a.md).\n", "c.md": "ccc\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark, journal: t.TempDir()})
	follows := func(what, want string) {
		t.Helper()
		d.until(what, func() bool { return d.read("MEMORY.md") == want && !d.busy() })
	}
	d.run(d.browse().Select("/memories/a.md", true))
	d.press("d")
	d.sees("Delete a.md?")
	d.press("y")
	without := strings.Replace(text, "- [A](a.md) — x\n", "", 1)
	follows("the entry is gone", without)
	d.press("u")
	follows("undone", text)
	back := func() bool { return d.m.store.Snapshot.Find("/memories/a.md") != nil }
	d.until("a.md is back", back)

	d.chooses("/memories/a.md")
	d.press("d", "y")
	follows("the entry is gone again", without)
	d.press("5")
	d.until("a.md is in the trash", func() bool { r, ok := d.m.trash.Revisions().Selected(); return ok && r.Path == "/memories/a.md" })
	d.press("R")
	follows("restored from the trash, with its entry", text)
	d.press("u", "1")
	follows("the restoring is undone", without)
	d.press("ctrl+r")
	follows("and redone", text)
	d.until("a.md is back again", back)

	d.chooses("/memories/a.md")
	d.command("move /memories/n/z.md")
	follows("renamed", strings.Replace(text, "(a.md)", "(n/z.md)", 1))
	d.holds("b.md", "See [A](n/z.md).\n")
	d.press("u")
	follows("the move is undone", text)
}
