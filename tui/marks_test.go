package tui

import (
	"strings"
	"testing"

	"memcurator/memstore"
)

func TestMarksAndRanges(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark})
	d.press("j", "space", "j", "v", "j")
	d.sees("selecting a range")
	d.golden("marks-80x24")
	d.press("esc")
	d.lacks("selecting a range")
	d.sees("1 selected")
	d.press("esc")
	d.lacks("1 selected")
	d.press("v", "j", "d") // an action is about the range
	d.sees("Delete 2 files?")
	d.press("esc", "k")
	d.sees("2 selected")
}

func TestMarksGoAlongWithTheStore(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": "b\n"}), w: 100, h: 24, theme: dark})
	d.press("j", "space", "space")
	d.does(memstore.Command{Name: "delete", Path: "/memories/b.md"})
	d.until("the mark left", func() bool { return strings.Join(d.browse().Tree.Keys(), " ") == "/memories/a.md" })
	d.sees("1 selected")
	d.press("g", "space")
	d.sees("Can't select /memories itself")
}
