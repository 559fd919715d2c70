package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/memtest"
)

func storeOf(t testing.TB, contents map[string]string) (*memstore.Store, string) {
	t.Helper()
	dir := t.TempDir()
	memtest.WriteFiles(t, dir, contents)
	s, err := memstore.Open(dir, memstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, dir
}

// all searches a store.
func all(t *testing.T, s *memstore.Store, query string, o Options) Result {
	t.Helper()
	found, err := Store(context.Background(), s, must(t, ParseQuery(query)), o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestStoreSearchesNamesAndText(t *testing.T) {
	s, _ := storeOf(t, map[string]string{
		"a.md": "nothing\nneedle one, needle two\n", "needle/b.md": "Needle\n", ".hidden/c.md": "needle", "empty-needle": "",
		"pic.bin": "\x00\x01needle needle", "z.md": "nothing",
	})
	var searched, size atomic.Int64
	found := all(t, s, "needle", Options{Progress: func(done, all int64) {
		searched.Store(max(searched.Load(), done))
		size.Store(all)
	}})
	var got []string
	for _, f := range found.Found {
		got = append(got, fmt.Sprintf("%s name %d lines %d matches %d binary %v", f.Path, len(f.Name), f.Lines, f.Matches, f.Binary))
	}
	want := []string{
		"/memories/.hidden/c.md name 0 lines 1 matches 1 binary false",
		"/memories/a.md name 0 lines 1 matches 2 binary false",
		"/memories/empty-needle name 1 lines 0 matches 0 binary false",
		"/memories/needle name 1 lines 0 matches 0 binary false",
		"/memories/needle/b.md name 0 lines 1 matches 1 binary false",
		"/memories/pic.bin name 0 lines 1 matches 1 binary true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if found.Names != 2 || found.Matched != 4 || found.Matches != 5 || found.Skips != 0 || searched.Load() != size.Load() {
		t.Errorf("counts %+v, %d of %d bytes", found, searched.Load(), size.Load())
	}
}

func TestWhatIsKeptIsBoundedAndTheCountsAreWhole(t *testing.T) {
	contents := map[string]string{}
	for i := range 20 {
		contents[fmt.Sprintf("n%02d.md", i)] = strings.Repeat("needle\n", 1000)
	}
	s, _ := storeOf(t, contents)
	found := all(t, s, "needle", Options{Keep: 3000, KeepFile: 400})
	kept := 0
	for _, f := range found.Found {
		kept += len(f.Hits)
		if len(f.Hits) > 400 || f.Lines != 1000 || f.Matches != 1000 {
			t.Errorf("%s: %d hits of %d", f.Path, len(f.Hits), f.Lines)
		}
	}
	if found.Lines != 20_000 || found.Kept != kept || kept != 3000 {
		t.Errorf("kept %d, counted %d of %d", kept, found.Kept, found.Lines)
	}
}

func TestUnreadableFilesAreCountedAndTheGoneAreNot(t *testing.T) {
	s, dir := storeOf(t, map[string]string{"a.md": "needle\n", "b.md": "needle\n", "c.md": "needle\n"})
	snapshot, err := s.Scan(context.Background(), memstore.ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "c.md")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	_, unreadable := os.ReadFile(locked)
	found := all(t, s, "needle", Options{Snapshot: snapshot})
	if (unreadable != nil) != (found.Skips == 1) || found.Matched+found.Skips != 2 {
		t.Errorf("%d files with a match, %d skipped: %v", found.Matched, found.Skips, found.Skipped)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Store(context.Background(), s, must(t, Query{Text: "needle"}), Options{Snapshot: snapshot}); !errors.Is(err,
		memstore.ErrUnavailable) {
		t.Errorf("a store that is gone: %v", err)
	}
}
