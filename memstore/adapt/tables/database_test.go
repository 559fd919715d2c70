package tables

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/backend"
)

func execute(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func onDisk(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// count is how many rows of t the file at a path holds, as it is read.
func count(t *testing.T, path string) (n int) {
	t.Helper()
	b, err := readDatabase(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := b.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM t").Scan(&n); err != nil {
		t.Fatal(err)
	}
	var verdict string
	if err := db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity_check: %s, %v", verdict, err)
	}
	return n
}

// What is in the log beside a database counts once it is committed, whichever pages it changes, and what is there no more doesn't.
func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db := onDisk(t, path)
	execute(t, db, "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "CREATE TABLE t (a TEXT)", "PRAGMA wal_checkpoint(TRUNCATE)")
	want := 0
	for round := range 4 {
		for i := range 50 {
			execute(t, db, fmt.Sprintf("INSERT INTO t VALUES ('%0300d')", i))
			want++
		}
		execute(t, db, "BEGIN", "INSERT INTO t VALUES ('open')")
		if got := count(t, path); got != want {
			t.Errorf("round %d: %d rows, want %d", round, got, want)
		}
		execute(t, db, "ROLLBACK")
		if round == 1 {
			execute(t, db, "PRAGMA wal_checkpoint(PASSIVE)") // the log begins again, with the frames of before behind it
		}
		if round == 2 {
			execute(t, db, "DELETE FROM t", "VACUUM") // the file becomes shorter
			want = 0
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 3 {
		t.Errorf("%v, %v: want the database, its log and the index of the log, as before", entries, err)
	}
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	db := onDisk(t, filepath.Join(dir, "good.db"))
	execute(t, db, "CREATE TABLE t (a TEXT)", "INSERT INTO t VALUES ('x')")
	good, err := os.ReadFile(filepath.Join(dir, "good.db"))
	if err != nil {
		t.Fatal(err)
	}
	broken := append([]byte(nil), good...)
	copy(broken[100:], "these bytes are no page of a tree, in which the schema would be")
	for name, data := range map[string][]byte{"text": []byte("# a note\n"), "empty": {}, "short": good[:60]} {
		path := filepath.Join(dir, name)
		writeFile(t, path, data)
		if _, err := readDatabase(t.Context(), path); !errors.Is(err, errNotDatabase) {
			t.Errorf("%s: %v", name, err)
		}
	}
	writeFile(t, filepath.Join(dir, "broken"), broken)
	b, err := readDatabase(t.Context(), filepath.Join(dir, "broken"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.open(t.Context()); !errors.Is(err, backend.ErrDamaged) {
		t.Errorf("a broken schema: %v", err)
	}
	if _, err := readDatabase(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, backend.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := readDatabase(t.Context(), dir); !errors.Is(err, backend.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
}

// A damaged file is no database with a table, and doesn't panic.
func TestHas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db := onDisk(t, path)
	execute(t, db, "CREATE TABLE t (a TEXT)", "CREATE TABLE u (a TEXT)", "CREATE VIEW v AS SELECT * FROM t")
	if !hasTables(path, "t", "u") || hasTables(path, "t", "v") || hasTables(path, "none") {
		t.Error("the tables of a database are not those that it has")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	broken := filepath.Join(t.TempDir(), "b.db")
	for range 100 {
		bad := append([]byte(nil), data...)
		for range 20 {
			bad[r.IntN(4096)] = byte(r.Uint32())
		}
		writeFile(t, broken, bad[:r.IntN(len(bad))])
		hasTables(broken, "t")
	}
}
