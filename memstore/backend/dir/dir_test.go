package dir

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
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

func TestOpenDirCreate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	d, err := Open(dir, Options{Create: true})
	must(t, err)
	must(t, d.Close())
	for _, p := range []string{dir, filepath.Dir(dir)} {
		info, err := os.Stat(p)
		must(t, err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v, want 0700", filepath.Base(p), info.Mode())
		}
	}
	if d, err = Open(dir, Options{Create: true}); err != nil {
		t.Fatalf("a directory that is there: %v", err)
	}
	must(t, d.Close())
}

func TestDirPathIsAbsolute(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("store", 0o700))
	d, err := Open("store", Options{})
	must(t, err)
	defer d.Close()
	if !filepath.IsAbs(d.Path()) || filepath.Base(d.Path()) != "store" {
		t.Errorf("Path is %q", d.Path())
	}
	t.Chdir(t.TempDir())
	if err := d.Create("a.md", nil); err != nil {
		t.Errorf("after the working directory changed: %v", err)
	}
}

func TestDirClosed(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "x")
	f, err := d.Open("a.md", backend.Use)
	must(t, err)
	must(t, d.Close())
	must(t, d.Close())
	for what, err := range everyCall(d) {
		wantErr(t, what+" after Close", err, backend.ErrUnavailable)
	}
	if _, err := f.ReadAt(make([]byte, 1), 0); err != nil {
		t.Errorf("an open file lives on: %v", err)
	}
	must(t, f.Close())
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

// If a link replaces the store, the user never named its target: G2.
func TestLinkInPlaceOfTheStoreIsNotFollowed(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "mine")
	elsewhere := t.TempDir()
	must(t, os.WriteFile(filepath.Join(elsewhere, "a.md"), []byte("not mine"), 0o600))
	away := d.Path() + "-away"
	must(t, os.Rename(d.Path(), away))
	if err := os.Symlink(elsewhere, d.Path()); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	for what, err := range everyCall(d) {
		wantErr(t, what+" through the link", err, backend.ErrUnavailable)
	}
	if list, err := os.ReadDir(elsewhere); err != nil || len(list) != 1 {
		t.Errorf("elsewhere lie %v, %v", list, err)
	}
	must(t, os.Remove(d.Path()))
	must(t, os.Symlink(away, d.Path()))
	if got := readAll(t, d, "a.md"); got != "mine" {
		t.Errorf("moved, with a link left behind, a.md holds %q", got)
	}
}

func TestDirReplacedWhileLocked(t *testing.T) {
	d := openTestDir(t)
	unlock, err := d.Lock(context.Background())
	must(t, err)
	must(t, os.Rename(d.Path(), d.Path()+"-old"))
	must(t, os.Mkdir(d.Path(), 0o700))
	wantErr(t, "a write under the lock of another folder", d.Create("a.md", nil), backend.ErrUnavailable)
	unlock()
	unlock()
	unlock, err = d.Lock(context.Background())
	must(t, err)
	defer unlock()
	must(t, d.Create("a.md", nil))
}

func TestDirReplacedUnderReaders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a link is not replaced in one step here")
	}
	base := t.TempDir()
	path := filepath.Join(base, "store")
	stores := []string{filepath.Join(base, "0"), filepath.Join(base, "1")}
	for _, s := range stores {
		must(t, os.Mkdir(s, 0o700))
		must(t, os.WriteFile(filepath.Join(s, "a.md"), []byte("whole"), 0o600))
	}
	must(t, os.Symlink(stores[0], path))
	d, err := Open(path, Options{})
	must(t, err)
	defer d.Close()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				if f, err := d.Open("a.md", backend.Use); err != nil {
					t.Errorf("Open: %v", err)
				} else {
					_ = f.Close()
				}
				if list, err := d.ReadDir("."); err != nil || len(list) != 1 {
					t.Errorf("ReadDir: %v, %v", list, err)
				}
			}
		})
	}
	for i := range 200 {
		must(t, os.Symlink(stores[i%2], path+"-next"))
		must(t, os.Rename(path+"-next", path))
	}
	wg.Wait()
}

