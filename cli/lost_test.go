package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// A folder of journals is no store: scanned or purged as one it would be called clean.
func TestFolderOfJournalsIsNoStore(t *testing.T) {
	recorded(t)
	base := filepath.Join(os.Getenv("XDG_STATE_HOME"), "memcurator")
	folders, err := filepath.Glob(filepath.Join(base, "*"))
	if err != nil || len(folders) == 0 {
		t.Fatal(folders, err)
	}
	for _, dir := range []string{base, folders[0]} {
		if o := do(t, "scan", dir); o.code != session.ExitFailed || !strings.Contains(o.err, "holds journals of stores") {
			t.Errorf("%+v", o)
		}
	}
}

// Of a store whose folder is gone every command says what works: its files are restored to a new folder.
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
	if o := do(t, "log", dir); o.code != session.ExitFailed || !strings.Contains(o.err, "restore "+dir+" /memories") ||
		!strings.Contains(o.err, "--relink "+dir+" NEW") {
		t.Errorf("%+v", o)
	}
	if o := do(t, "restore", dir, "/memories"); o.code != session.ExitWrongUse || isThere(dir) {
		t.Errorf("without a terminal: %+v", o)
	}
	if o := do(t, "restore", dir, "/memories", "--dry-run"); o.code != 0 || !strings.Contains(o.err, "Would restore 2 files") || isThere(dir) {
		t.Errorf("a dry run: %+v", o)
	}
	if o := do(t, "restore", dir, "/memories", "--yes"); o.code != 0 || !strings.Contains(o.err, "Restored 2 files") {
		t.Errorf("restored: %+v", o)
	}
	if text := read(t, dir, "base.md"); text != "base\n" {
		t.Errorf("base.md is %q", text)
	}
	if row := rowAt(t, dir); row["state"] != "ok" {
		t.Errorf("restored, the row is %v", row)
	}
	ok(t, "undo", dir)
	if o := do(t, "restore", dir, "/memories", "--yes"); o.code != session.ExitWrongUse {
		t.Errorf("a store that the user has emptied: %+v", o)
	}
	must(t, os.RemoveAll(dir))
	if o := do(t, "restore", dir, "/memories", "--yes"); o.code != session.ExitFailed || !strings.Contains(o.err, "had no files") || isThere(dir) {
		t.Errorf("a store without files: %+v", o)
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
