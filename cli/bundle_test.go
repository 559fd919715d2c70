package cli

import (
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
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
	if o := do(t, "undo", dst); o.code != 0 || !strings.Contains(o.err, "Undid the import of notes/a.md") {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat(filepath.Join(dst, "notes")); err == nil {
		t.Error("the undo left the notes")
	}
	plain := filepath.Join(t.TempDir(), "plain")
	line := jsonOf(t, ok(t, "export", src, "--to", plain, "--json"))[0]
	if line["notes"] != 2.0 || line["bytes"] != 4.0 || line["past"] != false {
		t.Errorf("%v", line)
	}
	made := filepath.Join(t.TempDir(), "made")
	do(t, "import", "--yes", plain, made).sentence(t, 1, "No directory "+made+". --create makes it")
	records := filepath.Join(t.TempDir(), "memory.jsonl")
	for _, from := range []string{plain, file} {
		do(t, "import", "--yes", "--create", from, records).sentence(t, 2, "No file "+records+", and --create makes only directories")
	}
	if _, err := os.Lstat(records); err == nil {
		t.Error("import made a directory that is named like a file of another program")
	}
	if o := do(t, "import", "--dry-run", "--create", plain, made); o.code != 0 || !strings.Contains(o.err, "Would import ") {
		t.Errorf("%+v", o)
	}
	ok(t, "import", "--yes", "--create", plain, made)
	if read(t, made, "notes/a.md") != "a\n" {
		t.Error("the notes did not arrive")
	}
}

// The journal comes along, and goes on as if the store had always been here.
func TestExportWithThePast(t *testing.T) {
	t.Parallel()
	src := newStore(t, nil)
	session := `{"command":"create","path":"/memories/a.md","file_text":"one\n"}` + "\n" +
		`{"command":"str_replace","path":"/memories/a.md","old_str":"one","new_str":"two"}` + "\n"
	if o := (call{args: []string{"exec", src}, stdin: session}).run(t); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	file := filepath.Join(t.TempDir(), "past.zip")
	ok(t, "export", "--past", src, "--bundle", file)
	dst := filepath.Join(t.TempDir(), "memories")
	o := do(t, "import", "--yes", "--create", file, dst)
	if o.code != 0 || !strings.Contains(o.err, "Imported 1 note (4B) and 2 revisions") {
		t.Fatalf("%+v", o)
	}
	if a, b := ok(t, "log", src), ok(t, "log", dst); a != b {
		t.Errorf("the log is\n%swas\n%s", b, a)
	}
	ok(t, "restore", dst, "a.md", "--at", "1")
	if read(t, dst, "a.md") != "one\n" {
		t.Errorf("%q", read(t, dst, "a.md"))
	}
	other := newStore(t, map[string]string{"b.md": "b\n"})
	if o := do(t, "import", "--yes", file, other); o.code != 0 || !strings.Contains(o.err, "Skipped the journal of the bundle") ||
		read(t, other, "a.md") != "two\n" {
		t.Errorf("%+v", o)
	}
}

// packed is a bundle of notes with a journal.
func packed(t *testing.T, notes map[string]string, past string) string {
	t.Helper()
	var list []string
	files := map[string]string{"past.jsonl": past}
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		text := notes[name]
		files["notes/"+name] = text
		list = append(list, fmt.Sprintf(`{"path":%q,"bytes":%d,"sha256":%q,"mode":"0600","modified":"2026-01-31T12:00:00Z"}`, name, len(text),
			memstore.Sum([]byte(text)).String()))
	}
	files["manifest.json"] = fmt.Sprintf(`{"format":"memcurator-bundle","version":1,"notes":[%s],"past":{"bytes":%d,"sha256":%q}}`,
		strings.Join(list, ","), len(past), memstore.Sum([]byte(past)).String())
	return newStore(t, files)
}

// The journal of a bundle is checked whole before anything changes.
func TestImportOfADamagedPast(t *testing.T) {
	t.Parallel()
	header := `{"format":"memcurator journal","version":1}` + "\n"
	hook := base64.StdEncoding.EncodeToString([]byte(".git/hooks/x"))
	escape := `{"revision":{"rev":1,"time":"2026-01-31T12:00:00.000Z","actor":"a\u001b[2J","command":"create",` +
		`"kind":1,"shape":1,"name":"YQ=="}}`
	for name, past := range map[string]string{
		"an escape":  header + escape + "\n",
		"no journal": "not json\n",
		"a hook":     header + `{"entry":{"name":"` + hook + `","kind":1,"size":0}}` + "\n",
		"a number": header + `{"revision":{"rev":9223372036854775807,"time":"2026-01-31T12:00:00.000Z","actor":"agent","command":"create",` +
			`"kind":1,"shape":1,"name":"YQ=="}}` + "\n",
	} {
		dst := filepath.Join(t.TempDir(), "memories")
		o := do(t, "import", "--yes", "--create", packed(t, map[string]string{"a.md": "a\n"}, past), dst)
		if o.code != 1 || !strings.Contains(o.err, "its journal is damaged") {
			t.Errorf("%s: %+v", name, o)
		}
		if _, err := os.Stat(dst); err == nil {
			t.Errorf("%s: something was written", name)
		}
	}
}

