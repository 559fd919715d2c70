//go:build unix

package quietfile_test

import (
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
		case <-time.After(time.Minute):
			t.Fatalf("%s waits for a writer", way)
		}
	}
}
