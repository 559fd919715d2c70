package tui

import "testing"

// A box that asks nothing gives way to a key of the whole program.
func TestABoxThatInformsGivesWay(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 80, h: 24, theme: dark, journal: t.TempDir()})
	d.press("M")
	d.sees("esc close")
	d.press("2")
	d.sees("[2 Changes")
	d.press("M", "?")
	d.sees("enter run")
}
