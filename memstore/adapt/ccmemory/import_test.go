package ccmemory

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"memcurator/memstore/memtest/cctest"
)

// importInto imports an export into the database in a folder.
func importInto(t *testing.T, folder string, data []byte, replace bool) *Import {
	t.Helper()
	ctx := context.Background()
	m, err := ParseExport(data)
	if err != nil {
		t.Fatal(err)
	}
	backups := t.TempDir()
	s := &Source{path: filepath.Join(folder, "memory.db"), servers: func() ([]int, error) { return nil, nil }, now: func() time.Time { return noon }}
	s.BackUpTo(func() string { return backups })
	image, err := s.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.PlanImport(ctx, image, m, noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Import(ctx, p, replace, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

func exportOf(t *testing.T, folder string) []byte {
	t.Helper()
	data, _, err := loadDatabase(t, readDatabase(t, folder)).Export(noon)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestImport(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]cctest.Memory{"sample": withoutOrphans(cctest.Sample(noon)), "random": cctest.Random(noon, 11, 200)} {
		_, folder := written(t, m)
		data := exportOf(t, folder)
		_, empty := written(t, cctest.Memory{})
		if p := importInto(t, empty, data, false); p.Same+len(p.Different)+p.Expired+p.Loose > 0 {
			t.Errorf("%s: not all is new: %+v", name, p)
		}
		if again := exportOf(t, empty); !reflect.DeepEqual(unordered(t, again), unordered(t, data)) {
			t.Errorf("%s: the export differs after the import", name)
		}
		if p := importInto(t, empty, data, true); len(p.New)+len(p.Different) > 0 {
			t.Errorf("%s: the second import finds %q new and %q different", name, p.New, p.Different)
		}
	}
}

// The program gives the same export of what we imported as of what it had.
func TestImportAsTheProgram(t *testing.T) {
	t.Parallel()
	program := cctest.Find(t)
	_, folder := written(t, cctest.Random(noon, 12, 150))
	its := program.Run(t, folder, noon, cctest.Step{"do": "export"})[0]
	empty := t.TempDir()
	program.Run(t, empty, noon, cctest.Step{"do": "fill", "memory": json.RawMessage(`{"working":[],"episodic":[],"entities":[],"relations":[]}`)})
	p := importInto(t, empty, its, false)
	again := program.Run(t, empty, noon, cctest.Step{"do": "export"}, cctest.Step{"do": "search", "query": "deploy"})
	if !reflect.DeepEqual(unordered(t, again[0]), unordered(t, its)) {
		t.Error("the program's export differs after our import")
	}
	if found := program.Run(t, folder, noon, cctest.Step{"do": "search", "query": "deploy"})[0]; string(found) != string(again[1]) {
		t.Error("the program finds other episodes after our import")
	}
	t.Logf("%d records imported", len(p.New))
}
