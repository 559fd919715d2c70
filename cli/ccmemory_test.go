package cli

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/memtest/dbtest"
)

// ccMemory is a database of cc-memory with the records of the sample.
func ccMemory(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memory.db")
	must(t, dbtest.WriteCCMemory(file, time.Now(), false))
	return file
}

// An export holds the records, opens to be looked at, and can be imported, which one undo reverses.
func TestExportAndImportOfCCMemory(t *testing.T) {
	t.Parallel()
	db := ccMemory(t)
	before := read(t, filepath.Dir(db), "memory.db")
	file := filepath.Join(t.TempDir(), "export.json")
	o := do(t, "export", db, "--as", "cc-memory", file)
	if o.code != 0 || !strings.Contains(o.err, "Exported 25 notes") || !strings.Contains(o.err, "has no place for it: 5 records") {
		t.Fatalf("%+v", o)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if read(t, filepath.Dir(db), "memory.db") != before {
		t.Error("the export changed the database")
	}
	do(t, "export", db, "--as", "cc-memory", file).sentence(t, 1, file+" exists. Pass another name")
	do(t, "export", db, "--as", "word", file).sentence(t, 2, "There is no form word. Pass --as cc-memory")
	notes := newStore(t, map[string]string{"a.md": "a\n"})
	do(t, "export", notes, "--as", "cc-memory", file+"2").sentence(t, 1, notes+" is not a memory of cc-memory. Export it with --bundle FILE")
	if o := do(t, "export", file, "--as", "cc-memory", file+"3"); o.code == 0 {
		t.Errorf("an export of an export: %+v", o)
	}
	empty := filepath.Join(t.TempDir(), "memory.db")
	must(t, dbtest.WriteCCMemory(empty, time.Now(), true))
	if o := do(t, "import", "--yes", file, empty); o.code != 0 || !strings.Contains(o.err, "Imported 24 notes") {
		t.Errorf("%s%s", o.out, o.err)
	}
	for _, at := range []string{file, empty} {
		if o := do(t, "cat", "--dir", at, "/memories/semantic/config/connection pool.md"); o.code != 0 || !strings.Contains(o.out, "50 connections") {
			t.Errorf("%+v", o)
		}
	}
	ok(t, "undo", "--dir", empty)
	if o := do(t, "ls", "--json", empty); strings.Contains(o.out, ".md") {
		t.Errorf("%s%s", o.out, o.err)
	}
	half := filepath.Join(t.TempDir(), "half.json")
	writeText(t, half, read(t, filepath.Dir(file), "export.json")[:2000])
	do(t, "import", "--yes", half, empty).sentence(t, 1, "Can't import "+half+": The file is not an export of cc-memory, or only half of one was written")
}

func TestRecall(t *testing.T) {
	t.Parallel()
	db := ccMemory(t)
	o := do(t, "search", "--recall", db, "pool", "db", "deploy")
	if o.code != 0 || !strings.Contains(o.err, `cc-memory never finds "db": words of one or two characters don't match there`) ||
		!strings.Contains(o.out, "/memories/semantic/config/connection pool.md\n       match 0.5 x 0.4 + confidence 0.9 x 0.3") {
		t.Errorf("%s%s", o.out, o.err)
	}
	lines := jsonOf(t, ok(t, "search", "--recall", "--json", "--dir", db, "deploy"))
	if len(lines) < 4 || lines[0]["layer"] != "working" || lines[0]["score"].(float64) < 0.5 || len(lines[0]["terms"].([]any)) != 3 {
		t.Errorf("%v", lines)
	}
	do(t, "search", "--recall", db, "nothingofthis").sentence(t, 1, "cc-memory recalls nothing for nothingofthis")
	notes := newStore(t, map[string]string{"a.md": "a\n"})
	do(t, "search", "--recall", "--dir", notes, "word").sentence(t, 1,
		notes+" is not a database of cc-memory, the only program whose recall is known. Search without --recall")
}

// An undo restores the whole row, and a secret goes from the record and from free pages.
func TestEditsOfCCMemory(t *testing.T) {
	t.Parallel()
	db := ccMemory(t)
	episode := ""
	for _, row := range jsonOf(t, ok(t, "ls", "--json", db)) {
		if at := row["path"].(string); strings.Contains(at, "PostgreSQL") {
			episode = at
		}
	}
	before := ok(t, "cat", "--dir", db, episode)
	edits(t, nil, db, `{"command":"delete","path":"`+episode+`"}`)
	ok(t, "undo", "--group", "1", "--dir", db)
	if after := ok(t, "cat", "--dir", db, episode); after != before {
		t.Errorf("after the undo there is\n%s\nwant\n%s", after, before)
	}
	secret := token(rand.New(rand.NewPCG(3, 4)))
	edits(t, nil, db, `{"command":"str_replace","path":"`+episode+`","old_str":"The pool","new_str":"The key is `+secret+`"}`)
	if o := do(t, "scrub", "--purge-history", "--yes", db); o.code != 0 || strings.Contains(read(t, filepath.Dir(db), "memory.db"), secret) {
		t.Errorf("%+v", o)
	}
}
