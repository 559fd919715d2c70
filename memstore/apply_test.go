package memstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestApplySteps(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{Origin: Origin{Actor: Curator}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	raw, other := []byte("\xff\x00raw"), []byte("other")
	sum, wrong := Sum(raw), Sum([]byte("wrong"))
	for _, c := range []struct {
		name string
		step Step
		want error
	}{
		{"make a file of any bytes", Step{Kind: KindFile, Path: "/memories/d/a%2e.md", Data: raw, Mode: 0o640}, nil},
		{"make it again", Step{Kind: KindFile, Path: "/memories/d/a%2e.md", Data: raw}, ErrExist},
		{"replace what is not there", Step{Kind: KindFile, Path: "/memories/d/a%2e.md", Data: other, Expect: &wrong}, ErrChanged},
		{"replace what is gone", Step{Kind: KindFile, Path: "/memories/gone.md", Data: other, Expect: &wrong}, ErrChanged},
		{"move", Step{Kind: KindFile, Path: "/memories/b.md", OldPath: "/memories/d/a%2e.md", Expect: &sum}, nil},
		{"replace", Step{Kind: KindFile, Path: "/memories/b.md", Data: other, Expect: &sum}, nil},
		{"remove what changed", Step{Kind: KindFile, Path: "/memories/b.md", Remove: true, Expect: &sum}, ErrChanged},
		{"remove", Step{Kind: KindFile, Path: "/memories/b.md", Remove: true}, nil},
		{"remove the empty folder", Step{Kind: KindDir, Path: "/memories/d", Remove: true}, nil},
		{"leave", Step{Kind: KindFile, Path: "/memories/../x", Data: raw}, ErrEscapes},
		{"take the root", Step{Kind: KindDir, Path: "/memories", Remove: true}, ErrRoot},
		{"make a folder", Step{Kind: KindDir, Path: "/memories/e/f"}, nil},
		{"remove a full folder", Step{Kind: KindDir, Path: "/memories/e", Remove: true}, ErrChanged},
	} {
		err := s.Apply(context.Background(), c.step)
		if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if c.step.Mode != 0 {
			info, err := os.Stat(filepath.Join(dir, "d", "a%2e.md"))
			if err != nil || info.Mode().Perm() != c.step.Mode {
				t.Errorf("%s: %v, %v", c.name, info, err)
			}
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}
