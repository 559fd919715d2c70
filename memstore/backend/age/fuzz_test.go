package age

import (
	"os"
	"strings"
	"testing"

	"filippo.io/age"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

func fuzzKeys(f *testing.F) *keys {
	f.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		f.Fatal(err)
	}
	k, err := deriveKeys(id)
	if err != nil {
		f.Fatal(err)
	}
	return k
}

// Any name comes back as it was, fits a file system, and one changed character is noticed.
func FuzzSealName(f *testing.F) {
	k := fuzzKeys(f)
	for _, name := range []string{"a", "notes.md", "日本語", strings.Repeat("n", maxName), "\xff\xfe", " ", "-", "sixteen bytes ok"} {
		f.Add(name, uint(0))
		f.Add(name, uint(30))
	}
	f.Fuzz(func(t *testing.T, name string, at uint) {
		if !validName(name) || len(name) > maxName {
			return
		}
		sealed := k.names.seal(name)
		if len(sealed) > 255 || strings.ContainsAny(sealed, "/.\\") || backend.TempName(sealed) {
			t.Fatalf("%q is not a valid file name", sealed)
		}
		if got, err := k.names.open(sealed); err != nil || got != name {
			t.Fatalf("%q came back as %q, %v", name, got, err)
		}
		bad := []byte(sealed)
		if i := at % uint(len(bad)); bad[i] == 'A' {
			bad[i] = 'B'
		} else {
			bad[i] = 'A'
		}
		if got, err := k.names.open(string(bad)); err == nil {
			t.Fatalf("%q, made from %q, is taken for %q", bad, sealed, got)
		}
	})
}

// Any bytes in place of a file yield an error or a text, never a panic.
func FuzzOpenFile(f *testing.F) {
	k := fuzzKeys(f)
	dir := f.TempDir()
	d, err := Create(dir, k.identity)
	if err != nil {
		f.Fatal(err)
	}
	whole, err := k.seal([]byte("text"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte("age-encryption.org/v1\n"))
	f.Add([]byte("age-encryption.org/v1\n-> X25519 \n--- \n"))
	if err := d.Create("f", nil); err != nil {
		f.Fatal(err)
	}
	at, err := d.locate("f")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(dir+"/"+at, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if i, err := d.Stat("f"); err != nil || i.Size < 0 || i.Size > int64(len(data)) {
			t.Fatalf("%+v %v", i, err)
		}
		file, err := d.Open("f", memstore.Look)
		if err != nil {
			return
		}
		defer file.Close()
		if i, err := file.Info(); err != nil || i.Size > int64(len(data)) {
			t.Fatalf("%+v %v", i, err)
		}
	})
}
