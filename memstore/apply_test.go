package memstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

func TestApplySteps(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{Origin: Origin{Actor: Curator}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	then := time.Date(2024, 2, 29, 12, 0, 0, 123456700, time.UTC)
	raw, other := []byte("\xff\x00raw"), []byte("other")
	sum, wrong := Sum(raw), Sum([]byte("wrong"))
	for _, c := range []struct {
		name string
		step Step
		want error
	}{
		{"make a file of any bytes", Step{Kind: backend.KindFile, Path: "/memories/d/a%2e.md", Data: raw,
			Stamps: Stamps{Mode: 0o640, ModTime: then}}, nil},
		{"make it again", Step{Kind: backend.KindFile, Path: "/memories/d/a%2e.md", Data: raw}, backend.ErrExist},
		{"replace what is not there", Step{Kind: backend.KindFile, Path: "/memories/d/a%2e.md", Data: other, Expect: &wrong}, backend.ErrChanged},
		{"replace what is gone", Step{Kind: backend.KindFile, Path: "/memories/gone.md", Data: other, Expect: &wrong}, backend.ErrChanged},
		{"move", Step{Kind: backend.KindFile, Path: "/memories/b.md", OldPath: "/memories/d/a%2e.md", Expect: &sum}, nil},
		{"replace", Step{Kind: backend.KindFile, Path: "/memories/b.md", Data: other, Expect: &sum}, nil},
		{"remove what changed", Step{Kind: backend.KindFile, Path: "/memories/b.md", Remove: true, Expect: &sum}, backend.ErrChanged},
		{"remove", Step{Kind: backend.KindFile, Path: "/memories/b.md", Remove: true}, nil},
		{"remove the empty folder", Step{Kind: backend.KindDir, Path: "/memories/d", Remove: true}, nil},
		{"leave", Step{Kind: backend.KindFile, Path: "/memories/../x", Data: raw}, backend.ErrEscapes},
		{"take the root", Step{Kind: backend.KindDir, Path: "/memories", Remove: true}, backend.ErrRoot},
		{"make a folder", Step{Kind: backend.KindDir, Path: "/memories/e/f"}, nil},
		{"remove a full folder", Step{Kind: backend.KindDir, Path: "/memories/e", Remove: true}, backend.ErrChanged},
	} {
		err := s.Apply(context.Background(), c.step)
		if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if c.step.Mode != 0 {
			info, err := os.Stat(filepath.Join(dir, "d", "a%2e.md"))
			if err != nil || info.Mode().Perm() != c.step.Mode || !info.ModTime().Equal(then) {
				t.Errorf("%s: %v, %v", c.name, info, err)
			}
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestStampsOfEachBackend: a file has the stamps that a step is given.
func TestStampsOfEachBackend(t *testing.T) {
	then := time.Date(2024, 2, 29, 12, 0, 0, 123456700, time.UTC)
	disk, err := OpenDir(t.TempDir(), DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]backend.Backend{"dir": disk, "memory": NewMemory()} {
		s := New(b, Options{})
		step := Step{Kind: backend.KindFile, Path: "/memories/d/a.md", Data: []byte("a"), Stamps: Stamps{ModTime: then}}
		if err := s.Apply(context.Background(), step); err != nil {
			t.Fatal(err)
		}
		if info, err := b.Lstat("d/a.md"); err != nil || !info.ModTime.Equal(then) {
			t.Errorf("%s: it is of %v, %v", name, info.ModTime, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
