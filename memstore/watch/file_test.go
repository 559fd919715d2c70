package watch_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore/watch"
)

func TestFileReportsChanges(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	file := filepath.Join(base, "not", "yet", "config.toml")
	ctx, cancel := context.WithCancel(t.Context())
	changes, err := watch.File(ctx, file)
	if err != nil {
		t.Skip("nothing can be watched here:", err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	told := func(what string) {
		t.Helper()
		select {
		case <-changes:
		case <-time.After(time.Minute):
			t.Fatalf("not told: %s", what)
		}
	}
	must(os.MkdirAll(filepath.Dir(file), 0o700))
	told("its folders were made")
	must(os.WriteFile(file, []byte("1"), 0o600))
	told("it was made")
	for range 2 { // a file that was replaced once is still watched
		temp := filepath.Join(filepath.Dir(file), "temp")
		must(os.WriteFile(temp, []byte("2"), 0o600))
		must(os.Rename(temp, file))
		told("it was replaced")
	}
	must(os.Remove(file))
	told("it was removed")
	elsewhere := filepath.Join(t.TempDir(), "dotfile")
	must(os.WriteFile(elsewhere, []byte("3"), 0o600))
	if err := os.Symlink(elsewhere, file); err == nil {
		told("it became a link")
		must(os.WriteFile(elsewhere, []byte("4"), 0o600))
		told("the file behind the link was written")
	}
	cancel()
	for range changes {
	}
}
