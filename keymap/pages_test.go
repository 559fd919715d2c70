package keymap_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/keymap"
)

var update = flag.Bool("update", false, "write the tables of docs/keys.md again")

// TestKeysPageShowsTheTable fails when the keys of docs/keys.md are not those of the program.
func TestKeysPageShowsTheTable(t *testing.T) {
	generated(t, filepath.Join("..", "docs", "keys.md"), "keys", "\n"+keymap.Default().Markdown())
}

// generated compares what is between the marks of a file with what it must be.
func generated(t *testing.T, file, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+": generated, do not edit; go test ./keymap -update -->\n", "<!-- /"+name+" -->"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	shown, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has lost the marks around its table of %s", file, name)
	}
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if shown != want {
		t.Errorf("the table of %s in %s is stale: run go test ./keymap -update", name, file)
	}
}
