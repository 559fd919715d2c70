package memstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

func TestAccessTime(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.md")
	if err := os.WriteFile(name, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(name, read, read.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	s, err := memstore.Open(dir, memstore.Options{Origin: memstore.Origin{Actor: memstore.Curator}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	timer := s.Backend().(backend.AccessTimer)
	at, err := timer.AccessTime("a.md")
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this file system keeps no access times")
	}
	if err != nil || !at.Equal(read) {
		t.Fatalf("%v, %v", at, err)
	}
	s.View(context.Background(), "/memories/a.md", nil) // by the curator: no use
	if at, err = timer.AccessTime("a.md"); err != nil || !at.Equal(read) {
		t.Errorf("a look has left a trace: %v, %v", at, err)
	}
	if _, err = timer.AccessTime("none.md"); !errors.Is(err, backend.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
