package tui

import (
	"strings"
	"testing"

	"memcurator/memstore"
)

func TestFilterByNameMarkAndKind(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark})
	d.press("f")
	d.types("ext:md -is:hidden prog")
	d.golden("filter-80x24")
	d.press("enter")
	d.sees("1 of 24")
	d.press("esc")
	d.lacks("1 of 24")
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

func TestFilterHelpsWhileItIsTyped(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark})
	d.press("f")
	d.types("is:slected")
	d.sees("Did you mean is:selected?")
	d.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace", "tab")
	d.sees("is:selected")
	d.press("esc", "f")
	d.types("is:f")
	d.press("tab")
	d.sees("is:file  is:folder")
	d.types("o")
	d.press("tab", "enter")
	d.sees("6 of 24")
}
