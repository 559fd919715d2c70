package dir

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

func TestCreate(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for name, data := range map[string][]byte{
		"empty": nil, "a.md": []byte("x"), "deep/er/and/deeper/b.md": []byte("y"), "big": big,
		"not\xffutf8": {0, 1, 2, 0xff}, ".hidden": []byte("h"), strings.Repeat("é", 127): []byte("long"),
	} {
		d := openTestDir(t)
		if err := d.Create(name, data); err != nil {
			if runtime.GOOS != "linux" && !isASCII(name) {
				continue // some systems take only valid, some only normalized names
			}
			t.Fatalf("Create %q: %v", name, err)
		}
		if got := readAll(t, d, name); got != string(data) {
			t.Errorf("%q holds %d bytes, want %d", name, len(got), len(data))
		}
		wantErr(t, "the second Create", d.Create(name, []byte("other")), backend.ErrExist)
		if got := readAll(t, d, name); got != string(data) {
			t.Errorf("the second Create changed %q", name)
		}
		wantNoTemp(t, d)
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 126 }) < 0
}

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

// TestReplaceSeesOthers changes the file between the writing of the new bytes and
// the comparison.
func TestReplaceSeesOthers(t *testing.T) {
	for name, interfere := range map[string]func(path string) error{
		"other bytes":      func(p string) error { return os.WriteFile(p, []byte("oTher"), 0o600) },
		"more bytes":       func(p string) error { return os.WriteFile(p, []byte("old and new"), 0o600) },
		"removed":          os.Remove,
		"a folder instead": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
		"a link instead": func(p string) error {
			return errors.Join(os.Rename(p, p+"-real"), os.Symlink("a.md-real", p))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := openTestDir(t)
			plant(t, d, "a.md", "older")
			var before string
			d.handles.fault = func(s faultStep) error {
				if s != stepCompare {
					return nil
				}
				err := interfere(onDisk(d, "a.md"))
				before = strings.ReplaceAll(memtest.DescribeDisk(t, d.Path()), "\n.tmp-", "\n# ")
				return err
			}
			wantErr(t, "Replace", d.Replace("a.md", []byte("older"), []byte("newer")), backend.ErrChanged)
			after := memtest.DescribeDisk(t, d.Path())
			for line := range strings.Lines(before) {
				if !strings.HasPrefix(line, "# ") && !strings.Contains(after, line) {
					t.Errorf("lost %s", line)
				}
			}
			wantNoTemp(t, d)
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

// Another program writes between the caller's check and the removal: its bytes stay.
func TestRemoveViaKeepsAnEdit(t *testing.T) {
	for _, c := range []struct {
		name string
		at   faultStep
		edit func(t *testing.T, file string)
		want string
	}{
		{"an edit in place", stepRename, func(t *testing.T, file string) { must(t, os.WriteFile(file, []byte("edit"), 0o600)) }, "edit"},
		{"a new file", stepCompare, func(t *testing.T, file string) { must(t, os.WriteFile(file, []byte("new"), 0o600)) }, "new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := openTestDir(t)
			plant(t, d, "s/a.md", "old")
			d.handles.fault = func(s faultStep) error {
				if s == c.at {
					d.handles.fault = nil
					c.edit(t, onDisk(d, "s/a.md"))
				}
				return nil
			}
			err := d.RemoveVia("s/a.md", backend.NewTempName(), []byte("old"))
			if c.at == stepRename && !errors.Is(err, backend.ErrChanged) {
				t.Errorf("the error is %v", err)
			}
			if got := readAll(t, d, "s/a.md"); got != c.want {
				t.Errorf("a.md has %q, want %q", got, c.want)
			}
			wantNoTemp(t, d)
		})
	}
}
