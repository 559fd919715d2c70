package memstore

import (
	"bytes"
	"io"
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

func readAll(t testing.TB, d *Dir, name string) string {
	t.Helper()
	f, err := d.Open(name, Use)
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.NewSectionReader(f, 0, info.Size+1)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func onDisk(d *Dir, name string) string { return filepath.Join(d.Path(), filepath.FromSlash(name)) }

func TestDirRoundTrip(t *testing.T) {
	d := openTestDir(t)
	if err := d.Create("a/b/notes.md", []byte("one\n")); err != nil {
		t.Fatal(err)
	}
	if err := d.Replace("a/b/notes.md", []byte("one\n"), []byte("two\n")); err != nil {
		t.Fatal(err)
	}
	if err := d.Rename("a/b/notes.md", "c/d.md"); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, d, "c/d.md"); got != "two\n" {
		t.Errorf("c/d.md holds %q", got)
	}
	list, err := d.ReadDir(".")
	if err != nil || len(list) != 2 || list[0].Name != "a" || list[1].Name != "c" {
		t.Errorf("ReadDir: %v, %v", list, err)
	}
	if err := d.Remove("a"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(onDisk(d, "a")); !os.IsNotExist(err) {
		t.Errorf("a is still there: %v", err)
	}
}
