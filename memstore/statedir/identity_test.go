package statedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// only is the one folder below base.
func only(t *testing.T, base string) Folder {
	t.Helper()
	list, err := All(base)
	if err != nil || len(list) != 1 {
		t.Fatalf("the folders are %v, %v; want one", list, err)
	}
	return list[0]
}

func TestDamagedIdentityIsUnknown(t *testing.T) {
	store, base := storeAt(t, "m"), t.TempDir()
	dir, err := For(base, store)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{", `{"path":"relative"}`, "[]"} {
		if err := os.WriteFile(filepath.Join(dir, IdentityFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Recorded(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", text, err)
		}
		if f := only(t, base); f.Path != "" || f.Err != nil || f.Orphaned() {
			t.Errorf("%q: %+v", text, f)
		}
	}
	if _, err := For(base, store); err != nil {
		t.Fatal(err)
	}
	if path, err := Recorded(dir); err != nil || path != store {
		t.Errorf("it is not written again: %s, %v", path, err)
	}
}

// A store that moved and has begun a journal at its new place takes the old one over nevertheless.
func TestRelinkPutsAsideWhatBeganSince(t *testing.T) {
	store, base := storeAt(t, "m"), t.TempDir()
	begin := func(dir, text string) string {
		t.Helper()
		folder, err := For(base, dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, journalFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	begin(store, "old")
	moved := store + "2"
	if err := os.Rename(store, moved); err != nil {
		t.Fatal(err)
	}
	begin(moved, "new")
	if _, _, _, err := Relink(base, moved, moved); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a store took over its own journal: %v", err)
	}
	_, to, aside, err := Relink(base, store, moved)
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{to: "old", aside: "new"} {
		if got, err := os.ReadFile(filepath.Join(folder, journalFile)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", folder, got, err, want)
		}
	}
}
