package ccmemory

import (
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest/cctest"
)

// Looking moves no time of last access, of the file and of its folder, where the file system records it, and no access count in the rows.
func TestLookingMovesNoAccess(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	rows := loadDatabase(t, readDatabase(t, filepath.Dir(s.path))).Episodes
	// A file system that records accesses sparingly does so at the first one after a change.
	age := func(name string) {
		if err := os.Chtimes(name, noon.Add(-2*time.Hour), noon.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	accessed := func(name string) time.Time {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return time.Unix(info.Sys().(*syscall.Stat_t).Atim.Unix())
	}
	age(s.path)
	if _, err := os.ReadFile(s.path); err != nil {
		t.Fatal(err)
	}
	if accessed(s.path).Equal(noon.Add(-2 * time.Hour)) {
		t.Skip("this file system doesn't record accesses")
	}
	age(s.path)
	age(filepath.Dir(s.path))
	if !recognize(s.path) {
		t.Error("the database isn't recognized")
	}
	store, err := adapt.New(Adapter, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range imageOf(t, s).Entries {
		if _, err := store.Open(e.Name, backend.Look); err != nil {
			t.Error(err)
		}
		if _, ok := store.Record(e.Name); !ok {
			t.Errorf("%s has no record", e.Name)
		}
	}
	if _, err := s.Recall(t.Context(), Query{Words: "pool deploy release"}, noon); err != nil {
		t.Error(err)
	}
	if _, err := s.Propose(t.Context(), imageOf(t, s), noon, func(string) int { return 0 }); err != nil {
		t.Error(err)
	}
	m, err := s.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Export(noon); err != nil {
		t.Error(err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{s.path, filepath.Dir(s.path)} {
		if at := accessed(name); !at.Equal(noon.Add(-2 * time.Hour)) {
			t.Errorf("%s: the last access is now at %v", name, at)
		}
	}
	for i, e := range loadDatabase(t, readDatabase(t, filepath.Dir(s.path))).Episodes {
		if !reflect.DeepEqual(e, rows[i]) {
			t.Errorf("%+v, was %+v", e, rows[i])
		}
	}
}
