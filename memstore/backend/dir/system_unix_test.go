//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package dir

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

func TestNotRegularIsNeverOpened(t *testing.T) {
	d := openTestDir(t)
	must(t, syscall.Mkfifo(onDisk(d, "pipe"), 0o600))
	must(t, os.Symlink("pipe", onDisk(d, "link")))
	names := []string{"pipe", "link"}
	short, err := os.MkdirTemp("", "s") // a socket's path may be 104 bytes long at most
	must(t, err)
	defer os.RemoveAll(short)
	socket, err := net.Listen("unix", filepath.Join(short, "s"))
	must(t, err)
	defer socket.Close()
	if os.Rename(filepath.Join(short, "s"), onDisk(d, "socket")) == nil {
		names = append(names, "socket")
	}
	if syscall.Mknod(onDisk(d, "device"), syscall.S_IFCHR|0o600, 1<<8|3) == nil {
		names = append(names, "device")
	} else {
		t.Log("without a device: only root may make one")
	}
	within(t, func() {
		for _, name := range names {
			for _, a := range []backend.Access{backend.Use, backend.Look} {
				_, err := d.Open(name, a)
				wantErr(t, "Open "+name, err, backend.ErrNotRegular)
			}
			wantErr(t, "Replace "+name, d.Replace(name, nil, nil), backend.ErrNotRegular)
			wantErr(t, "Create "+name, d.Create(name, nil), backend.ErrExist)
			wantErr(t, "Create below "+name, d.Create(name+"/x.md", nil), backend.ErrNotDir)
			wantErr(t, "Create far below "+name, d.Create(name+"/x/y.md", nil), backend.ErrNotDir)
			_, err := d.ReadDir(name)
			wantErr(t, "ReadDir "+name, err, backend.ErrNotDir)
			info, err := d.Stat(name)
			if err != nil || info.Kind != backend.KindOther {
				t.Errorf("Stat %s: %+v, %v", name, info, err)
			}
		}
		must(t, d.Rename("pipe", "moved/pipe"))
		must(t, d.Remove("moved/pipe"))
		must(t, d.Remove("link"))
	})
}

// within fails the test when do hangs, as a read of a FIFO does.
func within(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("blocked")
	}
}

// Not parallel: the umask belongs to the process.
func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077} {
		base := t.TempDir()
		old := syscall.Umask(mask)
		d, err := Open(filepath.Join(base, "made", "store"), Options{Create: true})
		if err == nil {
			err = d.Create("a/b/new.md", []byte("x"))
		}
		if err == nil {
			err = os.WriteFile(onDisk(d, "shared.md"), []byte("x"), 0o600)
		}
		if err == nil {
			err = os.Chmod(onDisk(d, "shared.md"), 0o664)
		}
		if err == nil {
			err = d.Replace("shared.md", []byte("x"), []byte("y"))
		}
		if err == nil {
			err = d.Rename("a/b/new.md", "c/d/new.md")
		}
		syscall.Umask(old)
		must(t, err)
		want := map[string]os.FileMode{
			"..": 0o700, ".": 0o700, "a": 0o700, "a/b": 0o700, "c": 0o700, "c/d": 0o700,
			"c/d/new.md": 0o600, "shared.md": 0o664,
		}
		for name, mode := range want {
			info, err := os.Stat(onDisk(d, name))
			must(t, err)
			if info.Mode().Perm() != mode {
				t.Errorf("umask %03o: %s has mode %v, want %v", mask, name, info.Mode().Perm(), mode)
			}
		}
		must(t, d.Close())
	}
}

func TestReplaceKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give a file away")
	}
	d := openTestDir(t)
	plant(t, d, "a.md", "x")
	must(t, os.Chown(onDisk(d, "a.md"), 12345, 54321))
	must(t, os.Chmod(onDisk(d, "a.md"), 0o4640))
	must(t, d.Replace("a.md", []byte("x"), []byte("y")))
	info, err := os.Stat(onDisk(d, "a.md"))
	must(t, err)
	st := info.Sys().(*syscall.Stat_t)
	if st.Uid != 12345 || st.Gid != 54321 || info.Mode().Perm() != 0o640 {
		t.Errorf("now owned by %d:%d with mode %v", st.Uid, st.Gid, info.Mode())
	}
}

func TestPermissionErrors(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("modes mean nothing to root")
	}
	d := openTestDir(t)
	plant(t, d, "shut/a.md", "x")
	plant(t, d, "fixed/sub/a.md", "x")
	plant(t, d, "fixed/b.md", "x")
	plant(t, d, "fixed/sub/inner/c.md", "x")
	plant(t, d, "secret.md", "x")
	must(t, os.Chmod(onDisk(d, "secret.md"), 0))
	must(t, os.Chmod(onDisk(d, "shut"), 0))
	must(t, os.Chmod(onDisk(d, "fixed/sub"), 0o500))
	defer os.Chmod(onDisk(d, "shut"), 0o700)
	defer os.Chmod(onDisk(d, "fixed/sub"), 0o700)

	_, err := d.Open("secret.md", backend.Use)
	wantErr(t, "Open", err, backend.ErrPermission)
	_, err = d.ReadDir("shut")
	wantErr(t, "ReadDir", err, backend.ErrPermission)
	_, err = d.Stat("shut/a.md")
	wantErr(t, "Stat", err, backend.ErrPermission)
	wantErr(t, "Create", d.Create("fixed/sub/n.md", nil), backend.ErrPermission)
	wantErr(t, "Create with parents", d.Create("fixed/sub/n/n.md", nil), backend.ErrPermission)
	wantErr(t, "Replace", d.Replace("fixed/sub/a.md", []byte("x"), nil), backend.ErrPermission)
	wantErr(t, "Rename from", d.Rename("fixed/sub/a.md", "x/b.md"), backend.ErrPermission)
	wantErr(t, "Rename to", d.Rename("fixed/b.md", "fixed/sub/b.md"), backend.ErrPermission)
	wantErr(t, "Remove", d.Remove("fixed/sub/a.md"), backend.ErrPermission)
	wantErr(t, "Remove in a fixed folder", d.Remove("fixed/sub/inner"), backend.ErrPermission)
	wantErr(t, "Remove of a shut folder", d.Remove("shut"), backend.ErrPermission)
	for _, name := range []string{"fixed/sub/a.md", "fixed/b.md"} {
		if _, err := os.Lstat(onDisk(d, name)); err != nil {
			t.Errorf("a removal that was refused has touched %s: %v", name, err)
		}
	}
	if _, err := os.Lstat(onDisk(d, "x")); err == nil {
		t.Error("the parent made for the move that failed is still there")
	}
}
