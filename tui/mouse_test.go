package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/memstore"
	"memcurator/render/text"
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
	d.clicks(5, 4) // the top bar, the border, /memories, a.md, b.md
	d.sees("content of /memories/b.md")
	if d.m.focus != onTree {
		t.Fatal("one click already opened the file")
	}
	d.clicks(5, 4)
	if d.m.focus != onMain {
		t.Fatal("the second click did not open the file")
	}
	before := d.m.viewer.Place()
	d.take(tea.MouseWheelMsg{X: 80, Y: 10, Button: tea.MouseWheelDown})
	d.rest()
	if d.m.viewer.Place() == before {
		t.Error("the wheel did not scroll the pane under the pointer")
	}
	d.take(tea.MouseWheelMsg{X: 5, Y: 10, Button: tea.MouseWheelDown})
	d.rest()
	d.sees("content of /memories/c.md")
	d.clicks(999, 999)
	d.clicks(0, 0)
}

func TestMouseDragsTheBorder(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 120, h: 30, theme: dark})
	at := d.m.layout.tree.W - 1
	d.take(tea.MouseClickMsg{X: at, Y: 10, Button: tea.MouseLeft})
	for _, x := range []int{at + 10, 5, 119, 60} {
		d.take(tea.MouseMotionMsg{X: x, Y: 10, Button: tea.MouseLeft})
	}
	d.take(tea.MouseReleaseMsg{X: 60, Y: 10})
	d.take(tea.MouseMotionMsg{X: 80, Y: 10})
	d.rest()
	if d.m.layout.tree.W != 61 {
		t.Errorf("the tree is %d wide after the drag, want 61", d.m.layout.tree.W)
	}
	d.resize(70, 20)
}

func TestMouseCanBeGivenBack(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 100, h: 30, theme: dark})
	if d.m.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the mouse is off at the start")
	}
	d.command("mouse")
	if d.m.View().MouseMode != tea.MouseModeNone {
		t.Error(":mouse did not give the mouse back")
	}
}

func TestPaletteFindsActionsByWhatTheyDo(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 100, h: 30, theme: dark})
	d.press("ctrl+p")
	d.sees("Actions")
	d.types("unfold every")
	d.sees("expand-all")
	d.lacks("collapse-all")
	d.golden("palette")
	d.press("enter")
	d.sees("runbook.xml")
	d.press("ctrl+p")
	d.types("zzzz")
	d.sees("no action matches")
	d.press("enter")
	d.lacks("Actions")
	d.press("ctrl+p", "esc")
	d.lacks("Actions")
}

func TestFollowShowsEachChangeUntilTheUserMoves(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\n", "b.md": "two\n"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark})
	d.press("a")
	d.sees("following")
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "one", NewStr: "1"})
	d.sees("+1")
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/b.md", OldStr: "two", NewStr: "2"})
	d.sees("-two")
	if d.m.focus != onTree {
		t.Error("following took the focus")
	}
	d.press("k")
	d.sees("no longer following")
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/b.md", OldStr: "2", NewStr: "3"})
	d.arrived(3)
	d.lacks("+3")
}

func TestMouseChoosesATab(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 120, h: 30, theme: dark})
	title := strings.Split(d.screen(), "\n")[1]
	at := len([]rune(title[:strings.Index(title, "diff")]))
	d.clicks(at+1, 1)
	if d.m.tab != tabDiff || d.m.focus != onMain {
		t.Fatalf("a click on the name of the diff tab shows tab %d", d.m.tab)
	}
	d.clicks(at-6, 1)
	if d.m.tab != tabView {
		t.Fatalf("a click on the name of the view tab shows tab %d", d.m.tab)
	}
}

// As many names as fit stand around the shown tab, with a sign for the others that leads to them.
func TestTabsThatDoNotFit(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 120, h: 30, theme: dark})
	all := d.m.availableTabs()
	for _, shown := range all {
		d.m.tab = shown
		for width := 1; width < 80; width++ {
			painted, spans, cells := d.m.tabNames(width)
			row := ansi.Strip(painted)
			if got := text.Width(row); cells != got || width > 2 && cells > width {
				t.Fatalf("the names of the tabs take %d cells of %d, %d are told: %q", got, width, cells, row)
			}
			if name := "[" + d.m.mainTab().Title() + "]"; width > len(name)+2 && !strings.Contains(row, name) {
				t.Fatalf("the shown tab has no name in %d cells: %q", width, row)
			}
			for _, s := range spans {
				word := strings.Trim(string([]rune(row)[s.from:s.to]), "[]")
				if word != d.m.tabs[s.tab].Title() && (word != "…" || s.tab == shown) {
					t.Fatalf("%q leads to tab %d", word, s.tab)
				}
			}
		}
	}
	d.m.tab = all[2]
	painted, spans, _ := d.m.tabNames(24)
	if got, want := ansi.Strip(painted), " … · [rendered] · hex "; got != want {
		t.Fatalf("tabs in 24 cells: %q", got)
	}
	if spans[0].tab >= spans[1].tab {
		t.Fatalf("the sign for more leads to tab %d, before %d", spans[0].tab, spans[1].tab)
	}
}

func TestTabsAreCountedWhereOnlyOneFits(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 120, h: 30, theme: dark})
	painted, spans, _ := d.m.tabNames(14)
	if got, want := ansi.Strip(painted), fmt.Sprintf(" [view] 1/%d ", len(d.m.availableTabs())); got != want || spans != nil {
		t.Fatalf("tabs in 14 cells: %q", got)
	}
}
