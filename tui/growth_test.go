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
	d := start(t, setup{dir: files(t, map[string]string{"run.log": rowsOfLog(1, 100)}), w: 80, h: 24, theme: dark})
	d.press("j", "enter", "F")
	d.sees("entry 100")
	d.append("run.log", rowsOfLog(101, 130))
	d.sees("entry 130")
	d.does(memstore.Command{Name: "insert", Path: "/memories/run.log", InsertLine: 130, InsertText: "entry of the agent\n"})
	d.sees("entry of the agent")
	d.sees("following its")
	d.lacks("replaced")
	d.arrived(2)
	d.golden("tail-80x24")
}

func TestFollowedFileIsCutOrReplaced(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"run.log": rowsOfLog(1, 100)}), w: 100, h: 24, theme: dark})
	d.press("j", "enter", "F")
	d.write("run.log", rowsOfLog(1, 3))
	d.sees("entry 3")
	d.write("run.log", rowsOfLog(200, 300))
	d.sees("entry 300")
	d.append("run.log", "entry 301\n")
	d.sees("entry 301")
	d.sees("following its")
	d.press("esc", "esc")
	d.command("tail") // from the prompt, with the focus on the tree
	d.sees("following its")
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
