package memstore

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/backend"
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

// treeOf lists everything below the directory: names, kinds, modes, link texts and bytes.
func treeOf(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		b.WriteString(filepath.ToSlash(rel) + " " + info.Mode().String())
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %x", sha256.Sum256(data))
		case info.Mode()&fs.ModeSymlink != 0:
			text, err := os.Readlink(path)
			if err != nil {
				return err
			}
			b.WriteString(" -> " + text)
		}
		b.WriteByte('\n')
		return nil
	}))
	return b.String()
}

// wantNoTemp fails when a temporary file is left anywhere.
func wantNoTemp(t testing.TB, d *Dir) {
	t.Helper()
	if tree := treeOf(t, d.Path()); strings.Contains(tree, backend.TempPrefix) {
		t.Errorf("a temporary file is left:\n%s", tree)
	}
}
