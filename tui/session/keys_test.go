package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A key explained in one store counts in all; before the shared file, the store that was used last counts.
func TestKeysAreKnownInAllStores(t *testing.T) {
	base := t.TempDir()
	a, b := filepath.Join(base, "a"), filepath.Join(base, "b")
	for _, dir := range []string{a, b} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, known := LoadKeys(a); known {
		t.Error("a new user knows keys")
	}
	if err := NewKeeper(a).Save(State{Version: 1, Keys: 1}); err != nil {
		t.Fatal(err)
	}
	if k, known := LoadKeys(b); !known || k.Version != 1 {
		t.Errorf("before the file for all stores: %+v, %v", k, known)
	}
	for _, step := range []struct {
		dir  string
		save Keys
		want []string
	}{
		{a, Keys{2, []string{"a", "d", "r"}}, []string{"a", "d", "r"}},
		{b, Keys{2, []string{"a", "r"}}, []string{"a", "r"}},
		{a, Keys{2, []string{"a", "d"}}, []string{"a"}}, // r was told here, d elsewhere
	} {
		if err := NewKeeper(step.dir).SaveKeys(step.save); err != nil {
			t.Fatal(err)
		}
		if k, known := LoadKeys(a); !known || k.Version != 2 || !slices.Equal(k.Left, step.want) {
			t.Errorf("after %+v: %+v, %v", step.save, k, known)
		}
	}
}
