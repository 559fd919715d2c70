package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeysPageShowsTheTable fails when the keys of docs/keys.md are not those of the program.
func TestKeysPageShowsTheTable(t *testing.T) {
	generated(t, filepath.Join("..", "docs", "keys.md"), "keys", "\n"+Keys().Markdown())
}

// generated compares what is between the marks of a file with what it must be.
func generated(t *testing.T, file, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+": generated, do not edit; go test ./tui -run Key -update -->\n", "<!-- /"+name+" -->"
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
		t.Errorf("the table of %s in %s is stale: run go test ./tui -run Key -update", name, file)
	}
}
