package discover_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memcurator/memstore/discover"
)

func TestPresentInSeesWhatProjectsHold(t *testing.T) {
	project := t.TempDir()
	m := discover.Local(t.TempDir(), func(string) string { return "" })
	if list := m.PresentIn(t.Context(), []string{project, filepath.Join(project, "none")}); len(list) > 0 {
		t.Fatalf("an empty project has %q", list)
	}
	want := []string{"CLAUDE.md", ".claude/agent-memory/reviewer", ".serena/memories"}
	for i, name := range want {
		want[i] = filepath.Join(project, filepath.FromSlash(name))
		var err error
		if i == 0 {
			err = os.WriteFile(want[i], []byte("# Ferry\n"), 0o600)
		} else {
			err = os.MkdirAll(want[i], 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(want)
	if list := m.PresentIn(t.Context(), []string{project}); !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	if err := os.Remove(filepath.Join(project, "CLAUDE.md")); err != nil {
		t.Fatal(err)
	}
	if list := m.PresentIn(t.Context(), []string{project}); len(list) != 2 {
		t.Errorf("what is gone is present: %q", list)
	}
}

func TestPresentSeesStoresComeAndGo(t *testing.T) {
	home := t.TempDir()
	m := discover.Local(home, func(string) string { return "" })
	before := m.Present(t.Context())
	for _, dir := range []string{".claude/projects/-src-ferry/memory", ".claude/agent-memory/reviewer", ".codex/memories"} {
		dir = filepath.Join(home, filepath.FromSlash(dir))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		after := m.Present(t.Context())
		if slices.Contains(before, dir) || !slices.Contains(after, dir) {
			t.Errorf("%s: before %q, after %q", dir, before, after)
		}
		// What an agent writes is none of it.
		if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "7f3a.jsonl"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "MEMORY.md"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if again := m.Present(t.Context()); !slices.Equal(again, after) {
			t.Errorf("a note counts: %q, %q", after, again)
		}
	}
	if err := os.RemoveAll(filepath.Join(home, ".codex")); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(m.Present(t.Context()), filepath.Join(home, ".codex", "memories")) {
		t.Error("a store that is gone is present")
	}
}
