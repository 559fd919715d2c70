package dir

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

// wantNoTemp fails when a temporary file is left anywhere.
func wantNoTemp(t testing.TB, d *Dir) {
	t.Helper()
	if tree := memtest.DescribeDisk(t, d.Path()); strings.Contains(tree, backend.TempPrefix) {
		t.Errorf("a temporary file remains:\n%s", tree)
	}
}

func TestRename(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a/x.md", "x")
	plant(t, d, "a/y.md", "y")
	must(t, os.Symlink("../a/y.md", onDisk(d, "a/link")))
	must(t, os.Symlink("none", onDisk(d, "a/dangling")))
	for _, step := range [][2]string{
		{"a/x.md", "a/z.md"}, {"a/z.md", "b/c/z.md"}, {"a/link", "b/link"}, {"a/dangling", "a/still"}, {"b", "a/b"}, {"a", "n/a"},
	} {
		if err := d.Rename(step[0], step[1]); err != nil {
			t.Fatalf("%v: %v", step, err)
		}
		if _, err := d.Lstat(step[0]); !errors.Is(err, backend.ErrNotExist) {
			t.Errorf("%s is still there: %v", step[0], err)
		}
	}
	if got := readAll(t, d, "n/a/b/c/z.md"); got != "x" {
		t.Errorf("the file holds %q", got)
	}
	if text, err := d.Readlink("n/a/b/link"); err != nil || text != "../a/y.md" {
		t.Errorf("the link holds %q, %v", text, err)
	}
	if _, err := d.Readlink("n/a/still"); err != nil {
		t.Error(err)
	}
}

func TestRemoveFolder(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "keep/a.md", "x")
	plant(t, d, "gone/deep/b.md", "x")
	must(t, os.Symlink("../keep", onDisk(d, "gone/link")))
	must(t, os.Symlink(d.Path(), onDisk(d, "gone/deep/absolute")))
	must(t, os.Mkdir(onDisk(d, "empty"), 0o700))
	must(t, d.Remove("gone"))
	must(t, d.Remove("empty"))
	if list, err := d.ReadDir("."); err != nil || len(list) != 1 || readAll(t, d, "keep/a.md") != "x" {
		t.Errorf("left: %v, %v", list, err)
	}
}

// What another program put there since the file was read stays.
func TestReplaceSeesOthers(t *testing.T) {
	for name, interfere := range map[string]func(path string) error{
		"other bytes":      func(p string) error { return os.WriteFile(p, []byte("oTher"), 0o600) },
		"more bytes":       func(p string) error { return os.WriteFile(p, []byte("older and new"), 0o600) },
		"removed":          os.Remove,
		"a folder instead": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			d := openTestDir(t)
			plant(t, d, "a.md", "older")
			must(t, interfere(onDisk(d, "a.md")))
			before := memtest.DescribeDisk(t, d.Path())
			if err := d.Replace("a.md", []byte("older"), []byte("newer")); !errors.Is(err, backend.ErrChanged) && !errors.Is(err, backend.ErrNotRegular) {
				t.Errorf("Replace: %v", err)
			}
			if after := memtest.DescribeDisk(t, d.Path()); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// Of many writers that want the same new name exactly one gets it, and its bytes are whole.
func TestCreateRace(t *testing.T) {
	base := t.TempDir()
	const writers = 8
	for round := range 20 {
		name := fmt.Sprintf("n%d/a.md", round)
		var wg sync.WaitGroup
		var mu sync.Mutex
		won := []int{}
		for w := range writers {
			wg.Go(func() {
				d, err := Open(base, Options{})
				if err != nil {
					t.Error(err)
					return
				}
				defer d.Close()
				err = d.Create(name, bytes.Repeat([]byte{byte('a' + w)}, 5000))
				if err == nil {
					mu.Lock()
					won = append(won, w)
					mu.Unlock()
				} else if !errors.Is(err, backend.ErrExist) {
					t.Errorf("writer %d: %v", w, err)
				}
			})
		}
		wg.Wait()
		d, err := Open(base, Options{})
		must(t, err)
		if len(won) != 1 || readAll(t, d, name) != strings.Repeat(string(rune('a'+won[0])), 5000) {
			t.Errorf("%d writers won", len(won))
		}
		wantNoTemp(t, d)
		must(t, d.Close())
	}
}

// What a killed writer left goes, also while its parent has not asked how it ended, so that it is still listed as a process.
func TestSweepTemps(t *testing.T) {
	d := openTestDir(t)
	must(t, d.Create(backend.NewTempName(), []byte("half"))) // with the ID of a process that runs: this one
	must(t, d.Create(".tmp-notes", []byte("of the user")))
	must(t, d.SweepTemps("."))
	list, err := d.ReadDir(".")
	must(t, err)
	if len(list) != 1 || list[0].Name != ".tmp-notes" {
		t.Errorf("left are %v", list)
	}
}
