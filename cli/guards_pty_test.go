//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the editor saves is guarded as what the agent writes is, and the load tab says where a client stops loading; both take
// a configuration that is saved meanwhile.
func TestTheScreenIsGuarded(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"MEMORY.md": strings.Repeat("- fact\n", 12)})
	config := writeConfig(t, "[[rule]]\nmatch = \"**\"\nmax_file_bytes = 20\nload_lines = 3\n")
	editor := filepath.Join(t.TempDir(), "write")
	must(t, os.WriteFile(editor, []byte("#!/bin/sh\nprintf 'more than twenty bytes of text' > \"$1\"\n"), 0o700))
	s := openScreen(t, []string{"MEMCURATOR_CONFIG=" + config, "EDITOR=" + editor}, dir)
	s.await("MEMORY.md", "Load ")
	s.press("L")
	s.await("cut here by the limit of 3 lines")
	s.press(":new-file /memories/a.md\r")
	s.await("10 bytes over the 20 bytes")
	if _, err := os.Stat(filepath.Join(dir, "a.md")); err == nil {
		t.Error("what was refused is there")
	}
	s.press("\x1b")
	back := len(s.text())
	writeText(t, config+".new", "[[rule]]\nmatch = \"**\"\nlock = true\n")
	must(t, os.Rename(config+".new", config))
	s.awaitAfter(back, "Config reloaded")
	s.press(":new-file /memories/a.md\r")
	s.awaitAfter(back, "Saved a.md") // locks are for the agent
	s.press("\x03")
	s.leaves(0)
}
