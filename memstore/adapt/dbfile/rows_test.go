package dbfile_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"memcurator/memstore/adapt/dbfile"
)

type readRows func(do func([]dbfile.Value) error) error

func all(read readRows) (rows [][]dbfile.Value, err error) {
	err = read(func(values []dbfile.Value) error {
		rows = append(rows, append([]dbfile.Value(nil), values...))
		return nil
	})
	return rows, err
}

// both reads a table in both ways.
func both(t *testing.T, b dbfile.Bytes, table string, columns ...string) (ours, its [][]dbfile.Value, err error) {
	t.Helper()
	db, err := b.Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	its, err = all(func(do func([]dbfile.Value) error) error { return dbfile.Rows(t.Context(), db, table, columns, do) })
	if err != nil {
		t.Fatal(err)
	}
	ours, err = all(func(do func([]dbfile.Value) error) error { return b.Rows(t.Context(), db, table, columns, do) })
	return ours, its, err
}

func read(t *testing.T, path string) dbfile.Bytes {
	t.Helper()
	b, err := dbfile.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Rows are read as SQLite reads them: values of all types and lengths, in trees of several levels, after rows were deleted and changed.
func TestRows(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same rows each time
	for _, size := range []int{512, 4096, 65536} {
		path := filepath.Join(t.TempDir(), "a.db")
		db := onDisk(t, path)
		exec(t, db, fmt.Sprintf("PRAGMA page_size = %d", size), "PRAGMA synchronous = OFF", "BEGIN",
			"CREATE TABLE other (a)", "CREATE TABLE t (id TEXT PRIMARY KEY, a, b INTEGER, c REAL, d VARCHAR(9), e)")
		texts := []any{nil, "", "é日本", "a\x00b", "\xff", []byte{}, []byte{0, 255}, 1.5, 2.0, math.Copysign(0, -1), 1e300, strings.Repeat("x", size-40)}
		for i := range 400 {
			value := func() any {
				switch n := random.IntN(10); {
				case n < 4:
					return texts[random.IntN(len(texts))]
				case n < 8:
					return random.Int64() >> random.IntN(64) * int64(1-2*random.IntN(2))
				}
				return strings.Repeat("y", random.IntN(min(3*size, 20_000)))
			}
			_, err := db.ExecContext(t.Context(), "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", fmt.Sprint(random.Uint64()), value(), value(),
				value(), value(), value())
			if err != nil {
				t.Fatal(err)
			}
			if i%5 == 4 {
				exec(t, db, fmt.Sprintf("DELETE FROM t WHERE rowid = %d", random.IntN(i)))
			}
		}
		exec(t, db, "COMMIT")
		ours, its, err := both(t, read(t, path), "t", "e", "id", "c", "b", "a", "d")
		if err != nil || len(ours) < 300 || !reflect.DeepEqual(ours, its) {
			t.Errorf("pages of %d bytes: %d rows, SQLite reads %d, %v", size, len(ours), len(its), err)
		}
		if ours, its, err = both(t, read(t, path), "other", "a"); err != nil || len(ours)+len(its) > 0 {
			t.Errorf("no rows: %d, %d, %v", len(ours), len(its), err)
		}
	}
}

// SQLite reads the tables that are of another form.
func TestOtherForms(t *testing.T) {
	t.Parallel()
	for name, statements := range map[string][]string{
		"the number of the row": {"CREATE TABLE t (a INTEGER PRIMARY KEY)"},
		"without numbers":       {"CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID"},
		"a column added later":  {"CREATE TABLE t (b)", "INSERT INTO t VALUES (1)", "ALTER TABLE t ADD COLUMN a TEXT DEFAULT 'x'"},
		"computed":              {"CREATE TABLE t (a, b AS (a || 'x'))"},
		"other letters":         {"PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t (a)"},
		"a view":                {"CREATE TABLE x (a)", "CREATE VIEW t AS SELECT a FROM x"},
	} {
		path := filepath.Join(t.TempDir(), "a.db")
		exec(t, onDisk(t, path), statements...)
		if _, _, err := both(t, read(t, path), "t", "a"); !errors.Is(err, dbfile.ErrForm) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
