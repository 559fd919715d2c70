package memstore

import (
	"os"
	"path/filepath"
	"testing"
)

// openTestDir opens a new store in a folder of the test.
func openTestDir(t testing.TB) *Dir {
	t.Helper()
	d, err := OpenDir(t.TempDir(), DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func onDisk(d *Dir, name string) string { return filepath.Join(d.Path(), filepath.FromSlash(name)) }

// plant writes a file past the backend, with its parents.
func plant(t testing.TB, d *Dir, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(onDisk(d, name)), 0o700))
	must(t, os.WriteFile(onDisk(d, name), []byte(text), 0o600))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
