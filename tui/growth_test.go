package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
)

// append adds to a file as another program would.
func (d *driver) append(name, content string) {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.dir, name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := f.WriteString(content); err != nil {
		d.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		d.t.Fatal(err)
	}
}

func rowsOfLog(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "entry %d\n", i)
	}
	return b.String()
}

func TestGrowingFileIsFollowed(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"tail-120x35": {120, 35}, "tail-80x24": {80, 24}, "tail-40x12": {40, 12}} {
		t.Run(name, func(t *testing.T) {
			d := start(t, setup{dir: files(t, map[string]string{"run.log": rowsOfLog(1, 100)}), w: size[0], h: size[1], theme: dark})
			d.press("j", "enter", "F")
			d.sees("entry 100")
			d.append("run.log", rowsOfLog(101, 130))
			d.sees("entry 130")
			d.does(memstore.Command{Name: "insert", Path: "/memories/run.log", InsertLine: 130, InsertText: "entry of the agent\n"})
			d.sees("entry of the agent")
			d.sees("following its")
			d.lacks("replaced")
			d.arrived(2)
			d.golden(name)
		})
	}
}

func TestFollowingAFileEnds(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"k", "esc", "g", "ctrl+u", "F", "pgup"} {
		d := start(t, setup{dir: files(t, map[string]string{"run.log": rowsOfLog(1, 100)}), w: 100, h: 24, theme: dark})
		d.press("j", "enter", "F", "j", "G")
		d.sees("following its")
		d.press(key)
		d.lacks("following its end")
		if d.m.stage.focus != onDetail {
			t.Errorf("%s left the view", key)
		}
		d.append("run.log", rowsOfLog(101, 140))
		d.until("the line is counted", func() bool { return strings.HasSuffix(d.browse().View.Place(), "/141") })
		d.lacks("entry 140")
	}
}

func TestFollowedFileIsCutOrReplaced(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"run.log": rowsOfLog(1, 100)}), w: 100, h: 24, theme: dark})
	d.press("j", "enter", "F")
	d.write("run.log", rowsOfLog(1, 3))
	d.sees("got shorter")
	d.sees("entry 3")
	d.write("run.log", rowsOfLog(200, 300))
	d.sees("The file has new text")
	d.sees("entry 300")
	d.append("run.log", "entry 301\n")
	d.sees("entry 301")
	d.sees("following its")
	d.press("esc", "esc")
	d.command("tail") // from the prompt, with the focus on the tree
	d.sees("following its")
}

func TestLargeFileThatGrowsIsReadOn(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 99) + "\n"
	dir := files(t, map[string]string{"big.log": strings.Repeat(line, 60_000)}) // 6 MB
	d := start(t, setup{dir: dir, w: 100, h: 24, theme: dark})
	d.press("j", "enter", "F")
	for i := range 5 {
		d.append("big.log", strings.Repeat(line, 1000)+fmt.Sprintf("mark %d\n", i))
		d.sees(fmt.Sprintf("mark %d", i))
	}
	if got, want := d.browse().View.Place(), "65006/65006"; got != want {
		t.Errorf("at %s, want %s", got, want)
	}
}

// The line under the cursor stays in sight when text is inserted or deleted above it.
func TestReplacedFileKeepsTheLineThatIsRead(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": rowsOfLog(1, 200)}), w: 100, h: 24, theme: dark})
	d.press("j", "enter")
	d.command("100")
	cursor := func() string {
		at, _ := d.browse().View.Cursor()
		return strings.TrimSpace(d.viewRowsAt()[at.Y])
	}
	before := cursor()
	for _, content := range []string{
		"new\nlines\nabove\n" + rowsOfLog(1, 200),
		rowsOfLog(20, 200), // more than half a screen
		strings.Repeat("\n", 5) + rowsOfLog(19, 150),
	} {
		d.write("a.md", content)
		d.until("the file is read again", func() bool {
			return strings.HasSuffix(d.browse().View.Place(), fmt.Sprint("/", strings.Count(content, "\n")+1))
		})
		if got := cursor(); !strings.HasSuffix(got, "entry 100") {
			t.Errorf("the cursor went from %q to %q", before, got)
		}
	}
}

// viewRowsAt are the rows of the main pane beside the tree.
func (d *driver) viewRowsAt() []string {
	in := below(d.m.stage.layout.detail)
	var out []string
	for _, row := range strings.Split(d.screen(), "\n")[in.Y : in.Y+in.H] {
		cells := []rune(row)
		out = append(out, strings.TrimRight(string(cells[in.X:min(len(cells), in.X+in.W)]), " ▐│┃"))
	}
	return out
}

// A folder does not grow: F in its view follows the agent, as it does elsewhere.
func TestFollowFromTheViewOfAFolder(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"d/a.md": "a\n"}), w: 80, h: 24, theme: dark})
	d.press("tab", "F")
	d.sees("Following the agent")
	d.press("F")
	d.sees("Stopped following")
	d.opens("/memories/d/a.md")
	d.press("F")
	d.sees("following its")
}
