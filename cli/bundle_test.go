package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

func TestExportAndImport(t *testing.T) {
	t.Parallel()
	src := newStore(t, map[string]string{"notes/a.md": "a\n", "b.md": "b\n", ".git/config": "g"})
	before := memtest.DescribeDisk(t, src)
	file := filepath.Join(t.TempDir(), "memories.zip")
	o := do(t, "export", src, "--bundle", file)
	if o.code != 0 || !strings.Contains(o.err, "Exported 2 notes (4B) to "+file) {
		t.Fatalf("%+v", o)
	}
	if o := do(t, "export", src, "--bundle", file); o.code != 1 || !strings.Contains(o.err, "exists") {
		t.Errorf("%+v", o)
	}
	if got := memtest.DescribeDisk(t, src); got != before {
		t.Errorf("exporting changed the store:\n%s", got)
	}
	dst := newStore(t, map[string]string{"b.md": "other\n"})
	if o := do(t, "import", "--yes", file, dst); o.code != 1 || !strings.Contains(o.err, "Imported 1 note (2B) to "+dst) ||
		!strings.Contains(o.err, "1 conflict") || read(t, dst, "notes/a.md") != "a\n" || read(t, dst, "b.md") != "other\n" {
		t.Errorf("%+v", o)
	}
	if o := do(t, "undo", dst); o.code != 0 || !strings.Contains(o.err, "Undid import from ") {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat(filepath.Join(dst, "notes")); err == nil {
		t.Error("the undo left the notes")
	}
	line := jsonOf(t, ok(t, "export", src, "--bundle", file+"2", "--json"))[0]
	if line["notes"] != 2.0 || line["bytes"] != 4.0 {
		t.Errorf("%v", line)
	}
	made := filepath.Join(t.TempDir(), "made")
	do(t, "import", "--yes", file, made).sentence(t, 1, "No directory "+made+". --create makes it")
	ok(t, "import", "--yes", "--create", file, made)
	if read(t, made, "notes/a.md") != "a\n" {
		t.Error("the notes did not arrive")
	}
}

// Export says how many secrets leave the store.
func TestExportNamesSecrets(t *testing.T) {
	t.Parallel()
	value := "ghp_" + strings.Repeat("aB3", 12)
	src := newStore(t, map[string]string{"a.md": "token: " + value + "\n", "b.md": "nothing\n"})
	o := do(t, "export", "--json", src, "--bundle", filepath.Join(t.TempDir(), "a.zip"))
	if o.code != 0 || !strings.Contains(o.err, "Warning: 1 secret in 1 note would leave the store. To list them: memcurator scan "+src) ||
		strings.Contains(o.err+o.out, value) || jsonOf(t, o.out)[0]["secrets"] != 1.0 {
		t.Errorf("%+v", o)
	}
}
