package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/browse"
)

func (d *driver) clicks(x, y int) {
	d.take(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	d.take(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	d.rest()
}

func TestMouseSelectsOpensAndScrolls(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a\n", "b.md": strings.Repeat("row\n", 300), "c.md": "c\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.clicks(5, 5) // store, tabs, title, /memories, a.md, b.md
	d.sees("content of /memories/b.md")
	if d.m.stage.focus != onList {
		t.Fatal("one click already opened the file")
	}
	d.clicks(5, 5)
	if d.m.stage.focus != onDetail {
		t.Fatal("the second click did not open the file")
	}
	before := d.browse().View.Place()
	d.take(tea.MouseWheelMsg{X: 80, Y: 10, Button: tea.MouseWheelDown})
	d.rest()
	if d.browse().View.Place() == before {
		t.Error("the wheel did not scroll the pane under the pointer")
	}
	d.take(tea.MouseWheelMsg{X: 5, Y: 10, Button: tea.MouseWheelDown})
	d.rest()
	d.sees("content of /memories/c.md")
	d.clicks(999, 999)
	d.clicks(0, 0)
}

func TestPaletteFindsActionsByWhatTheyDo(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 100, h: 30, theme: dark})
	d.press("?", "/")
	d.sees("Keys: memories")
	d.types("unfold every")
	d.sees("more: unfold everything")
	d.lacks("less: fold")
	d.golden("palette")
	d.press("enter")
	d.sees("runbook.xml")
	d.press("?", "/")
	d.types("zzzz")
	d.sees("nothing matches")
	d.press("esc")
	d.lacks("Keys: memories")
}

func TestFollowShowsEachChangeUntilTheUserMoves(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\n", "b.md": "two\n"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark})
	d.press("F")
	d.sees("following")
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "one", NewStr: "1"})
	d.sees("+1")
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/b.md", OldStr: "two", NewStr: "2"})
	d.sees("-two")
	if d.m.stage.focus != onList {
		t.Error("following took the focus")
	}
	d.press("k")
	d.sees("Stopped following")
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/b.md", OldStr: "2", NewStr: "3"})
	d.arrived(3)
	d.lacks("+3")
}

func TestMouseChoosesATab(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 120, h: 30, theme: dark})
	title := strings.Split(d.screen(), "\n")[2]
	at := len([]rune(title[:strings.Index(title, "diff")]))
	d.clicks(at+1, 2)
	if d.browse().Tabs.At() != browse.Diff || d.m.stage.focus != onDetail {
		t.Fatalf("a click on the name of the diff tab shows tab %d", d.browse().Tabs.At())
	}
	d.clicks(at-6, 2)
	if d.browse().Tabs.At() != browse.View {
		t.Fatalf("a click on the name of the view tab shows tab %d", d.browse().Tabs.At())
	}
}
