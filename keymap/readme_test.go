package keymap_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/keymap"
)

var update = flag.Bool("update", false, "write the key tables of the README anew")

// TestREADMEShowsTheTable fails when the README's keys are not those of the program.
func TestREADMEShowsTheTable(t *testing.T) {
	const begin, end = "<!-- keys: generated, do not edit; go test ./keymap -update -->\n", "<!-- /keys -->"
	file := filepath.Join("..", "README.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	shown, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the README has lost the marks around its key tables")
	}
	want := "\n" + keymap.Default().Markdown()
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if shown != want {
		t.Error("the README's keys are stale: run go test ./keymap -update")
	}
}
