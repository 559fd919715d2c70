//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// The editor gets the terminal as it was, and the interface comes back to its place.
func TestTheEditorInATerminal(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"alpha.md": "first line\n"})
	editor := filepath.Join(t.TempDir(), "nano")
	script := "#!/bin/sh\nprintf 'in the editor at %s\\n' \"$1\"\nread answer\nprintf '%s\\r\\n' \"$answer\" >> \"$2\"\n"
	must(t, os.WriteFile(editor, []byte(script), 0o700))
	s := openScreen(t, []string{"EDITOR=" + editor}, dir)
	s.await("alpha.md", "live")
	s.press("j\r") // into the view
	s.await("first line")
	s.press("je")
	s.await("in the editor at +1")
	back := len(s.text())
	s.press("typed there\r")
	s.awaitAfter(back, "Saved")
	s.awaitAfter(back, "alpha.md")
	data, err := os.ReadFile(filepath.Join(dir, "alpha.md"))
	if err != nil || string(data) != "first line\ntyped there\r\n" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	s.press("q")
	s.leaves(0)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the store holds %v, %v", entries, err)
	}
}
