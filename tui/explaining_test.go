package tui

import (
	"testing"

	"memcurator/memstore"
)

// i explains the file under the cursor, with its use according to the journal; on the store it is the opening summary.
func TestInfoExplainsAFile(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "dir/b.md": "b\n"}), w: 100, h: 24, theme: dark, journal: state, summary: true})
	d.does(memstore.Command{Name: memstore.CmdView, Path: "/memories/a.md"})
	d.does(edit("/memories/a.md", "a", "b"))
	d.arrived(1)
	d.press("j")
	d.lacks("at a glance")
	d.press("i")
	d.sees("━ Info ━")
	d.sees("agent        2 views and writes, the last today 12:04")
	d.sees("unread       1 change")
	d.press("esc", "j", "i")
	d.sees("size         1 file, 2B")
	d.press("esc", "g", "i")
	d.sees("at a glance")
	d.m.options.LeftEdits = []string{"/state/edit-1"}
	d.press("i")
	d.sees("An edit left its text in /state/edit-1")
}
