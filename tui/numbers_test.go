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
}