// A journal doesn't carry notes past the rules of the store.
func TestImportOfAPastObeysTheRules(t *testing.T) {
	t.Parallel()
	config := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(config, []byte("[limits]\nmax_files = 1\nmode = \"refuse\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dst := filepath.Join(t.TempDir(), "memories")
	from := packed(t, map[string]string{"a.md": "a\n", "b.md": "b\n"}, `{"format":"memcurator journal","version":1}`+"\n")
	o := do(t, "import", "--yes", "--create", "--config", config, from, dst)
	if o.code != 1 || !strings.Contains(o.err, "Skipped the journal of the bundle: a rule of the store refuses b.md") {
		t.Errorf("%+v", o)
	}
	if read(t, dst, "a.md") != "a\n" {
		t.Error("the note that the rules allow is missing")
	}
	if _, err := os.Stat(filepath.Join(dst, "b.md")); err == nil {
		t.Error("the limit is exceeded")
	}
	ok(t, "undo", dst)
	if _, err := os.Stat(filepath.Join(dst, "a.md")); err == nil {
		t.Error("undo left the note")
	}
}

func TestExportIsRefused(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"a.md": "a\n"})
	text := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(text, []byte("no bundle"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"export", dir}, 2, "Where to? Pass --bundle FILE, --to DIR or --as cc-memory FILE"},
		{[]string{"export", dir, "--bundle", filepath.Join(dir, "x.zip")}, 2, "inside the store"},
		{[]string{"export", dir, "--to", dir}, 2, "inside the store"},
		{[]string{"export", dir, "--to", filepath.Dir(text)}, 1, "is not empty"},
		{[]string{"export", dir, "--past", "--bundle", text + ".zip"}, 1, "drop --past"},
		{[]string{"export", dir, "--bundle", filepath.Join(text, "x")}, 1, "Can't write"},
		{[]string{"import", "--yes", text, dir}, 1, "it is cut off or not a ZIP file"},
		{[]string{"import", "--yes", text + ".none", dir}, 1, "it does not exist"},
		{[]string{"import", text, dir}, 1, "it is cut off or not a ZIP file"},
		{[]string{"import", text + ".none", dir}, 1, "it does not exist"},
		{[]string{"import", packed(t, map[string]string{"a.md": "a\n"}, ""), dir}, 2, "Pass --yes to import"},
		{[]string{"import"}, 2, "Usage: import FILE [STORE]"},
	} {
		if o := do(t, c.args...); o.code != c.code || !strings.Contains(o.err, c.want) || strings.Count(o.err, "\n") != 1 {
			t.Errorf("%v: %+v, want %d %q", c.args, o, c.code, c.want)
		}
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

func TestExportOfAnEncryptedStore(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "memories")
	ok(t, "exec", "--create", "--identity", identityFile(t, 1), dir)
	do(t, "export", dir, "--bundle", filepath.Join(t.TempDir(), "a.zip")).sentence(t, 1,
		"Can't export an encrypted store. Copy its folder, which stays encrypted")
}

// Names of records have colons, which come back from a bundle.
func TestBundleOfCCMemory(t *testing.T) {
	t.Parallel()
	db, to := ccMemory(t), newStore(t, nil)
	file := filepath.Join(t.TempDir(), "memories.zip")
	if o := do(t, "export", db, "--bundle", file); o.code != 0 || !strings.Contains(o.err, "Exported 27 notes") {
		t.Fatalf("%+v", o)
	}
	if o := do(t, "import", "--yes", file, to); o.code != 0 || !strings.Contains(o.err, "Imported 27 notes") {
		t.Errorf("%+v", o)
	}
	// Whatever is in the directory is what the database has.
	if o := do(t, "copy", "--yes", db, to); o.code != 0 || !strings.Contains(o.err, "Nothing to copy") {
		t.Errorf("%+v", o)
	}
}
