package tui

import (
	"testing"
)

// A change goes by the number of its revision in the diff tab too, regardless of who made it, and what was
// recorded before the start counts.
func TestLiveChangesGoByTheirRevision(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n", "b.md": "b\n"})
	first := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	first.does(edit("/memories/a.md", "two", "2"))
	first.unread(1)
	first.leaves()

	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	d.write("b.md", "b\nmore\n")
	d.arrived(1)
	d.press(".") // the oldest unread one, from before this start
	d.sees("#1 ")
	d.press(".")
	d.sees("#2  today 12:04  external")
	d.does(edit("/memories/a.md", "one", "1"))
	d.arrived(2)
	d.command("compare #2 /memories/b.md")
	d.sees("/memories/b.md after #2 → /memories/b.md")
	d.command("compare #1 #3")
	d.sees("/memories/a.md after #1 → /memories/a.md after #3")
	d.sees("-one")
	for line, want := range map[string]string{
		"compare #9": "#9 is not a revision. 2 lists them",
		"compare #x": "#x is not a revision",
	} {
		d.command(line)
		d.sees(want)
	}
}
