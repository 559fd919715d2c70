package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// Of a store whose folder is gone every command says what works, and its files come back to a new folder.
func TestLostStoreIsRestored(t *testing.T) {
	dir := recorded(t)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "elsewhere")) // stores in the folder for temporary files are not listed
	if row := rowAt(t, dir); row["state"] != "ok" {             // an agent wrote to it through the program
		t.Errorf("while it is there the row is %v", row)
	}
	must(t, os.RemoveAll(dir))
	if row := rowAt(t, dir); row != nil {
		t.Errorf("the row of what is gone is %v", row)
	}
	if o := do(t, "log", dir); o.code != session.ExitFailed || !strings.Contains(o.err, "doctor --accept-empty "+dir) ||
		!strings.Contains(o.err, "--relink "+dir+" NEW") {
		t.Errorf("%+v", o)
	}
	must(t, os.Mkdir(dir, 0o700))
	ok(t, "doctor", "--accept-empty", dir)
	ok(t, "undo", dir, "--group", "6")
	if text := read(t, dir, "base.md"); text != "base\n" {
		t.Errorf("base.md is %q", text)
	}
	if row := rowAt(t, dir); row["state"] != "ok" {
		t.Errorf("restored, the row is %v", row)
	}
}

// rowAt is the line of stores --json of a store; nil: there is none.
func rowAt(t *testing.T, dir string) map[string]any {
	t.Helper()
	for _, row := range jsonOf(t, ok(t, "stores", "--json")) {
		if row["path"] == dir {
			return row
		}
	}
	return nil
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
