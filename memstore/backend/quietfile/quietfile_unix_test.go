//go:build unix

package quietfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/backend/quietfile"
)

// ways are all the ways to open what is called name in the folder dir.
func ways(t *testing.T, dir string) map[string]func(name string, flag int) (*os.File, error) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return map[string]func(string, int) (*os.File, error){
		"Open":   func(name string, flag int) (*os.File, error) { return quietfile.Open(filepath.Join(dir, name), flag) },
		"OpenIn": func(name string, flag int) (*os.File, error) { return quietfile.OpenIn(root, name, flag) },
	}
}

func TestPipeIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	for way, open := range ways(t, dir) {
		opened := make(chan error, 1)
		go func() {
			f, err := open("pipe", 0)
			if err == nil {
				err = f.Close()
			}
			opened <- err
		}()
		select {
		case err := <-opened:
			if err != nil {
				t.Errorf("%s: %v", way, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s waits for a writer", way)
		}
	}
}

func TestFlags(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600), os.Mkdir(filepath.Join(dir, "folder"), 0o700),
		os.Symlink("file", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	for way, open := range ways(t, dir) {
		for _, c := range []struct {
			name string
			flag int
			want error
		}{
			{"file", 0, nil},
			{"link", 0, nil},
			{"folder", 0, nil},
			{"folder", quietfile.Directory, nil},
			{"file", quietfile.Directory, syscall.ENOTDIR},
			{"none", 0, fs.ErrNotExist},
		} {
			f, err := open(c.name, c.flag)
			if !errors.Is(err, c.want) {
				t.Errorf("%s of %s with %#x: %v, want %v", way, c.name, c.flag, err, c.want)
			}
			if err == nil {
				_ = f.Close()
			}
		}
	}
	if f, err := quietfile.Open(filepath.Join(dir, "link"), quietfile.NoFollow); err == nil {
		_ = f.Close()
		t.Error("a link was followed")
	}
	if _, err := ways(t, dir)["OpenIn"]("../file", 0); err == nil {
		t.Error("a root was left")
	}
}

func TestReads(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for way, open := range ways(t, dir) {
		f, err := open("file", 0)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := io.ReadAll(f); err != nil || string(data) != "text" {
			t.Errorf("%s: %q, %v", way, data, err)
		}
		_ = f.Close()
	}
}
