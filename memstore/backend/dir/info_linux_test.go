package dir

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

func accessTime(fi os.FileInfo) time.Time {
	return time.Unix(fi.Sys().(*syscall.Stat_t).Atim.Unix())
}

// A view may make eight allocations in all, this is most of them.
func TestOpenAllocations(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "x")
	got := testing.AllocsPerRun(100, func() {
		f, err := d.Open("a.md", backend.Use)
		if err == nil {
			_, err = f.Info()
		}
		if err != nil {
			t.Error(err)
			return
		}
		_ = f.Close()
	})
	t.Logf("%v allocations", got)
	if got > 6 {
		t.Errorf("opening a file makes %v allocations, want 6 at most", got)
	}
}

func TestModeOf(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "x")
	for _, mode := range []os.FileMode{0o600, 0o644 | os.ModeSetuid, 0o640 | os.ModeSetgid, 0o777 | os.ModeSticky} {
		must(t, os.Chmod(onDisk(d, "a.md"), mode))
		f, err := d.Open("a.md", backend.Look)
		must(t, err)
		got, err := f.Info()
		must(t, err)
		must(t, f.Close())
		if want, err := d.Stat("a.md"); err != nil || got != want {
			t.Errorf("Info says %+v, Stat %+v, %v", got, want, err)
		}
	}
	for _, name := range []string{"/dev/null", "/dev", "/proc/self/exe"} {
		var st syscall.Stat_t
		if syscall.Lstat(name, &st) != nil {
			continue
		}
		if fi, err := os.Lstat(name); err == nil && modeOf(st.Mode) != fi.Mode() {
			t.Errorf("%s: %v, want %v", name, modeOf(st.Mode), fi.Mode())
		}
	}
}

// mountTest mounts a small file system of its own over dir.
func mountTest(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k,mode=700"); err != nil {
		t.Skipf("a file system of a test can be mounted by root only: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	mountTest(t, dir)
	d, err := Open(dir, Options{})
	must(t, err)
	defer d.Close()
	must(t, d.Create("a.md", []byte("old")))
	before := memtest.DescribeDisk(t, dir)
	big := bytes.Repeat([]byte("x"), 1<<20)
	wantErr(t, "Create", d.Create("b/c.md", big), backend.ErrNoSpace)
	wantErr(t, "Replace", d.Replace("a.md", []byte("old"), big), backend.ErrNoSpace)
	if after := memtest.DescribeDisk(t, dir); after != before {
		t.Errorf("the tree was\n%sand is\n%s", before, after)
	}
	must(t, d.Replace("a.md", []byte("old"), []byte("new")))
}

func TestLostMount(t *testing.T) {
	dir := t.TempDir()
	mountTest(t, dir)
	d, err := Open(dir, Options{})
	must(t, err)
	defer d.Close()
	must(t, d.Create("a.md", []byte("x")))
	must(t, syscall.Unmount(dir, syscall.MNT_DETACH))
	for what, err := range everyCall(d) {
		wantErr(t, what+" after the mount was lost", err, backend.ErrUnavailable)
	}
	mountTest(t, dir)
	must(t, os.WriteFile(dir+"/b.md", []byte("back"), 0o600))
	if got := readAll(t, d, "b.md"); got != "back" {
		t.Errorf("mounted again b.md holds %q", got)
	}
}

// A listing over several buffers of the system agrees with that of the package os.
func TestReadDirOfManyFiles(t *testing.T) {
	d := openTestDir(t)
	for i := range 1500 {
		must(t, os.WriteFile(onDisk(d, fmt.Sprintf("%d-%s", i, strings.Repeat("n", i%200))), nil, 0o600))
	}
	list, err := d.ReadDir(".")
	must(t, err)
	want, err := os.ReadDir(d.Path())
	must(t, err)
	if len(list) != len(want) {
		t.Fatalf("%d entries, want %d", len(list), len(want))
	}
	for i, e := range want {
		if fi, err := e.Info(); err != nil || list[i] != infoOf(fi) {
			t.Errorf("entry %d is %+v, want %+v, %v", i, list[i], fi, err)
		}
	}
}
