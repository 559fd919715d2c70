package discover_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
)

// A search leaves no trace in the access times of other programs' files, whose transcripts and settings it reads.
func TestFindKeepsAccessTimes(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	h := memtest.AgentHome{Home: home}
	if err := h.Write(time.Now()); err != nil {
		t.Fatal(err)
	}
	old := time.Now().AddDate(0, 0, -90).Truncate(time.Second)
	each := func(do func(path string, info fs.FileInfo)) {
		t.Helper()
		err := filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err == nil {
				do(path, info)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	each(func(path string, info fs.FileInfo) {
		if err := os.Chtimes(path, old, info.ModTime()); err != nil {
			t.Fatal(err)
		}
	})
	if list := discover.Local(home, nil).Find(t.Context(), nil); len(list) < len(h.Memories()) {
		t.Fatalf("found %d", len(list))
	}
	each(func(path string, info fs.FileInfo) {
		if at := info.Sys().(*syscall.Stat_t).Atim; time.Unix(int64(at.Sec), int64(at.Nsec)).After(old.Add(time.Hour)) {
			t.Errorf("%s was read", path)
		}
	})
}
