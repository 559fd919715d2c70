package tui

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/tui/browse"
)

// sections is a Markdown text in which every line can be told from the others.
func sections(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "## Section %d\n\nText %d.\n\n", i, i)
	}
	return b.String()
}

// top is the first row of the main pane without gutter, numbers and scroll bar.
func (d *driver) topRow() string {
	fields := strings.Fields(strings.Trim(body(d.viewRows()[0]), " ▌>"))
	if len(fields) > 0 && d.browse().Tabs.At() == browse.View {
		fields = fields[1:]
	}
	return strings.Join(fields, " ")
}

func TestTabsStayAtTheSameLine(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": sections(200)}), w: 80, h: 24, theme: dark})
	d.opens("/memories/a.md")
	d.press("ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "j", "j", "ctrl+d")
	before := d.viewRows()
	line := d.topRow()
	d.press("]", "]")
	if got := d.topRow(); !strings.HasPrefix(line, got) && got != "" {
		t.Errorf("the view was at %q, the rendered tab is at %q", line, got)
	}
	d.press("[", "[")
	if got := d.viewRows(); strings.Join(got, "\n") != strings.Join(before, "\n") {
		t.Errorf("back in the view:\n%s\nbefore:\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
	}
	d.press("G", "]", "]")
	if !strings.Contains(d.screen(), "Text 199.") {
		t.Errorf("the end of the view is not in the rendered tab:\n%s", d.screen())
	}
	d.press("g", "[", "[")
	if got := d.viewRows()[0]; !strings.Contains(got, "Here's the content") {
		t.Errorf("the start of the rendered tab led to %q in the view", got)
	}
}

// A file that is not text shows the first of its bytes.
func TestBytesOfABinaryFile(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.bin": strings.Repeat("\x00\x01\x1b\xff", 5000) + "needle"}), w: 120, h: 24, theme: dark})
	d.opens("/memories/a.bin")
	d.press("]", "]")
	d.sees("00000000  00 01 1b ff 00 01 1b ff")
	d.press("G")
	d.sees("00000ff0  00 01 1b ff")
}
