package age_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	filippo "filippo.io/age"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
)

func TestPassphrase(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	right := age.QuickPassphrase("right")
	d, err := age.Create(dir, right)
	must(t, err)
	must(t, d.Create("a", []byte("text")))
	var identity bytes.Buffer
	must(t, d.WriteIdentity(&identity))
	must(t, d.Close())

	if wants, err := age.WantsPassphrase(dir); err != nil || !wants {
		t.Error("WantsPassphrase:", wants, err)
	}
	for _, wrong := range []string{"wrong", "right ", ""} {
		if _, err := age.Open(dir, age.Passphrase(wrong)); !errors.Is(err, age.ErrKey) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	fromFile, err := age.ReadIdentities(&identity)
	must(t, err)
	for _, key := range []age.Key{right, fromFile[0]} {
		d, err := age.Open(dir, key)
		must(t, err)
		if got := readAll(t, d, "a"); got != "text" {
			t.Errorf("%q", got)
		}
		defer d.Close()
		must(t, d.SetQuickPassphrase(ctx, "right")) // the other openings go on
	}

	d, err = age.Open(dir, fromFile[0])
	must(t, err)
	defer d.Close()
	must(t, d.SetQuickPassphrase(ctx, "next"))
	if got := readAll(t, d, "a"); got != "text" {
		t.Errorf("after the new passphrase: %q", got)
	}
	if _, err := age.Open(dir, right); !errors.Is(err, age.ErrKey) {
		t.Error("the old passphrase:", err)
	}
	again, err := age.Open(dir, age.QuickPassphrase("next"))
	must(t, err)
	again.Close()
	if err := d.SetQuickPassphrase(ctx, ""); !errors.Is(err, age.ErrKey) {
		t.Error("an empty passphrase:", err)
	}
}

func TestIdentity(t *testing.T) {
	d, key := newDir(t)
	dir := d.DiskPath()
	must(t, d.Create("a", []byte("text")))
	if wants, err := age.WantsPassphrase(dir); err != nil || wants {
		t.Error("WantsPassphrase:", wants, err)
	}
	for name, wrong := range map[string]age.Key{
		"another identity": newKey(t), "a passphrase": age.Passphrase("x"), "no key": {},
	} {
		if _, err := age.Open(dir, wrong); !errors.Is(err, age.ErrKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
	again, err := age.Open(dir, key)
	must(t, err)
	again.Close()

	// The identity alone opens the files, without us.
	var text bytes.Buffer
	must(t, d.WriteIdentity(&text))
	ids, err := filippo.ParseIdentities(&text)
	must(t, err)
	f, err := os.Open(only(t, d))
	must(t, err)
	defer f.Close()
	r, err := filippo.Decrypt(f, ids...)
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
