package quietfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// aged gives a file or folder an old time of last access, which even a file system that records accesses sparingly would change.
func aged(t *testing.T, path string) time.Time {
	t.Helper()
	old := time.Now().Add(-72 * time.Hour).Truncate(time.Second)
	if err := os.Chtimes(path, old, old.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	return old
}

func accessed(t *testing.T, path string) time.Time {
	t.Helper()
	var st syscall.Stat_t
	if err := syscall.Lstat(path, &st); err != nil {
		t.Fatal(err)
	}
	return time.Unix(st.Atim.Unix())
}

func read(t *testing.T, f *os.File, err error) {
	t.Helper()
	if err == nil {
		defer f.Close()
		if info, statErr := f.Stat(); statErr == nil && info.IsDir() {
			_, err = f.ReadDir(-1)
		} else {
			_, err = io.ReadAll(f)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestAccessTimeStays(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600), os.Mkdir(filepath.Join(dir, "folder"), 0o700),
		os.WriteFile(filepath.Join(dir, "folder/file"), nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"file", "folder"} {
		path := filepath.Join(dir, name)
		old := aged(t, path)
		f, err := os.Open(path)
		read(t, f, err)
		if accessed(t, path).Equal(old) {
			t.Skip("this file system doesn't record accesses")
		}
		for way, open := range ways(t, dir) {
			old := aged(t, path)
			f, err := open(name, 0)
			read(t, f, err)
			if at := accessed(t, path); !at.Equal(old) {
				t.Errorf("%s of a %s: the last access is now at %v", way, name, at)
			}
		}
	}
}

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
