//go:build unix

package memstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"memcurator/memstore/backend"
)

func everyCommand(path string) []Command {
	return []Command{
		view(path), create(path, "x"), replace(path, "x", "y"), insert(path, 0, "x"), remove(path), move(path, "/memories/elsewhere"),
	}
}

// Every command reports a missing directory and never creates it
// again; once it is back, the store works.
func TestDirectoryGone(t *testing.T) {
	ctx := context.Background()
	disk := filepath.Join(t.TempDir(), "store")
	s, err := Open(disk, Options{Create: true})
	must(t, err)
	defer s.Close()
	s.Create(ctx, "/memories/a", "x")
	must(t, os.Rename(disk, disk+".away"))
	for _, path := range []string{backend.Root, "/memories/a", "/memories/new/x"} {
		for _, c := range everyCommand(path) {
			if r := s.Do(ctx, c); r.Content != "Error: The memory directory is not available" || !errors.Is(r.Err, backend.ErrUnavailable) {
				t.Errorf("%+v: %q (%v)", c, r.Content, r.Err)
			}
		}
	}
	if _, err := os.Lstat(disk); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the directory was made again:", err)
	}
	must(t, os.Rename(disk+".away", disk))
	if r := s.View(ctx, "/memories/a", nil); r.IsError {
		t.Error(r.Content)
	}
}

func TestUnreadableOnDisk(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	ctx := context.Background()
	disk := t.TempDir()
	s, err := Open(disk, Options{})
	must(t, err)
	defer s.Close()
	s.Create(ctx, "/memories/closed/a", "x")
	s.Create(ctx, "/memories/file", "x")
	s.Create(ctx, "/memories/z/b", "x")
	must(t, os.Chmod(filepath.Join(disk, "file"), 0))
	must(t, os.Chmod(filepath.Join(disk, "closed"), 0))
	defer os.Chmod(filepath.Join(disk, "closed"), 0o700)
	for _, c := range []Command{
		view("/memories/file"), replace("/memories/file", "x", "y"), insert("/memories/file", 0, "x"),
		view("/memories/closed"), view("/memories/closed/a"), create("/memories/closed/b", ""), remove("/memories/closed"),
	} {
		if r := s.Do(ctx, c); r.Content != "Error: Permission denied for "+c.Path || !errors.Is(r.Err, backend.ErrPermission) {
			t.Errorf("%+v: %q (%v)", c, r.Content, r.Err)
		}
	}
	list := s.View(ctx, backend.Root, nil).Content
	if want := "4.0K\t/memories\n4.0K\t/memories/closed/\n1B\t/memories/file\n4.0K\t/memories/z/\n1B\t/memories/z/b"; !strings.HasSuffix(
		list, want) {
		t.Error(list)
	}
}

func TestModes(t *testing.T) {
	ctx := context.Background()
	defer syscall.Umask(syscall.Umask(0))
	for _, mask := range []int{0, 0o077} {
		disk := filepath.Join(t.TempDir(), "p", "store")
		syscall.Umask(mask)
		s, err := Open(disk, Options{Create: true})
		must(t, err)
		s.Create(ctx, "/memories/d/a", "x")
		mode := func(name string) fs.FileMode {
			info, err := os.Lstat(filepath.Join(disk, name))
			must(t, err)
			return info.Mode().Perm()
		}
		if got := []fs.FileMode{mode("."), mode("d"), mode("d/a")}; !slices.Equal(got, []fs.FileMode{0o700, 0o700, 0o600}) {
			t.Errorf("umask %o: %o", mask, got)
		}
		must(t, os.Chmod(filepath.Join(disk, "d", "a"), 0o640))
		s.StrReplace(ctx, "/memories/d/a", "x", "y")
		s.Insert(ctx, "/memories/d/a", 0, "z")
		if got := mode("d/a"); got != 0o640 {
			t.Errorf("an edit left mode %o", got)
		}
		must(t, s.Close())
		syscall.Umask(0)
	}
}
