package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/keymap"
)

// A value that the filter hides stays selected, but is not acted on; all are those that it leaves.
func TestTheListOfValuesIsFiltered(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("space", "f")
	d.types("PASSW 日本")
	d.lacks("GitHub token  ")
	d.press("enter", "ctrl+a")
	d.sees("filter: PASSW 日本")
	d.sees("1 selected: a")
	d.press("f")
	d.types("x")
	d.sees("No rows match")
	d.press("esc")
	for filter, values := range map[string]int{"is:selected": 2, "is:open": 0, "is:dismissed": 0, "is:past": 0, "critical ops.md": 2, "ghp": 1} {
		d.press("f", "ctrl+u")
		d.types(filter)
		if n := strings.Count(d.screen(), "] critical"); n != values {
			t.Errorf("%s leaves %d values, want %d", filter, n, values)
		}
		d.press("enter")
	}
	d.press("f", "ctrl+u")
	d.types("is:none")
	d.sees("is:none is not a filter term")
	d.press("ctrl+u")
	d.types("ghp")
	d.press("enter", "esc")
	d.sees("1 of 2")
	d.press("esc")
	d.sees("password")
	if !d.m.stage.shows(keymap.ScreenSecrets) {
		t.Error("esc left the screen before the filter")
	}
	d.press("esc")
	d.sees("Nothing to close")
}

// read is a store file read from disk.
func (d *driver) read(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}
