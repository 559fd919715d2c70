package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/config"
)

func TestStoresOfClaudeCodeHaveItsPreset(t *testing.T) {
	root := t.TempDir()
	make := func(name string) string {
		dir := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	link := filepath.Join(root, "link")
	inside := make(".claude/projects/p/memory")
	if err := os.Symlink(inside, link); err != nil {
		t.Skip(err)
	}
	off, err := config.Parse("config.toml", []byte("[[rule]]\nmatch = \"**/MEMORY.md\"\nload_lines = \"none\"\n"), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		config *config.Config
		dir    string
		lines  int64
		bytes  int64
	}{
		{"below .claude", nil, inside, 200, 25_000},
		{"by a link", nil, link, 200, 25_000},
		{"an agent's", nil, make("repo/.claude/agent-memory/reviewer"), 200, 25_000},
		{"elsewhere", nil, make("memories"), 0, 0},
		{"named .claude itself", nil, make("other/.claude"), 0, 0},
		{"no place", nil, "", 0, 0},
		{"switched off in part", off, inside, 0, 25_000},
	} {
		keys := c.config.For(c.dir).Rule("MEMORY.md")
		if keys.LoadLines.Value != c.lines || keys.LoadBytes.Value != c.bytes {
			t.Errorf("%s: %v lines, %v bytes", c.name, keys.LoadLines, keys.LoadBytes)
		}
		if c.bytes > 0 && keys.LoadBytes.From.String() != "preset claude-code (the store is in a folder .claude)" {
			t.Errorf("%s: from %s", c.name, keys.LoadBytes.From)
		}
	}
	if other := (*config.Config)(nil).For(inside).Rule("notes.md"); other.LoadLines.IsSet() {
		t.Error("the preset is about MEMORY.md only")
	}
}
