package tui

import (
	"fmt"
	"strings"
	"testing"
)

func rowsOfLog(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "entry %d\n", i)
	}
	return b.String()
}

// The line under the cursor stays in sight when text is inserted or deleted above it.
func TestReplacedFileKeepsTheLineThatIsRead(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": rowsOfLog(1, 200)}), w: 100, h: 24, theme: dark})
	d.press("j", "enter")
	d.command("100")
	before := d.cursorRow()
	for _, content := range []string{
		"new\nlines\nabove\n" + rowsOfLog(1, 200),
		rowsOfLog(20, 200), // more than half a screen
		strings.Repeat("\n", 5) + rowsOfLog(19, 150),
	} {
		d.write("a.md", content)
		d.until("the file is read again", func() bool {
			return strings.HasSuffix(d.browse().View.Place(), fmt.Sprint("/", strings.Count(content, "\n")+1))
		})
		if got := d.cursorRow(); !strings.HasSuffix(got, "entry 100") {
			t.Errorf("the cursor went from %q to %q", before, got)
		}
	}
}
