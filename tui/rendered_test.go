package tui

import (
	"strings"
	"testing"

	"memcurator/tui/browse"
)

// A file that is not text shows the first of its bytes.
func TestBytesOfABinaryFile(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.bin": strings.Repeat("\x00\x01\x1b\xff", 5000) + "needle"}), w: 120, h: 24, theme: dark})
	d.opens("/memories/a.bin")
	d.press("]", "]")
	d.sees("00000000  00 01 1b ff 00 01 1b ff")
	d.press("G")
	d.resize(60, 24)
	d.press("G")
	d.sees("00000ff8  00 01 1b ff 00 01 1b ff  |........|")
	d.resize(40, 24)
	d.press("G")
	d.sees("00000ffc  00 01 1b ff  |....|")
}

func TestLinksLeadToFiles(t *testing.T) {
	t.Parallel()
	text := "[rel](b.md)\n\n[[wiki]]\n\n[abs](/memories/top.md#x)\n\n[out](https://x.y)\n\n[up](../../../etc/passwd)\n\nplain\n"
	dir := files(t, map[string]string{
		"d/a.md": text, "d/b.md": "---\nname: ferry\n---\nb\n", "wiki.md": "w", "top.md": "t", "etc/passwd": "x",
	})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark})
	for row, want := range []string{"d/b.md", "wiki.md", "top.md", "d/a.md", "d/a.md", "d/a.md"} {
		d.opens("/memories/d/a.md")
		showTab(browse.Rendered)(d)
		d.m.stage.focus = onDetail
		d.press("g")
		for range 2 * row {
			d.press("j")
		}
		d.press("enter")
		if at, _ := d.browse().Tree.Selected(); at != "/memories/"+want {
			t.Errorf("row %d leads to %s, not %s:\n%s", row, at, want, d.screen())
		}
	}
	d.sees("No link")
	d.opens("/memories/d/b.md")
	showTab(browse.Rendered)(d)
	d.sees("name: ferry")
}
