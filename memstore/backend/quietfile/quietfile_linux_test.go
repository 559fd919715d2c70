package quietfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// A file of another user can be read, though its time can't be left.
func TestOtherUsersFile(t *testing.T) {
	const nobody = 65534
	if os.Geteuid() != 0 {
		t.Skip("only root may become another user")
	}
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o644)); err != nil {
		t.Fatal(err)
	}
	open := ways(t, dir)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // it ends with this goroutine: only this thread is the other user
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0); errno != 0 {
			t.Error(errno)
			return
		}
		if f, err := os.OpenFile(filepath.Join(dir, "file"), syscall.O_NOATIME, 0); err == nil {
			_ = f.Close()
			t.Error("the time of another user's file can be left")
		}
		for way, open := range open {
			f, err := open("file", 0)
			if err != nil {
				t.Errorf("%s: %v", way, err)
				continue
			}
			if data, err := io.ReadAll(f); err != nil || string(data) != "text" {
				t.Errorf("%s: %q, %v", way, data, err)
			}
			_ = f.Close()
		}
	}()
	<-done
}
