package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/theme"
)

func TestMarksAndRanges(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"marks-120x35": {120, 35}, "marks-80x24": {80, 24}, "marks-40x12": {40, 12}} {
		t.Run(name, func(t *testing.T) {
			d := start(t, setup{dir: store(t, "demo"), w: size[0], h: size[1], theme: dark})
			d.press("j", "space", "j", "v", "j")
			d.sees("range of")
			d.golden(name)
			d.press("esc")
			d.lacks("range of")
			d.sees("1 selected")
			d.press("esc")
			d.lacks("1 selected")
		})
	}
}

func TestMarksInASCIIWithoutColour(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: theme.Options{NoColor: true, ASCII: true}})
	d.press("j", "space", "j", "v", "j")
	d.golden("marks-80x24-ascii")
}

func TestMarkedPathsAreCopied(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": "b\n", "c.md": "c\n"}), w: 100, h: 24, theme: dark})
	d.press("j", "j", "j", "space", "g", "j", "space", "y", "p")
	if want := "/memories/a.md\n/memories/c.md"; d.clip != want {
		t.Errorf("copied %q, want %q", d.clip, want)
	}
	d.sees("Copied the 2 paths")
	d.press(":mark-invert", "y", "p")
	if want := "/memories/b.md"; d.clip != want {
		t.Errorf("copied %q after inverting, want %q", d.clip, want)
	}
	d.command("mark-none")
	d.press("ctrl+a")
	d.command("sort")
	d.sees("Sorted by")
	d.press("y", "p")
	if strings.Count(d.clip, "\n") != 2 {
		t.Errorf("copied %q after marking all", d.clip)
	}
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
