package journal

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"memcurator/memstore"
)

// portrait is everything that an undo brings back of the tree: the name of each path, its mode, and of files their modification time and
// their bytes.
func (d *desk) portrait() map[string]string {
	d.t.Helper()
	tree := d.disk()
	tree["."] = "folder"
	for name, holds := range tree {
		info, err := os.Lstat(filepath.Join(d.dir, filepath.FromSlash(name)))
		d.must(err)
		stamp := ""
		if info.Mode().IsRegular() {
			stamp = info.ModTime().UTC().Format(time.RFC3339Nano)
		}
		tree[name] = info.Mode().String() + " " + stamp + " " + holds
	}
	return tree
}

func (d *desk) same(want map[string]string, when string) {
	d.t.Helper()
	got := d.portrait()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			d.t.Errorf("%s: %s is\n\t%q, was\n\t%q", when, name, got[name], want[name])
		}
		delete(got, name)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		d.t.Errorf("%s: %s has come: %q", when, name, got[name])
	}
}

// age gives every path a stamp of its own in the past, so that no stamp matches by chance.
func (d *desk) age() {
	d.t.Helper()
	at := time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.UTC)
	var names []string
	d.must(filepath.WalkDir(d.dir, func(p string, e fs.DirEntry, err error) error {
		names = append(names, p)
		return err
	}))
	for i, p := range slices.Backward(names) { // what a folder holds before the folder
		info, err := os.Lstat(p)
		d.must(err)
		if info.Mode()&fs.ModeSymlink == 0 {
			d.must(os.Chtimes(p, time.Time{}, at.Add(time.Duration(i)*time.Hour)))
		}
	}
}

// grove is a store with every kind of entry that can be deleted and must be restored exactly.
func grove(t *testing.T) *desk {
	if runtime.GOOS == "windows" {
		t.Skip("modes are not those of Unix here")
	}
	d := newDesk(t)
	d.outside("top.md", "top\n")
	d.outside("dir/a.md", "one\ntwo\nthree\nfour\nfive\n")
	d.outside("dir/sub/b.bin", "\xff\x00\xfe")
	d.outside("dir/sub/deep/c.md", "")
	d.outside("other/d.md", "d\n")
	d.must(os.Mkdir(filepath.Join(d.dir, "dir", "empty"), 0o750))
	d.must(os.Symlink("a.md", filepath.Join(d.dir, "dir", "link")))
	d.must(os.Symlink("nowhere", filepath.Join(d.dir, "dangling")))
	d.must(os.Chmod(filepath.Join(d.dir, "dir", "a.md"), 0o640))
	d.must(os.Chmod(filepath.Join(d.dir, "dir", "sub"), 0o711))
	d.age()
	return d
}

// TestUndoBringsStampsBack: a group of everything that can be done is undone, and the disk
// is what it was, to the nanosecond; so it is after redo and undo, and across a restart.
func TestUndoBringsStampsBack(t *testing.T) {
	d := grove(t)
	was := d.portrait()
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Curator, Group: "all of it"})
	for _, c := range []memstore.Command{
		replace("/memories/dir/a.md", "two", "zwei"),
		rename("/memories/other", "/memories/dir/moved"),
		remove("/memories/dir"),
		create("/memories/dir/a.md", "another\n"),
		create("/memories/new/deep/x.md", "x\n"),
		remove("/memories/top.md"),
		remove("/memories/dangling"),
	} {
		if r := d.store.Do(ctx, c); r.IsError {
			t.Fatalf("%s %s: %s", c.Name, c.Path, r.Content)
		}
	}
	done := d.disk()
	d.reopen()
	d.undo()
	d.same(was, "after the undo")
	d.redo()
	if !maps.Equal(d.disk(), done) {
		t.Errorf("the redo made %q, want %q", d.disk(), done)
	}
	d.reopen()
	d.undo()
	d.same(was, "after redo and undo")
	d.syncAll()
	for _, r := range d.revisions() {
		if r.Actor == memstore.External {
			t.Errorf("an undo looks like another program: %v", d.story())
		}
	}
}
