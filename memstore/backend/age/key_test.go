package age_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	filippo "filippo.io/age"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
)

func TestIdentity(t *testing.T) {
	d, key := newDir(t)
	dir := d.Path()
	must(t, d.Create("a", []byte("text")))
	for name, wrong := range map[string]filippo.Identity{"another identity": newKey(t), "no key": nil} {
		if _, err := age.Open(dir, wrong); !errors.Is(err, age.ErrKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
	again, err := age.Open(dir, key)
	must(t, err)
	again.Close()

	// The identity alone opens the files, without us.
	f, err := os.Open(only(t, d))
	must(t, err)
	defer f.Close()
	r, err := filippo.Decrypt(f, key)
	must(t, err)
	var plain bytes.Buffer
	_, err = plain.ReadFrom(r)
	must(t, err)
	if plain.String() != "text" {
		t.Errorf("%q", plain.String())
	}
}

func TestOpenRefuses(t *testing.T) {
	key := newKey(t)
	if _, err := age.Open(filepath.Join(t.TempDir(), "none"), key); !errors.Is(err, memstore.ErrNotExist) {
		t.Error("no directory:", err)
	}
	for name, text := range map[string]string{
		"no JSON": "x", "another format": `{"format":"x"}`, "empty": "", "an array": "[]",
		"a later version": `{"format":"memcurator encrypted store","version":2}`,
		"cut short":       `{"format":"memcurator encrypted store","vers`,
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, age.HeaderName), []byte(text), 0o600))
		if _, err := age.Open(dir, key); !errors.Is(err, age.ErrNoStore) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
