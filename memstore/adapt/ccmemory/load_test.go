package ccmemory

import (
	"path/filepath"
	"testing"

	"memcurator/memstore/adapt/dbfile"
	"memcurator/memstore/memtest/cctest"
)

// The tables that the program makes are read without SQLite, all of them: it takes several times as long.
func TestReadDirectly(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "memory.db")
	cctest.Sample(noon).Write(t, file)
	b, err := dbfile.Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	db, err := b.Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range tables {
		var columns []string
		for _, c := range table.columns {
			columns = append(columns, c.name)
		}
		if err := b.Rows(t.Context(), db, table.name, columns, func([]dbfile.Value) error { return nil }); err != nil {
			t.Errorf("%s: %v", table.name, err)
		}
	}
}
