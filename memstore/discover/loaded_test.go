package discover_test

import (
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/discover"
)

// What is loaded of an opened store is known by its path alone, also by a link.
func TestLoadOf(t *testing.T) {
	home, work := t.TempDir(), t.TempDir()
	t.Chdir(work)
	at := func(names ...string) string { return filepath.Join(append([]string{home}, names...)...) }
	claude := at(".claude", "projects", "-home-me-src", "memory")
	if err := os.MkdirAll(claude, 0o700); err != nil {
		t.Fatal(err)
	}
	link := at("link")
	if err := os.Symlink(claude, link); err != nil {
		t.Skip(err)
	}
	settings := at(".claude", "settings.json")
	if err := os.WriteFile(settings, []byte(`{"autoMemoryDirectory": "~/chosen"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	m := discover.Local(home, nil)
	m.System = "linux"
	for _, c := range []struct {
		dir  string
		file string
	}{
		{at("chosen"), "MEMORY.md"}, {claude, ""}, {link, ""}, // the settings choose another
		{filepath.Join(work, ".claude", "agent-memory", "reviewer"), "MEMORY.md"},
		{at(".codex", "memories"), "memory_summary.md"},
		{at(".config", "Code", "User", "globalStorage", "github.copilot-chat", "memory-tool", "memories"), "*"},
		{at("memories"), ""}, {at(".claude", "projects", "x"), ""}, {at(".claude", "projects", "x", "memory", "deeper"), ""},
		{at("elsewhere", "projects", "x", "memory"), ""}, {"", ""}, {"/", ""},
	} {
		rule := m.LoadOf(c.dir)
		if got := rule.Files; c.file == "" && len(got) > 0 || c.file != "" && (len(got) != 1 || got[0] != c.file) {
			t.Errorf("%s loads %v, want %q", c.dir, got, c.file)
		}
		if c.file != "" && rule.Source == "" {
			t.Errorf("%s: no source", c.dir)
		}
	}
	for settings, want := range map[string]string{
		`{"autoMemoryDirectory": "relative"}`: "", `{"autoMemoryDirectory": "~/link"}`: "", `{}`: "",
		`{"autoMemoryDirectory": "~/chosen"}`: "autoMemoryDirectory in your settings.json names another folder",
	} {
		if err := os.WriteFile(at(".claude", "settings.json"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		rule := m.LoadOf(claude)
		if rule.Off != want || rule.OnDemand() != (want != "") {
			t.Errorf("%s: off %q, want %q", settings, rule.Off, want)
		}
		for _, f := range m.Find(t.Context(), nil) {
			if f.Dir == claude && f.Load.Off != want {
				t.Errorf("%s: the row says %q, want %q", settings, f.Load.Off, want)
			}
		}
	}
}
