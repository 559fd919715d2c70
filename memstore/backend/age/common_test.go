package age_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	filippo "filippo.io/age"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/memtest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newKey(t testing.TB) filippo.Identity {
	t.Helper()
	id, err := filippo.GenerateX25519Identity()
	must(t, err)
	return id
}

// newDir makes an encrypted store in a fresh directory.
func newDir(t testing.TB) (d *age.EncryptedDir, key filippo.Identity) {
	t.Helper()
	key = newKey(t)
	d, err := age.Create(filepath.Join(memtest.TempDir(t), "store"), key)
	must(t, err)
	t.Cleanup(func() { d.Close() })
	return d, key
}

func readAll(t testing.TB, b memstore.Backend, name string) string {
	t.Helper()
	f, err := b.Open(name, memstore.Look)
	must(t, err)
	defer f.Close()
	i, err := f.Info()
	must(t, err)
	data, err := io.ReadAll(io.NewSectionReader(f, 0, i.Size))
	must(t, err)
	return string(data)
}

// onDisk calls visit for everything below the directory of d, with its bytes if it is a file.
func onDisk(t testing.TB, d *age.EncryptedDir, visit func(disk string, e fs.DirEntry, data []byte)) {
	t.Helper()
	must(t, filepath.WalkDir(d.Path(), func(disk string, e fs.DirEntry, err error) error {
		var data []byte
		if err == nil && e.Type().IsRegular() {
			data, err = os.ReadFile(disk)
		}
		if err == nil && disk != d.Path() {
			visit(disk, e, data)
		}
		return err
	}))
}

// only returns the one file on disk beside the header.
func only(t testing.TB, d *age.EncryptedDir) string {
	t.Helper()
	found := ""
	onDisk(t, d, func(disk string, e fs.DirEntry, _ []byte) {
		if e.Type().IsRegular() && e.Name() != age.HeaderName {
			if found != "" {
				t.Fatal("more than one file on disk")
			}
			found = disk
		}
	})
	return found
}
