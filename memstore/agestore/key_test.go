package agestore_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"memcurator/memstore"
	"memcurator/memstore/agestore"
)

func TestPassphrase(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	right := agestore.QuickPassphrase("right")
	d, err := agestore.Create(dir, right)
	must(t, err)
	must(t, d.Create("a", []byte("text")))
	var identity bytes.Buffer
	must(t, d.WriteIdentity(&identity))
	must(t, d.Close())

	if wants, err := agestore.WantsPassphrase(dir); err != nil || !wants {
		t.Error("WantsPassphrase:", wants, err)
	}
	for _, wrong := range []string{"wrong", "right ", ""} {
		if _, err := agestore.Open(dir, agestore.Passphrase(wrong)); !errors.Is(err, agestore.ErrKey) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	fromFile, err := agestore.ReadIdentity(&identity)
	must(t, err)
	for _, key := range []agestore.Key{right, fromFile} {
		d, err := agestore.Open(dir, key)
		must(t, err)
		if got := readAll(t, d, "a"); got != "text" {
			t.Errorf("%q", got)
		}
		defer d.Close()
		must(t, d.SetQuickPassphrase(ctx, "right")) // the other openings go on
	}

	d, err = agestore.Open(dir, fromFile)
	must(t, err)
	defer d.Close()
	must(t, d.SetQuickPassphrase(ctx, "next"))
	if got := readAll(t, d, "a"); got != "text" {
		t.Errorf("after the new passphrase: %q", got)
	}
	if _, err := agestore.Open(dir, right); !errors.Is(err, agestore.ErrKey) {
		t.Error("the old passphrase:", err)
	}
	again, err := agestore.Open(dir, agestore.QuickPassphrase("next"))
	must(t, err)
	again.Close()
	if err := d.SetQuickPassphrase(ctx, ""); !errors.Is(err, agestore.ErrKey) {
		t.Error("an empty passphrase:", err)
	}
}

func TestIdentity(t *testing.T) {
	d, key := newDir(t)
	dir := d.DiskPath()
	must(t, d.Create("a", []byte("text")))
	if wants, err := agestore.WantsPassphrase(dir); err != nil || wants {
		t.Error("WantsPassphrase:", wants, err)
	}
	for name, wrong := range map[string]agestore.Key{
		"another identity": newKey(t), "a passphrase": agestore.Passphrase("x"), "no key": {},
	} {
		if _, err := agestore.Open(dir, wrong); !errors.Is(err, agestore.ErrKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
	again, err := agestore.Open(dir, key)
	must(t, err)
	again.Close()

	// The identity alone opens the files, without us.
	var text bytes.Buffer
	must(t, d.WriteIdentity(&text))
	ids, err := age.ParseIdentities(&text)
	must(t, err)
	f, err := os.Open(only(t, d))
	must(t, err)
	defer f.Close()
	r, err := age.Decrypt(f, ids...)
	must(t, err)
	var plain bytes.Buffer
	_, err = plain.ReadFrom(r)
	must(t, err)
	if plain.String() != "text" {
		t.Errorf("%q", plain.String())
	}
}

func TestHybridIdentity(t *testing.T) {
	id, err := age.GenerateHybridIdentity()
	must(t, err)
	dir := t.TempDir()
	d, err := agestore.Create(dir, agestore.Identity(id))
	must(t, err)
	defer d.Close()
	must(t, d.Create("a/b", []byte("text")))
	i, err := d.Stat("a/b")
	if err != nil || i.Size != 4 || readAll(t, d, "a/b") != "text" {
		t.Errorf("%+v %v", i, err)
	}
}

func TestReadIdentity(t *testing.T) {
	for _, bad := range []string{"", "# only a comment\n", "nonsense\n", "AGE-SECRET-" + "KEY-1\n", "\x00\xff"} {
		if _, err := agestore.ReadIdentity(strings.NewReader(bad)); !errors.Is(err, agestore.ErrKey) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	key := newKey(t)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "notes.md"), []byte("plain"), 0o600))
	if _, err := agestore.Create(dir, key); !errors.Is(err, agestore.ErrNotEmpty) {
		t.Error("a directory with files:", err)
	}
	d, _ := newDir(t)
	if _, err := agestore.Create(d.DiskPath(), key); !errors.Is(err, memstore.ErrExist) {
		t.Error("an encrypted store:", err)
	}
	if _, err := agestore.Create(t.TempDir(), agestore.Passphrase("")); !errors.Is(err, agestore.ErrKey) {
		t.Error("an empty passphrase:", err)
	}
	scrypt, err := age.NewScryptIdentity("x")
	must(t, err)
	if _, err := agestore.Create(t.TempDir(), agestore.Identity(scrypt)); !errors.Is(err, agestore.ErrKey) {
		t.Error("an identity of another kind:", err)
	}
	// A crash before the header leaves a temporary file at most.
	half := t.TempDir()
	must(t, os.WriteFile(filepath.Join(half, ".tmp-99999999-0123456789abcdef"), []byte("{"), 0o600))
	if _, err := agestore.Open(half, key); !errors.Is(err, agestore.ErrNoStore) {
		t.Error("opening half a store:", err)
	}
	d, err = agestore.Create(half, key)
	must(t, err)
	d.Close()
}

func TestOpenRefuses(t *testing.T) {
	key := newKey(t)
	if _, err := agestore.Open(filepath.Join(t.TempDir(), "none"), key); !errors.Is(err, memstore.ErrNotExist) {
		t.Error("no directory:", err)
	}
	for name, text := range map[string]string{
		"no JSON": "x", "another format": `{"format":"x"}`, "empty": "", "an array": "[]",
		"a later version": `{"format":"memcurator encrypted store","version":2}`,
		"cut short":       `{"format":"memcurator encrypted store","vers`,
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, agestore.HeaderName), []byte(text), 0o600))
		if _, err := agestore.Open(dir, key); !errors.Is(err, agestore.ErrNoStore) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