func TestReadDir(t *testing.T) {
	d := openTestDir(t)
	for _, name := range []string{"b.md", "B.md", "a/x.md", ".hidden", "é.md", "z.md", "ﬁ.md", "🙂.md", "a.md"} {
		plant(t, d, name, "12345")
	}
	must(t, os.Symlink("nowhere", onDisk(d, "link")))
	list, err := d.ReadDir(".")
	must(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name)
		stat, err := d.Lstat(e.Name)
		must(t, err)
		if stat != e {
			t.Errorf("ReadDir says %+v, Lstat %+v", e, stat)
		}
	}
	want := []string{".hidden", "B.md", "a", "a.md", "b.md", "link", "z.md", "é.md", "ﬁ.md", "🙂.md"}
	if !slices.Equal(names, want) {
		t.Errorf("got %q\nwant %q", names, want)
	}
	kinds := map[string]backend.Kind{"a": backend.KindDir, "link": backend.KindLink, "a.md": backend.KindFile}
	for _, e := range list {
		if want, ok := kinds[e.Name]; ok && e.Kind != want {
			t.Errorf("%s is of kind %d, want %d", e.Name, e.Kind, want)
		}
		if e.Kind == backend.KindFile && e.Size != 5 {
			t.Errorf("%s has size %d", e.Name, e.Size)
		}
	}
	_, err = d.ReadDir("a.md")
	wantErr(t, "ReadDir of a file", err, backend.ErrNotDir)
	_, err = d.ReadDir("none")
	wantErr(t, "ReadDir of nothing", err, backend.ErrNotExist)
}

func TestOpenErrors(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "folder/a.md", "x")
	tests := []struct {
		name string
		want []error
	}{
		{"none", []error{backend.ErrNotExist}},
		{"folder/none", []error{backend.ErrNotExist}},
		{"none/a.md", []error{backend.ErrNotExist}},
		{"folder", []error{backend.ErrNotRegular, backend.ErrIsDir}},
		{".", []error{backend.ErrNotRegular, backend.ErrIsDir}},
		{"folder/a.md/x", []error{backend.ErrNotDir}},
		{strings.Repeat("x", 256), []error{backend.ErrNameTooLong}},
		{strings.Repeat("x", 5000), []error{backend.ErrNameTooLong}},
	}
	for _, tt := range tests {
		for _, a := range []backend.Access{backend.Use, backend.Look} {
			_, err := d.Open(tt.name, a)
			wantErr(t, "Open "+tt.name[:min(len(tt.name), 20)], err, tt.want...)
		}
	}
}

func TestOpenFileStays(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "old bytes")
	f, err := d.Open("a.md", backend.Look)
	must(t, err)
	defer f.Close()
	must(t, d.Replace("a.md", []byte("old bytes"), []byte("new")))
	info, err := f.Info()
	must(t, err)
	if info.Size != 9 || info.Name != "a.md" || info.Kind != backend.KindFile {
		t.Errorf("the open file is described as %+v", info)
	}
	buf := make([]byte, 9)
	if _, err := f.ReadAt(buf, 0); err != nil || string(buf) != "old bytes" {
		t.Errorf("the open file holds %q, %v", buf, err)
	}
}

// A directory that moved away with its files, and an empty one in its place, is missing; one that was emptied and recreated
// is a new beginning.
func TestEmptyFolderInPlaceOfTheStore(t *testing.T) {
	d := openTestDir(t)
	must(t, d.Create("a.md", []byte("x")))
	away := d.Path() + "-away"
	must(t, os.Rename(d.Path(), away))
	must(t, os.Mkdir(d.Path(), 0o700))
	for what, err := range everyCall(d) {
		wantErr(t, what+" in an empty folder", err, backend.ErrUnavailable)
	}
	must(t, os.Remove(d.Path()))
	must(t, os.Rename(away, d.Path()))
	if got := readAll(t, d, "a.md"); got != "x" {
		t.Errorf("back at its place it holds %q", got)
	}
	must(t, os.RemoveAll(d.Path()))
	must(t, os.Mkdir(d.Path(), 0o700))
	must(t, d.Create("b.md", []byte("new")))
}

// A file that is closed while it is asked answers for itself or says that it is
// closed: its descriptor may be another file's by then.
func TestInfoOfAFileThatIsBeingClosed(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "small.md", "x")
	plant(t, d, "large.md", "a longer text")
	for range 200 {
		small, err := d.Open("small.md", backend.Look)
		must(t, err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				info, err := small.Info()
				if errors.Is(err, fs.ErrClosed) {
					return
				}
				if err != nil || info.Size != 1 {
					t.Errorf("the size is %d, the error %v; want 1, or that the file is closed", info.Size, err)
					return
				}
			}
		}()
		must(t, small.Close())
		large, err := d.Open("large.md", backend.Look)
		must(t, err)
		<-done
		must(t, large.Close())
	}
}
