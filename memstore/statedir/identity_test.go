package statedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func identify(t *testing.T, dir string) Identity {
	t.Helper()
	id, err := Identify(dir)
	if err != nil {
		t.Fatal(err)
	}
	if id.Inode == 0 {
		t.Skip("this system has no inodes")
	}
	return id
}

// only is the one folder below base.
func only(t *testing.T, base string) Folder {
	t.Helper()
	list, err := All(base)
	if err != nil || len(list) != 1 {
		t.Fatalf("the folders are %v, %v; want one", list, err)
	}
	return list[0]
}

// A directory made after another one was removed often gets its inode.
func TestNewDirectoryIsAnotherOne(t *testing.T) {
	store, base := storeAt(t, "m"), t.TempDir()
	if _, err := For(base, store); err != nil {
		t.Fatal(err)
	}
	if identify(t, store).Born == 0 {
		t.Skip("this file system does not say when a directory was made")
	}
	if err := os.Remove(store); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		time.Sleep(20 * time.Millisecond) // clocks of file systems are coarse
		if err := os.Mkdir(store, 0o700); err != nil {
			t.Fatal(err)
		}
		if only(t, base).SameDirectory(identify(t, store)) {
			t.Fatal("a new directory passes for the old one")
		}
		if err := os.Remove(store); err != nil {
			t.Fatal(err)
		}
	}
}

// What a store was before is there to be compared until the store was found in order.
func TestRecordFollowsOnlyWhenAsked(t *testing.T) {
	store, base := storeAt(t, "m"), t.TempDir()
	dir, err := For(base, store)
	if err != nil {
		t.Fatal(err)
	}
	old := identify(t, store)
	if err := os.Rename(store, store+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := For(base, store); err != nil {
		t.Fatal(err)
	}
	if id, err := Recorded(dir); err != nil || !id.SameDirectory(old) {
		t.Errorf("opening has replaced the identity: %+v, %v", id, err)
	}
	if err := Record(dir, store); err != nil {
		t.Fatal(err)
	}
	if id, err := Recorded(dir); err != nil || id.SameDirectory(old) || !id.SameDirectory(identify(t, store)) {
		t.Errorf("the identity is not the new one: %+v, %v", id, err)
	}
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
	if id, err := Recorded(dir); err != nil || id.Path != store {
		t.Errorf("it is not written again: %+v, %v", id, err)
	}
}

// A store that moved and has begun a journal at its new place takes the old one over nevertheless; a store that is another
// directory does not.
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
	identify(t, store)
	moved, other := store+"2", storeAt(t, "other")
	if err := os.Rename(store, moved); err != nil {
		t.Fatal(err)
	}
	begin(moved, "new")
	begin(other, "its own")
	if _, _, _, err := Relink(base, store, other); !errors.Is(err, fs.ErrExist) {
		t.Errorf("another store took over the journal: %v", err)
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

// What a scan has left in the folder of the new place does not keep the journal from following.
func TestRelinkMergesOtherStateFiles(t *testing.T) {
	store, base := storeAt(t, "m"), t.TempDir()
	old, err := For(base, store)
	if err != nil {
		t.Fatal(err)
	}
	moved := store + "2"
	if err := os.Rename(store, moved); err != nil {
		t.Fatal(err)
	}
	fresh, err := For(base, moved)
	if err != nil {
		t.Fatal(err)
	}
	for at, text := range map[string]string{
		filepath.Join(old, journalFile): "journal", filepath.Join(old, "key"): "old", filepath.Join(fresh, "key"): "new",
		filepath.Join(fresh, "more"): "more",
	} {
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, to, aside, err := Relink(base, store, moved)
	if err != nil || aside != "" || to != fresh {
		t.Fatal(to, aside, err)
	}
	for name, want := range map[string]string{journalFile: "journal", "key": "old", "more": "more"} {
		if got, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	if f := only(t, base); f.Path != moved {
		t.Errorf("the folder is %+v", f)
	}
}
