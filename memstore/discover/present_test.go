package discover_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memcurator/memstore/discover"
)

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
