package policy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// sharing makes a writer as a process of its own has it: with its own backend, lock and enforcer.
func sharing(t testing.TB, dir string, s config.Settings) *memstore.Store {
	t.Helper()
	b, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	e := NewEnforcer(b, s)
	return memstore.New(b, memstore.Options{Guards: []memstore.Guard{e.Guard()}})
}

func limited(files, bytes int64) (s config.Settings) {
	s.Limits.MaxFiles.Value, s.Limits.MaxBytes.Value = files, bytes
	return s
}

func filesIn(t testing.TB, dir string) (files int, bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files++
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, bytes
}

// Several processes together do not pass a cap.
func TestProcessesShareACap(t *testing.T) {
	ctx := context.Background()
	const writers, most, room = 6, 30, 3000
	for name, s := range map[string]config.Settings{"files": limited(most, 0), "bytes": limited(0, room)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var group sync.WaitGroup
			var stores []*memstore.Store
			for w := range writers {
				store := sharing(t, dir, s)
				stores = append(stores, store)
				group.Go(func() {
					for i := range 20 {
						store.Create(ctx, fmt.Sprintf("/memories/%d/%d.md", w, i), strings.Repeat("x", 100))
					}
				})
			}
			group.Wait()
			if files, bytes := filesIn(t, dir); files != most || bytes != room {
				t.Errorf("%d files of %d bytes", files, bytes)
			}
			// What goes makes room, for the others too.
			stores[0].Delete(ctx, "/memories/0")
			before, _ := filesIn(t, dir)
			if r := stores[1].Create(ctx, "/memories/again.md", "x"); before < most && r.IsError {
				t.Errorf("%d files remain: %s", before, r.Content)
			}
		})
	}
}
