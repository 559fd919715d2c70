package memstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

// turns is a backend that knows whether its lock is held, and what was called meanwhile.
type turns struct {
	*Dir
	held    bool
	looks   int    // listings in the turn
	removed bool   // in the turn
	before  func() // runs at the next Removable
}

func (b *turns) Lock(ctx context.Context) (func(), error) {
	unlock, err := b.Dir.Lock(ctx)
	b.held = err == nil
	return func() { b.held = false; unlock() }, err
}

func (b *turns) ReadDir(name string) ([]backend.Info, error) {
	if b.held {
		b.looks++
	}
	return b.Dir.ReadDir(name)
}

func (b *turns) RemoveAside(name string) error {
	b.removed = b.removed || b.held
	return b.Dir.RemoveAside(name)
}

func (b *turns) Removable(ctx context.Context, name string) error {
	if b.before != nil {
		b.before()
		b.before = nil
	}
	return b.Dir.Removable(ctx, name)
}

func folderStore(t *testing.T, o Options) (*turns, *Store) {
	t.Helper()
	b := &turns{Dir: openTestDir(t)}
	for i := range 20 {
		must(t, b.Create(fmt.Sprintf("top/d/%d/f.md", i), []byte("text")))
	}
	b.looks = 0
	return b, New(b, o)
}

// Whatever a folder holds, the turn of its removal has one rename in it, and that of its move no walk.
func TestFoldersAreWalkedWithoutTheLock(t *testing.T) {
	b, s := folderStore(t, Options{Recorders: []Recorder{&recorder{}},
		Guards: []Guard{{Check: func(context.Context, *Edit) (string, error) { return "", nil }}}})
	if r := s.Rename(t.Context(), "/memories/top/d", "/memories/top/e/f"); r.IsError {
		t.Fatal(r.Content)
	}
	if r := s.Delete(t.Context(), "/memories/top/e"); r.IsError {
		t.Fatal(r.Content)
	}
	if b.looks > 0 || b.removed {
		t.Errorf("%d listings in the turn, removed in the turn: %v", b.looks, b.removed)
	}
	if got := storeTree(t, s, ""); strings.Contains(got, "f.md") || strings.Contains(got, backend.TempPrefix) {
		t.Error(got)
	}
}

// A folder that cannot be removed whole stays whole: recorders are told that nothing came of it, and the answer is an error.
func TestFolderStaysWhole(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		ctx    context.Context
		before func(b *turns)
		want   error
	}{
		"cancelled": {cancelled, func(*turns) { cancel() }, context.Canceled},
		"closed folder": {t.Context(), func(b *turns) {
			for _, e := range asides(t, b) {
				must(t, os.Chmod(filepath.Join(b.Path(), e, "3"), 0o500))
			}
		}, backend.ErrPermission},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "closed folder" && os.Getuid() == 0 {
				t.Skip("root may remove everything")
			}
			rec := &recorder{}
			b, s := folderStore(t, Options{Recorders: []Recorder{rec}})
			was := storeTree(t, s, "")
			b.before = func() { c.before(b) }
			r := s.Delete(c.ctx, "/memories/top/d")
			if !errors.Is(r.Err, c.want) || strings.Contains(r.Content, backend.TempPrefix) || strings.Contains(r.Content, b.Path()) {
				t.Fatalf("%v: %s", r.Err, r.Content)
			}
			if now := storeTree(t, s, ""); now != was || len(asides(t, b)) > 0 {
				t.Errorf("now %s\nwas %s", now, was)
			}
			if last := rec.log[len(rec.log)-1]; !strings.HasPrefix(last, "end ") || last == "end <nil>" {
				t.Error(last)
			}
		})
	}
}

// A file system that is mounted below keeps the folder where it is, with everything in it.
func TestFolderWithAMountStays(t *testing.T) {
	b, s := folderStore(t, Options{})
	mount := filepath.Join(b.Path(), "top", "d", "5")
	if out, err := exec.Command("mount", "-t", "tmpfs", "tmpfs", mount).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", mount).Run() })
	must(t, os.WriteFile(filepath.Join(mount, "inside.md"), []byte("x"), 0o600))
	was := storeTree(t, s, "")
	r := s.Delete(t.Context(), "/memories/top")
	if !errors.Is(r.Err, backend.ErrMounted) || r.Content != "Error: /memories/top holds another file system, which is not "+
		"deleted. Nothing was changed." {
		t.Errorf("%v: %s", r.Err, r.Content)
	}
	if now := storeTree(t, s, ""); now != was || len(asides(t, b)) > 0 {
		t.Errorf("now %s\nwas %s", now, was)
	}
}

// asides are the names in the root that no listing shows.
func asides(t *testing.T, b backend.Backend) (list []string) {
	t.Helper()
	all, err := b.ReadDir(".")
	must(t, err)
	for _, i := range all {
		if backend.IsAside(i) {
			list = append(list, i.Name)
		}
	}
	return list
}

// What came into the folder after it was shown is not removed without a record.
func TestFolderChangesBeforeItGoes(t *testing.T) {
	rec := &recorder{}
	b, s := folderStore(t, Options{Recorders: []Recorder{rec}})
	first := true
	rec.on = func(*Edit) {
		if first {
			first = false
			must(t, os.WriteFile(filepath.Join(b.Path(), "top", "d", "late.md"), []byte("late"), 0o600))
		}
	}
	if r := s.Delete(t.Context(), "/memories/top/d"); r.IsError {
		t.Fatal(r.Content)
	}
	if got := strings.Join(rec.log, "\n"); !strings.Contains(got, "/memories/top/d/late.md") || !strings.HasSuffix(got, "end <nil>") {
		t.Error(got)
	}
	if len(asides(t, b)) > 0 {
		t.Error("something remains")
	}
}
