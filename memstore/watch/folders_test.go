package watch

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFoldersSignalNames(t *testing.T) {
	if watchingOpens {
		t.Skip("folders are polled here")
	}
	dir, other := t.TempDir(), t.TempDir()
	names, err := Folders(t.Context(), []string{dir, filepath.Join(dir, "missing")})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{filepath.Join(other, "x"), filepath.Join(dir, "b"), filepath.Join(dir, "a")} {
		if err := os.WriteFile(at, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]bool{}
	for len(got) < 2 {
		list, ok := <-names
		if !ok {
			t.Fatal("it ended")
		}
		for _, name := range list {
			got[filepath.Base(name)] = true
		}
	}
	if !got["a"] || !got["b"] {
		t.Errorf("signals %v", got)
	}
	if _, err := Folders(t.Context(), []string{filepath.Join(dir, "missing")}); err == nil {
		t.Error("a missing folder is watched")
	}
}
