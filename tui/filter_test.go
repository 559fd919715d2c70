package tui

import (
	"strings"
	"testing"

	"memcurator/memstore"
)

func TestFilterByNameMarkAndKind(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"filter-120x35": {120, 35}, "filter-80x24": {80, 24}, "filter-40x12": {40, 12}} {
		t.Run(name, func(t *testing.T) {
			d := start(t, setup{dir: store(t, "demo"), w: size[0], h: size[1], theme: dark})
			d.press("f")
			d.types("ext:md -is:hidden prog")
			d.golden(name)
			d.press("enter")
			d.sees("1 of 24")
			d.press("esc")
			d.lacks("1 of 24")
		})
	}
}

func TestFilterReadsFiles(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "text\n", "b.dat": strings.Repeat("a\x00b", 20), "c.dat": strings.Repeat("\xff\xfe", 20), "d/e.txt": "日記\n", "empty": ""})
	d := start(t, setup{dir: dir, w: 100, h: 24, theme: dark})
	d.press("f")
	d.types("is:binary")
	d.sees("2 of 6")
	d.press("enter")
	d.write("a.md", strings.Repeat("\x00no", 20))
	d.sees("3 of 6")
	d.does(memstore.Command{Name: "delete", Path: "/memories/b.dat"})
	d.sees("2 of 5")
	d.press("esc", "f")
	d.types("is:text -is:folder")
	d.sees("2 of 5")
	d.press("enter", "ctrl+a", "esc")
	d.lacks("selected,")
}
