package dir

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
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

func TestWriteErrors(t *testing.T) {
	long := strings.Repeat("x", 256)
	tests := []struct {
		name string
		do   func(d *Dir) error
		want []error
	}{
		{"create at a file", func(d *Dir) error { return d.Create("a.md", nil) }, []error{backend.ErrExist}},
		{"create at a folder", func(d *Dir) error { return d.Create("sub", nil) }, []error{backend.ErrExist}},
		{"create at the root", func(d *Dir) error { return d.Create(".", nil) }, []error{backend.ErrExist}},
		{"create below a file", func(d *Dir) error { return d.Create("a.md/b.md", nil) }, []error{backend.ErrNotDir}},
		{"create far below a file", func(d *Dir) error { return d.Create("a.md/b/c.md", nil) }, []error{backend.ErrNotDir}},
		{"create with a long name", func(d *Dir) error { return d.Create(long, nil) }, []error{backend.ErrNameTooLong}},
		{"create with a long parent", func(d *Dir) error { return d.Create("n/m/"+long+"/a", nil) }, []error{backend.ErrNameTooLong}},
		{"create a long name in a new folder", func(d *Dir) error { return d.Create("n/m/"+long, nil) }, []error{backend.ErrNameTooLong}},
		{"replace nothing", func(d *Dir) error { return d.Replace("none", nil, nil) }, []error{backend.ErrChanged, backend.ErrNotExist}},
		{"replace in no folder", func(d *Dir) error { return d.Replace("none/a.md", nil, nil) },
			[]error{backend.ErrChanged, backend.ErrNotExist}},
		{"replace a folder", func(d *Dir) error { return d.Replace("sub", nil, nil) }, []error{backend.ErrNotRegular, backend.ErrIsDir}},
		{"replace the root", func(d *Dir) error { return d.Replace(".", nil, nil) }, []error{backend.ErrNotRegular}},
		{"replace other bytes", func(d *Dir) error { return d.Replace("a.md", []byte("texT"), []byte("n")) }, []error{backend.ErrChanged}},
		{"replace fewer bytes", func(d *Dir) error { return d.Replace("a.md", []byte("tex"), []byte("n")) }, []error{backend.ErrChanged}},
		{"replace more bytes", func(d *Dir) error { return d.Replace("a.md", []byte("text "), []byte("n")) }, []error{backend.ErrChanged}},
		{"remove nothing", func(d *Dir) error { return d.Remove("none") }, []error{backend.ErrNotExist}},
		{"remove below a file", func(d *Dir) error { return d.Remove("a.md/x") }, []error{backend.ErrNotDir}},
		{"remove the root", func(d *Dir) error { return d.Remove(".") }, []error{backend.ErrRoot}},
		{"rename nothing", func(d *Dir) error { return d.Rename("none", "new/a.md") }, []error{backend.ErrNotExist}},
		{"rename to a file", func(d *Dir) error { return d.Rename("sub/b.md", "a.md") }, []error{backend.ErrExist}},
		{"rename to a folder", func(d *Dir) error { return d.Rename("a.md", "sub") }, []error{backend.ErrExist}},
		{"rename a folder to a file", func(d *Dir) error { return d.Rename("sub", "a.md") }, []error{backend.ErrExist}},
		{"rename a folder to an empty folder", func(d *Dir) error { return d.Rename("sub", "empty") }, []error{backend.ErrExist}},
		{"rename to itself", func(d *Dir) error { return d.Rename("a.md", "a.md") }, []error{backend.ErrExist}},
		{"rename a folder to itself", func(d *Dir) error { return d.Rename("sub", "sub") }, []error{backend.ErrExist}},
		{"rename into itself", func(d *Dir) error { return d.Rename("sub", "sub/new/sub") }, []error{fs.ErrInvalid}},
		{"rename below a file", func(d *Dir) error { return d.Rename("sub", "a.md/sub") }, []error{backend.ErrNotDir}},
		{"rename to a long name", func(d *Dir) error { return d.Rename("a.md", "n/"+long) }, []error{backend.ErrNameTooLong}},
		{"rename the root", func(d *Dir) error { return d.Rename(".", "n") }, []error{backend.ErrRoot}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := openTestDir(t)
			plant(t, d, "a.md", "text")
			plant(t, d, "sub/b.md", "text")
			must(t, os.Mkdir(onDisk(d, "empty"), 0o700))
			before := memtest.DescribeDisk(t, d.Path())
			wantErr(t, tt.name, tt.do(d), tt.want...)
			if after := memtest.DescribeDisk(t, d.Path()); after != before {
				t.Errorf("the tree was\n%sand is\n%s", before, after)
			}
		})
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

// TestCompareBigFile compares over several chunks, with the difference anywhere.
func TestCompareBigFile(t *testing.T) {
	d := openTestDir(t)
	old := bytes.Repeat([]byte("0123456789"), 30_000)
	plant(t, d, "a", string(old))
	r := rand.New(rand.NewPCG(1, 2))
	for _, at := range []int{0, compareChunk - 1, compareChunk, len(old) - 1, r.IntN(len(old))} {
		other := bytes.Clone(old)
		other[at] ^= 1
		wantErr(t, fmt.Sprint("a difference at ", at), d.Replace("a", other, nil), backend.ErrChanged)
	}
	must(t, d.Replace("a", old, []byte("new")))
}

func TestClassify(t *testing.T) {
	for errno, want := range map[syscall.Errno]error{
		syscall.ENOSPC: backend.ErrNoSpace, syscall.EDQUOT: backend.ErrNoSpace, syscall.ENAMETOOLONG: backend.ErrNameTooLong,
		syscall.EROFS: backend.ErrPermission, syscall.EACCES: backend.ErrPermission, syscall.EPERM: backend.ErrPermission,
		syscall.ELOOP: backend.ErrLinkLoop, syscall.ENOTDIR: backend.ErrNotDir, syscall.ENOENT: backend.ErrNotExist,
		syscall.EEXIST: backend.ErrExist,
		syscall.ESTALE: backend.ErrUnavailable, syscall.EISDIR: backend.ErrIsDir,
	} {
		err := classify(&fs.PathError{Op: "write", Path: "a.md", Err: errno})
		wantErr(t, errno.Error(), err, want, errno)
		if again := classify(err); again != err {
			t.Errorf("classified twice: %v", again)
		}
	}
	if err := classify(nil); err != nil {
		t.Errorf("nil became %v", err)
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
