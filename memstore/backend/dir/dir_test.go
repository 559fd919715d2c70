package dir

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

// openTestDir opens a new store in a folder of the test.
func openTestDir(t testing.TB) *Dir {
	t.Helper()
	d, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func readAll(t testing.TB, d *Dir, name string) string {
	t.Helper()
	f, err := d.Open(name, backend.Use)
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

func wantErr(t testing.TB, what string, err error, want ...error) {
	t.Helper()
	for _, w := range want {
		if !errors.Is(err, w) {
			t.Errorf("%s: got error %v, want one that is %v", what, err, w)
		}
	}
}

func TestOpenDirErrors(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	closed := filepath.Join(base, "closed")
	must(t, os.Mkdir(closed, 0o000))
	listOnly := filepath.Join(base, "list-only")
	must(t, os.Mkdir(listOnly, 0o400))
	tests := []struct {
		name, dir string
		want      error
		rootCan   bool
	}{
		{"missing", filepath.Join(base, "none"), backend.ErrNotExist, false},
		{"missing parent", filepath.Join(base, "none", "x"), backend.ErrNotExist, false},
		{"a file", file, backend.ErrNotDir, false},
		{"below a file", filepath.Join(file, "x"), backend.ErrNotDir, false},
		{"name too long", filepath.Join(base, strings.Repeat("x", 300)), backend.ErrNameTooLong, false},
		{"unreadable", closed, backend.ErrPermission, true},
		{"listed but not entered", listOnly, backend.ErrPermission, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.rootCan && os.Geteuid() <= 0 {
				t.Skip("modes mean nothing to root, nor on Windows")
			}
			if runtime.GOOS == "windows" && tt.want != backend.ErrNotExist && tt.dir != file {
				t.Skip("Windows words this differently")
			}
			d, err := Open(tt.dir, Options{})
			wantErr(t, "OpenDir", err, tt.want)
			if err == nil {
				_ = d.Close()
			}
		})
	}
}

// everyCall calls every method once with names that are harmless.
func everyCall(d *Dir) map[string]error {
	got := map[string]error{}
	_, got["Stat"] = d.Stat(".")
	_, got["Lstat"] = d.Lstat("a.md")
	_, got["ReadDir"] = d.ReadDir(".")
	_, got["Readlink"] = d.Readlink("a.md")
	_, got["Open"] = d.Open("a.md", backend.Use)
	_, got["Look"] = d.Open("a.md", backend.Look)
	got["Create"] = d.Create("new/b.md", nil)
	got["Replace"] = d.Replace("a.md", nil, nil)
	got["Remove"] = d.Remove("a.md")
	got["Rename"] = d.Rename("a.md", "c.md")
	unlock, err := d.Lock(context.Background())
	if got["Lock"] = err; err == nil {
		unlock()
	}
	return got
}

func TestDirGone(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "x")
	away := d.Path() + "-away"
	must(t, os.Rename(d.Path(), away))
	for what, err := range everyCall(d) {
		wantErr(t, what+" of a directory that is gone", err, backend.ErrUnavailable)
	}
	if _, err := os.Lstat(d.Path()); !os.IsNotExist(err) {
		t.Errorf("the directory was made again: %v", err)
	}
	must(t, os.WriteFile(d.Path(), nil, 0o600))
	_, err := d.Stat(".")
	wantErr(t, "a file in its place", err, backend.ErrUnavailable)
	must(t, os.Remove(d.Path()))
	must(t, os.Mkdir(d.Path(), 0o700)) // as where a mount is missing
	for what, err := range everyCall(d) {
		wantErr(t, what+" in an empty folder", err, backend.ErrUnavailable)
	}
	must(t, os.Remove(d.Path()))
	must(t, os.Rename(away, d.Path()))
	if got := readAll(t, d, "a.md"); got != "x" {
		t.Errorf("when it is back a.md holds %q", got)
	}
}

func TestDirReplaced(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "old")
	must(t, os.Rename(d.Path(), d.Path()+"-old"))
	must(t, os.Mkdir(d.Path(), 0o700))
	plant(t, d, "other.md", "of the new folder") // an empty one may be where a mount is missing
	_, err := d.Stat("a.md")
	wantErr(t, "the file of the old folder", err, backend.ErrNotExist)
	must(t, d.Create("a.md", []byte("new")))
	if got := readAll(t, d, "a.md"); got != "new" {
		t.Errorf("a.md holds %q", got)
	}
	old, err := os.ReadFile(filepath.Join(d.Path()+"-old", "a.md"))
	if err != nil || string(old) != "old" {
		t.Errorf("the old folder was written: %q, %v", old, err)
	}
}
