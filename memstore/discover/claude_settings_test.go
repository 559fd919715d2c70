package discover

import (
	"path/filepath"
	"testing"

	"memcurator/memstore/memtest"
)

// Settings of the user and of a project, and variables, turn Claude Code's memory off; the row and what an opened store says agree.
func TestAutoMemoryOff(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(home, "a"), filepath.Join(home, "b")
	memory := func(project string) string {
		return filepath.Join(home, ".claude", "projects", encoded(project), "memory")
	}
	memtest.WriteFiles(t, home, map[string]string{
		".claude.json":            `{"projects": {"` + filepath.ToSlash(a) + `": {}, "` + filepath.ToSlash(b) + `": {}}}`,
		"a/.claude/settings.json": `{"autoMemoryEnabled": true}`, "a/.claude/settings.local.json": `{"autoMemoryEnabled": false}`, "b/x": "x",
		".claude/projects/" + encoded(a) + "/memory/MEMORY.md": "a\n", ".claude/projects/" + encoded(b) + "/memory/MEMORY.md": "b\n",
	})
	env := map[string]string{}
	check := func(what, offA, offB string) {
		t.Helper()
		m := Local(home, func(name string) string { return env[name] })
		rows := map[string]string{}
		for _, f := range m.Find(t.Context(), nil) {
			rows[f.Dir] = f.Load.Off
		}
		for dir, want := range map[string]string{memory(a): offA, memory(b): offB} {
			if rule := m.LoadOf(dir); rule.Off != want || rows[dir] != want || (want == "") == rule.OnDemand() {
				t.Errorf("%s: %s: the row says %q, the store %q, not %q", what, dir, rows[dir], rule.Off, want)
			}
		}
	}
	const local = "autoMemoryEnabled is false in the project's .claude/settings.local.json"
	check("local", local, "")
	memtest.WriteFiles(t, home, map[string]string{".claude/settings.json": `{"autoMemoryEnabled": false}`})
	check("user", local, "autoMemoryEnabled is false in your settings.json")
	env["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "0"
	check("forced", "", "")
	env["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "1"
	check("variable", "CLAUDE_CODE_DISABLE_AUTO_MEMORY is set", "CLAUDE_CODE_DISABLE_AUTO_MEMORY is set")
}

// The memory directory that a project's own settings name is found from anywhere, as that of the project. Local settings come first.
func TestAutoMemoryDirectoryOfAnotherProject(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(home, "a"), filepath.Join(home, "b")
	memtest.WriteFiles(t, home, map[string]string{
		".claude.json":                  `{"projects": {"` + filepath.ToSlash(a) + `": {}, "` + filepath.ToSlash(b) + `": {}}}`,
		"a/.claude/settings.json":       `{"autoMemoryDirectory": "~/shared"}`,
		"a/.claude/settings.local.json": `{"autoMemoryDirectory": "~/mine"}`,
		"b/.claude/settings.json":       `{"autoMemoryDirectory": "~/nowhere", "autoMemoryEnabled": false}`,
		"mine/MEMORY.md":                "a\n", "shared/MEMORY.md": "b\n",
	})
	var dirs []string
	for _, f := range Local(home, nil).Find(t.Context(), nil) {
		if f.Kind != KindDir {
			continue
		}
		dirs = append(dirs, f.Dir)
		if f.Dir == filepath.Join(home, "mine") && (f.Root != a || f.Project != a || f.Agent != "Claude Code" || f.Load.OnDemand()) {
			t.Errorf("the store is %+v", f)
		}
	}
	if len(dirs) != 1 || dirs[0] != filepath.Join(home, "mine") {
		t.Errorf("found %q", dirs)
	}
}
