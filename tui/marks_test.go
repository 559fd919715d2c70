package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
)

func TestMarksAndRanges(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark})
	d.press("j", "space", "j", "v", "j")
	d.sees("range of")
	d.golden("marks-80x24")
	d.press("esc")
	d.lacks("range of")
	d.sees("1 selected")
	d.press("esc")
	d.lacks("1 selected")
}

func TestMarksGoAlongWithTheStore(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": "b\n"}), w: 100, h: 24, theme: dark})
	d.press("j", "space", "space")
	d.does(memstore.Command{Name: "rename", OldPath: "/memories/a.md", NewPath: "/memories/z/n.md"})
	d.until("the mark moved", func() bool {
		return strings.Join(d.browse().Tree.Selection.Paths(), " ") == "/memories/b.md /memories/z/n.md"
	})
	d.does(memstore.Command{Name: "delete", Path: "/memories/b.md"})
	d.until("the mark left", func() bool { return strings.Join(d.browse().Tree.Selection.Paths(), " ") == "/memories/z/n.md" })
	d.sees("1 selected")
	d.press("g", "space")
	d.sees("Can't select /memories itself")
}

func TestMouseMarks(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": "b\n", "c.md": "c\n", "d.md": "d\n"}), w: 100, h: 24, theme: dark})
	click := func(y int, mod tea.KeyMod) {
		d.take(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft, Mod: mod})
		d.take(tea.MouseReleaseMsg{X: 5, Y: y, Button: tea.MouseLeft, Mod: mod})
		d.rest()
	}
	click(4, tea.ModCtrl) // store, tabs, title, /memories, a.md
	click(6, tea.ModCtrl)
	if got := strings.Join(d.browse().Tree.Selection.Paths(), " "); got != "/memories/a.md /memories/c.md" {
		t.Errorf("ctrl marked %s", got)
	}
	click(6, tea.ModCtrl)
	click(7, tea.ModShift)
	if got := strings.Join(d.browse().Tree.Selection.Paths(), " "); got != "/memories/a.md /memories/c.md /memories/d.md" {
		t.Errorf("shift marked %s", got)
	}
	if d.m.stage.focus != onList {
		t.Error("a click that marks opened the file")
	}
}
