package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"memcurator/cli/session"
)

// TestExecOnALostMount: the bare mount point of a store gets no files; when it is mounted again, on another device, the same
// files are the same store.
func TestExecOnALostMount(t *testing.T) {
	dir := newStore(t, nil)
	mount := func(dir string) {
		t.Helper()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k,mode=700"); err != nil {
			t.Skipf("a file system of a test can be mounted by root only: %v", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	}
	mount(dir)
	exec := call{args: []string{"exec", dir}, stdin: createX}
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Fatalf("%+v", o)
	}
	must(t, syscall.Unmount(dir, 0))
	if o := exec.run(t); o.code != session.ExitFailed || o.out != "" || !strings.Contains(o.err, "Is a mount missing") {
		t.Errorf("on the bare mount point: %+v", o)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("the bare mount point holds %v, %v", list, err)
	}
	mount(newStore(t, nil)) // gets the number of the device that is free now
	mount(dir)
	writeText(t, filepath.Join(dir, "other.md"), "o")
	if o := exec.run(t); o.code != session.ExitFailed {
		t.Errorf("on another device with none of the files: %+v", o)
	}
	writeText(t, filepath.Join(dir, "x.md"), "x")
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Errorf("on another device with the same files: %+v", o)
	}
}
