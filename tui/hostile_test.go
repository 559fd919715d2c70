package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/text"
)

// harmless holds that nothing in the frame or the window's title can act on a terminal
// or hide text: the driver looks for control characters after each message, here the
// rest of what render/text makes visible is looked for.
func (d *driver) harmless() {
	d.t.Helper()
	v := d.m.View()
	for _, s := range []string{ansi.Strip(v.Content), v.WindowTitle} {
		for line := range strings.SplitSeq(s, "\n") {
			if clean := text.Clean(line); clean != line {
				d.t.Fatalf("%q is on the screen; made visible it would be %q", line, clean)
			}
		}
	}
	for _, bad := range []string{"]52", "\x1b]", "\x1bP", "\x1b_", "\x1bc", "\x1b[?", "\x1b[2J"} {
		if strings.Contains(v.Content, "\x1b"+bad) || bad[0] == 0x1b && strings.Contains(v.Content, bad) {
			d.t.Fatalf("the frame holds %q", bad)
		}
	}
	if strings.Contains(v.Content, strings.TrimSpace(outsideSecret)) {
		d.t.Fatalf("a link led out of the store:\n%s", d.screen())
	}
}

func TestEveryEntryOfAHostileStore(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{100, 30}, {40, 12}, {300, 20}} {
		if brief() && size[0] != 100 {
			continue
		}
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			t.Parallel()
			d := hostileStore(t, 1<<20, size[0], size[1])
			if err := os.RemoveAll(filepath.Join(d.dir, "deep", "d", "d", "d")); err != nil { // nothing but folders
				t.Fatal(err)
			}
			d.until("they are gone", func() bool { return d.m.store.Snapshot.Find("/memories/deep/d/d/d") == nil })
			d.press("+", "g")
			visited := map[string]bool{}
			for last := ""; ; {
				path, n := d.browse().Tree.Selected()
				if path == last {
					break
				}
				last = path
				visited[path] = true
				d.harmless()
				d.visit(path, n)
				d.press("j")
			}
			if len(visited) < 90 {
				t.Errorf("only %d entries were visited", len(visited))
			}
			if d.clip != "" {
				t.Errorf("the clipboard got %q without a key for it", d.clip)
			}
		})
	}
}

// visit looks at an entry in each tab and mode and searches in it.
func (d *driver) visit(path string, n *memstore.Node) {
	d.t.Helper()
	if d.browse().View.Path() != path {
		d.t.Fatalf("the tree is on %q, the view on %q", path, d.browse().View.Path())
	}
	focus := d.m.stage.focus
	d.m.stage.focus = onDetail
	d.run(d.m.stage.relayout())
	keys := []string{"w", "$", "l", "G", "w", "$", "pgup", "^", "g", "]", "l", "[", "n"}
	if brief() {
		keys = []string{"w", "$", "G", "w"}
	}
	for _, key := range keys {
		d.press(key)
		d.harmless()
	}
	if n != nil && n.Kind != memstore.KindDir {
		d.browse().View.Search().SetQuery("e")
		d.rest()
		d.press("n", "N", "z")
		d.harmless()
		d.press("z", "esc")
	}
	d.m.stage.focus = focus
	d.run(d.m.stage.relayout())
	d.rest()
}

func TestHostileNamesAreVisibleEverywhere(t *testing.T) {
	t.Parallel()
	names := []string{
		"esc\x1b[31mred.md", "new\nline.md", "txt.\u202edm.exe", "zero\u200bwidth.md", "c1\u009b31m.md", "bad-\xff\xfe.md", "clip\x1b]52;c;YQ==\a.md",
	}
	if brief() {
		names = names[:3]
	}
	contents := map[string]string{}
	for _, name := range names {
		contents[name] = "text\n"
	}
	d := start(t, setup{dir: files(t, contents), w: 110, h: 40, theme: dark})
	d.m.options.Title = "~/dir\x1b[2J\u202e"
	for _, name := range names {
		d.run(d.browse().Select("/memories/"+name, true))
		d.rest()
		if clean := text.Clean(name); strings.Count(d.screen(), clean) < 3 { // tree, title, status
			t.Errorf("%q is not on the screen in all places:\n%s", clean, d.screen())
		}
		d.harmless()
		d.press("y")
		d.harmless()
		d.press("p")
		if d.clip != "/memories/"+name {
			t.Errorf("%q was copied", d.clip)
		}
		d.harmless()
		known := len(d.m.feed.Revisions())
		d.write(name, "text\nchanged\n")
		d.until("the change is listed", func() bool { return len(d.m.feed.Revisions()) > known })
		d.press("]")
		d.sees("+changed")
		d.harmless()
		d.press("[", "M")
		d.harmless()
		d.press("esc")
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(d.dir, name), filepath.Join(d.dir, name+"\x1b]0;t\a")); err != nil {
			t.Fatal(err)
		}
	}
	d.until("the renames are listed", func() bool { return strings.Contains(d.screen(), text.Clean(names[0]+"\x1b]0;t\a")) })
	d.harmless()
	for _, line := range []string{"view /memories/none\x1b[31m\u202e", "delete /memories/none\u2066", "rename /memories/a\u202e /memories/b\x1b", "nosuch\u202e", "view /memories/\tx"} {
		d.press(":")
		d.types(line)
		d.harmless()
		d.press("enter")
		d.harmless()
		d.press("esc", "esc")
	}
	d.press("f")
	d.types("\u202e")
	d.harmless()
	d.press("enter", "/")
	d.types("\u200b\u202e")
	d.harmless()
	d.press("enter", "M")
	d.harmless()
}

func TestLineOfManyMegabytes(t *testing.T) {
	t.Parallel()
	size := 50 << 20
	if brief() {
		size = 4 << 20
	}
	d := hostileStore(t, size, 100, 30)
	d.opens("/memories/one-line.txt")
	d.sees("     1  0123456789abcdef")
	d.sees("file") // the frame is there while the lines are counted
	d.press("j")
	// Wrapped, only the beginning of the line is laid out.
	d.press("pgdown", "G", "g", "j", "w")
	d.sees("›")
	d.press("$")
	want := strings.Repeat("0123456789abcdef", 20) // of a line over 1 MiB the beginning is shown
	want = want[len(want)-(100-10):]
	if row := d.cursorRow(); !strings.HasSuffix(row, want) || len(row) != len("▌")+8+len(want) {
		t.Errorf("at its end the line shows %q", row)
	}
	d.press("^")
	d.sees("     1  0123456789abcdef")
	// Going right, each step shows what follows the step before.
	at := 0
	for range 100 {
		d.moves(keymap.Right)
		at += 8
		row := strings.TrimRight(d.cursorRow(), " ")
		part := []rune(row)[9:]
		if want := "0123456789abcdef0123456789abcdef"[at%16:]; !strings.HasPrefix(string(part), want[:16]) {
			t.Fatalf("at cell %d the line shows %q", at, string(part))
		}
	}
}

// moves is a motion of the view without the driver's look at each frame.
func (d *driver) moves(id keymap.ID) {
	d.t.Helper()
	cmd, _ := d.browse().View.Actions().Perform(id)
	d.run(cmd)
	d.rest()
}
