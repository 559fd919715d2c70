package statedir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func storeAt(t *testing.T, names ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(append([]string{dir}, names...)...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestNameFollowsTheRealPath(t *testing.T) {
	store, base := storeAt(t, "Agent 7", "memories"), filepath.Join(t.TempDir(), "state")
	got, err := For(base, store)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(store))
	if want := filepath.Join(base, "agent-7-memories-"+hex.EncodeToString(sum[:])[:12]); got != want {
		t.Errorf("the folder is %s, want %s", got, want)
	}
	for _, other := range []string{store + string(filepath.Separator), filepath.Join(store, "..", "memories")} {
		if again, err := For(base, other); err != nil || again != got {
			t.Errorf("%s leads to %s, %v", other, again, err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(store, link); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	if again, err := For(base, link); err != nil || again != got {
		t.Errorf("by a link it is %s, %v", again, err)
	}
}

func TestOwnersOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean little on Windows")
	}
	store, base := storeAt(t, "m"), filepath.Join(t.TempDir(), "a", "b")
	dir, err := For(base, store)
	if err != nil {
		t.Fatal(err)
	}
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if mode(dir) != 0o700 || mode(base) != 0o700 {
		t.Errorf("modes %o and %o, want 700", mode(dir), mode(base))
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := For(base, store); err != nil || mode(dir) != 0o700 {
		t.Errorf("an opened folder stays %o, %v", mode(dir), err)
	}
}

func TestNeverInsideTheStore(t *testing.T) {
	store := storeAt(t, "memories")
	link := filepath.Join(t.TempDir(), "elsewhere")
	bases := []string{store, filepath.Join(store, "state"), filepath.Join(store, "a", "b", "c")}
	if os.Symlink(store, link) == nil {
		bases = append(bases, link, filepath.Join(link, "new"))
	}
	for _, base := range bases {
		if dir, err := For(base, store); !errors.Is(err, ErrInside) {
			t.Errorf("base %s gives %s, %v", base, dir, err)
		}
	}
	if entries, _ := os.ReadDir(store); len(entries) != 0 {
		t.Errorf("the store holds %v", entries)
	}
	// A name that only has a common prefix is not part of the store.
	if _, err := For(store+"-state", store); err != nil {
		t.Error(err)
	}
}

func TestDefaultIsBelowTheUsersState(t *testing.T) {
	base, err := Default()
	if err != nil {
		t.Skip("no home here:", err)
	}
	if !filepath.IsAbs(base) || filepath.Base(base) != "memcurator" {
		t.Errorf("the base is %s", base)
	}
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	t.Setenv("home", "")
	t.Setenv("XDG_STATE_HOME", "")
	if _, err := Default(); !errors.Is(err, ErrNoHome) {
		t.Errorf("without a home: %v", err)
	}
}

func TestFolderReplacedByALinkIntoTheStoreIsRefused(t *testing.T) {
	store, base := storeAt(t, "m"), filepath.Join(t.TempDir(), "state")
	dir, err := For(base, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(store, dir); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	if got, err := For(base, store); !errors.Is(err, ErrInside) {
		t.Errorf("the folder is %s, %v", got, err)
	}
}
