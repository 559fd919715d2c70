package dbfile

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// Whatever the bytes are, reading ends, and no more is read than there is room for.
func FuzzTree(f *testing.F) {
	f.Add(small(f), uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, with byte) {
		data = bytes.Clone(data)
		if len(data) > 0 {
			data[int(at)%len(data)] ^= with
		}
		b, err := Of(data)
		if err != nil {
			return
		}
		b.tree().schema(func(name string, root uint32) {
			read := 0
			err := b.tree().rows(root, func(values []Value) error {
				for _, v := range values {
					read += len(v.Text)
				}
				return nil
			})
			// A page has room for as many cells as it has pairs of bytes, and in a damaged one all of them may be one row.
			if size := pageSize(b.Data); read > len(data)*size {
				t.Errorf("%s has %d bytes of text in %d bytes", name, read, len(data))
			}
			if n, counted := b.tree().count(root); err == nil && (counted != nil || n > len(data)/2) {
				t.Errorf("%s has %d rows, %v", name, n, counted)
			}
		})
	})
}

// small are the bytes of a database with a tree of two levels, and a row that needs further pages.
func small(f *testing.F) []byte {
	f.Helper()
	path := filepath.Join(f.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		f.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(f.Context(), `PRAGMA page_size = 512; CREATE TABLE t (a TEXT PRIMARY KEY, b REAL);
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) INSERT INTO t SELECT 'row ' || i, i FROM n;
		INSERT INTO t VALUES (hex(zeroblob(700)), 1.5)`); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	return data
}
