package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
)

// screenful opens a store with long, wide and changed files at 200x60.
func screenful(b *testing.B) *driver {
	prose := strings.Repeat("Some words of a note that an agent wrote, in plain text.\n日本語の行もあります。\n\n", 400)
	contents := map[string]string{"a.md": prose, "b.md": prose}
	for _, name := range strings.Fields(strings.Repeat("x", 60)) {
		contents["notes/"+name+".md"] = "x\n"
	}
	d := start(b, setup{dir: files(b, contents), w: 200, h: 60, theme: dark})
	d.does(memstore.Command{Name: "create", Path: "/memories/new.md", FileText: prose})
	d.arrived(1)
	d.press("j", "enter", "ctrl+d")
	return d
}

func BenchmarkView200x60(b *testing.B) {
	for _, c := range []struct {
		name string
		keys []string
	}{{"view", nil}, {"search", []string{"/", "o", "enter"}}, {"diff", []string{"."}}, {"box", []string{"?"}}} {
		b.Run(c.name, func(b *testing.B) {
			d := screenful(b)
			d.press(c.keys...)
			for b.Loop() {
				d.m.View()
			}
		})
	}
}

// One key in the middle of a file of the most lines that the tool shows: Update and View,
// and the page from disk where the motion needs one.
func BenchmarkKeyAtLine500000(b *testing.B) {
	dir := files(b, map[string]string{"small.md": "x\n"})
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(strings.Repeat("some text of a line\n", 999_998)), 0o600); err != nil {
		b.Fatal(err)
	}
	d := start(b, setup{dir: dir, w: 200, h: 60, theme: dark})
	d.opens("/memories/a.md")
	for _, key := range []string{"j", "pgdown", "pgup"} {
		b.Run(key, func(b *testing.B) {
			d.run(d.browse().View.GoTo(500_000))
			d.rest()
			press := keyPress(key)
			for b.Loop() {
				d.plain(press)
			}
		})
	}
}

// plain is take and settle without the driver's look at each frame.
func (d *driver) plain(msg tea.Msg) {
	_, cmd := d.m.Update(msg)
	d.m.View()
	d.run(cmd)
	d.rest()
}
