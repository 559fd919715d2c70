package dir

import (
	"bytes"
	"os"
	"syscall"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

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
