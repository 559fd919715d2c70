package discover_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore/discover"
)

func TestFind(t *testing.T) {
	home := t.TempDir()
	t.Chdir(t.TempDir())
	write := func(file string, age time.Duration) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	old := filepath.Join(home, ".claude", "projects", "old", "memory")
	fresh := filepath.Join(home, ".claude", "projects", "fresh", "memory")
	mine := filepath.Join(home, "mine")
	write(filepath.Join(old, "MEMORY.md"), 48*time.Hour)
	write(filepath.Join(fresh, "MEMORY.md"), time.Hour)
	write(filepath.Join(fresh, "deep", "er", "a.md"), 2*time.Hour)
	write(filepath.Join(mine, "a.md"), 96*time.Hour)
	write(filepath.Join(home, ".claude", "projects", "none", "x.jsonl"), 0)
	write(filepath.Join(home, ".claude", "projects", "file", "memory"), 0) // no directory
	if err := os.MkdirAll("memories", 0o700); err != nil {
		t.Fatal(err)
	}
	got := discover.Find(t.Context(), []discover.Place{{"mine", mine}, {"gone", filepath.Join(home, "gone")}, {"again", fresh}}, discover.WellKnown(home))
	want := []string{"mine " + mine + " 1 false false", "gone " + filepath.Join(home, "gone") + " 0 true false", "again " + fresh + " 2 false false", " " + old + " 1 false false", " memories 0 false false"}
	var have []string
	for _, f := range got {
		have = append(have, fmt.Sprintf("%s %s %d %v %v", f.Name, f.Dir, f.Files, f.Missing, f.More))
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", have, want)
	}
	if age := time.Since(got[2].Newest); age < 59*time.Minute || age > 61*time.Minute {
		t.Errorf("newest %v", got[2].Newest)
	}
}

func TestFindIsBounded(t *testing.T) {
	dir := t.TempDir()
	deep := dir
	for range 60 {
		deep = filepath.Join(deep, "d")
	}
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Log("no links here:", err)
	}
	if got := discover.Find(t.Context(), []discover.Place{{"deep", dir}}, nil); !got[0].More {
		t.Errorf("deep: %+v", got)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := discover.Find(ended, []discover.Place{{"deep", dir}}, nil); len(got) != 1 || !got[0].More {
		t.Errorf("ended: %+v", got)
	}
}

func TestTranscriptsBesideAMemory(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, ".claude", "projects", "-home-u-p")
	for _, name := range []string{"memory/MEMORY.md", "s1.jsonl", "s1/subagents/agent-1.jsonl", "notes.txt"} {
		file := filepath.Join(project, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := discover.Transcripts(filepath.Join(project, "memory")); len(got) != 2 {
		t.Errorf("found %v", got)
	}
	if got := discover.Transcripts(project); got != nil {
		t.Errorf("beside no memory there are %v", got)
	}
}
