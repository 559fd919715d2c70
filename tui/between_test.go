package tui

import (
	"testing"

	"memcurator/memstore"
)

// tale is a store with a history: 1 a.md made, 2 edited, 3 b.md made, 4 a.md edited, 5 c.md deleted.
func tale(t *testing.T, w, h int) *driver {
	dir := files(t, map[string]string{"c.md": "c\n", "still.md": "still\n"})
	d := start(t, setup{dir: dir, w: w, h: h, theme: dark, journal: t.TempDir()})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/a.md", FileText: "one\ntwo\n"})
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "two", NewStr: "zwei"})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/b.md", FileText: "b\n"})
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "one", NewStr: "eins"})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/c.md"})
	d.arrived(5)
	d.agrees()
	return d
}
