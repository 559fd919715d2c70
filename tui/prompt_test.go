package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
)

func TestReadOnlyRefusesEveryWrite(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "see [b](gone.md)\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark, readOnly: true})
	d.sees("READ-ONLY")
	d.chooses("/memories/a.md")
	for _, keys := range [][]string{{"d"}, {"e"}, {"c"}, {"m"}, {":new-file /memories/b.md"}, {":move /memories/c.md"}} {
		d.m.say.forget()
		d.press(keys...)
		d.sees("Read-only. Restart without --read-only")
	}
	d.press("3")
	d.sees("gone.md not found")
	for _, key := range []string{"a", "space", "d", "D", "c"} {
		d.m.say.forget()
		d.press(key)
		d.sees("Read-only. Restart without --read-only")
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if entries, _ := os.ReadDir(dir); err != nil || string(data) != "see [b](gone.md)\n" || len(entries) != 1 {
		t.Errorf("the store changed: %q, %d entries, %v", data, len(entries), err)
	}
}

func TestCopyMenu(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.press("j", "y")
	d.golden("copy-menu")
	d.press("p")
	if d.clip != "/memories/a.md" {
		t.Errorf("the path came out as %q", d.clip)
	}
	d.press("enter", "j", "j", "y", "l")
	if d.clip != "two" {
		t.Errorf("the line came out as %q", d.clip)
	}
	d.press("y", "o")
	want := d.browse().Store.Do(t.Context(), memstore.Command{Name: "view", Path: "/memories/a.md"}).Content
	if d.clip != want {
		t.Errorf("the output came out as %q, want %q", d.clip, want)
	}
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "one", NewStr: "1"})
	d.arrived(1)
	d.press("]", "y", "d")
	if !strings.Contains(d.clip, "-one\n+1\n") {
		t.Errorf("the diff came out as %q", d.clip)
	}
}
