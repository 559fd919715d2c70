package tui

import (
	"os"
	"strings"
	"testing"
)

// TestVisitedByKeys presses keys for .ci/visited, in a store with a change of two hunks.
func TestVisitedByKeys(t *testing.T) {
	keys, asked := os.LookupEnv("MEMCURATOR_VISITED_KEYS")
	if !asked {
		t.Skip("only for .ci/visited")
	}
	dir := files(t, map[string]string{"a.md": numbered(30), "b.md": "b\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	changed := strings.NewReplacer("row 5\n", "changed 5\n", "row 20\n", "changed 20\n").Replace(numbered(30))
	d.write("a.md", changed)
	d.arrived(1)
	d.press(strings.Fields(keys)...)
	t.Log("\n" + d.screen())
}
