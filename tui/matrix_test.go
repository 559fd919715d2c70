package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/browse"
)

// The screen of every tab at three sizes, and the diff painted in every theme, so that neither
// a layout nor a color changes unseen.

// matrixThemes are compared at one size: the text is the same except for the ASCII twins.
var matrixThemes = map[string]theme.Options{
	"dark": {Name: theme.Dark, Dark: true}, "light": {Name: theme.Light}, "contrast": {Name: theme.Contrast, Dark: true},
	"nocolor": {Name: theme.Mono}, "ascii": {Name: theme.Dark, Dark: true, ASCII: true},
}

// matrixTab is a tab with what brings it on the screen.
type matrixTab struct {
	name string
	path string
	show func(d *driver)
}

func matrixTabs() []matrixTab {
	return []matrixTab{
		{name: "view", path: "/memories/progress.md", show: func(d *driver) {}},
		{name: "diff", path: "/memories/progress.md", show: func(d *driver) { d.browse().Tabs.Show(browse.Diff) }},
		{name: "search", path: "/memories/progress.md", show: func(d *driver) {
			d.finds("no")
			d.press("j", "j", "j", "j", "j")
		}},
		{name: "sides", path: "/memories/progress.md", show: sideBySide},
		{name: "rendered", path: "/memories/progress.md", show: showTab(browse.Rendered)},
		{name: "history", path: "/memories/progress.md", show: showTab(browse.History)},
		{name: "blamed", path: "/memories/progress.md", show: showTab(browse.Blame)},
		{name: "changes", path: "/memories/progress.md", show: func(d *driver) { d.press("2") }},
		{name: "trash", path: "/memories/progress.md", show: func(d *driver) { d.press("5") }},
	}
}

// showTab goes to a tab and waits for what it shows.
func showTab(t browse.TabName) func(d *driver) {
	return func(d *driver) {
		d.browse().Tabs.Show(t)
		d.run(d.browse().Wake())
		d.rest()
	}
}

// matrixDriver opens the sample store with three edits of the agent, on a file of a tab.
func matrixDriver(t *testing.T, tab matrixTab, o theme.Options) *driver {
	t.Helper()
	dir := store(t, "demo")
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: o, journal: t.TempDir()})
	d.does(memstore.Command{Name: memstore.CmdInsert, Path: "/memories/progress.md", InsertLine: 2, InsertText: "A line that the agent added, 日本語 included.\n"})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/new.md", FileText: "# New\n"})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/notes/old_plan.md"})
	d.arrived(3)
	d.run(d.browse().Select(tab.path, true))
	d.rest()
	tab.show(d)
	d.m.stage.focus = onDetail
	d.m.say.forget()
	return d
}

func TestGoldenTabs(t *testing.T) {
	t.Parallel()
	for _, tab := range matrixTabs() {
		t.Run(tab.name, func(t *testing.T) {
			t.Parallel()
			matrixDriver(t, tab, dark).goldens("tab-" + tab.name)
		})
	}
}

// TestGoldenThemes paints the diff, whose meaning is in its colors, in every theme.
func TestGoldenThemes(t *testing.T) {
	t.Parallel()
	diff := matrixTab{path: "/memories/progress.md", show: func(d *driver) { d.browse().Tabs.Show(browse.Diff) }}
	for name, o := range matrixThemes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := matrixDriver(t, diff, o)
			d.resize(80, 24)
			d.painted("tab-diff-80x24-" + name + ".painted")
		})
	}
}

// painted compares the screen with its colors; the escapes are written as ␛, so that the
// file is text and can be read in a diff.
func (d *driver) painted(name string) {
	d.t.Helper()
	rows, _ := d.m.frame()
	got := strings.ReplaceAll(strings.Join(rows, "\n"), "\x1b", "␛") + "\n"
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		d.t.Fatal(err)
	}
	if got != string(want) {
		d.t.Errorf("%s differs. If that is meant: go test ./tui -update\n--- got\n%s--- want\n%s", name, got, want)
	}
}
