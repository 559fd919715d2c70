package tui

import (
	"testing"
)

func TestFilterByNameMarkAndKind(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark})
	d.press("f")
	d.types(".md -is:hidden prog")
	d.golden("filter-80x24")
	d.press("enter")
	d.sees("1 found")
	d.press("esc")
	d.lacks("1 found")
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
	d.sees("6 found")
}
