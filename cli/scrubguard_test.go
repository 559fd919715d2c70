package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func commandLine(t *testing.T, c map[string]any) string {
	t.Helper()
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + "\n"
}

func TestExecKeepsValuesOut(t *testing.T) {
	t.Parallel()
	in := commandLine(t, map[string]any{"command": "create", "path": "/memories/a.md", "file_text": "token: " + someToken + "\n"}) +
		commandLine(t, map[string]any{"command": "str_replace", "path": "/memories/a.md", "old_str": "token: " + someToken,
			"new_str": "token: in the vault"}) +
		commandLine(t, map[string]any{"command": "create", "path": "/memories/" + someToken + ".md", "file_text": "x"})
	dir, state := t.TempDir(), t.TempDir()
	got := call{args: []string{"exec", dir, "--config", writeConfig(t, "[scrub]\non_write = \"mask\"\n"), "--state", state}, stdin: in}.run(t)
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if got.code != 0 || len(lines) != 3 || strings.Contains(got.out+got.err, someToken) {
		t.Fatalf("%+v", got)
	}
	if !strings.Contains(lines[0], "1 sensitive value was masked before writing: github-token (line 1)") ||
		strings.Contains(lines[1], `"is_error":true`) || !strings.Contains(lines[2], "Choose a name without it") {
		t.Errorf("%q", lines)
	}
	text, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil || string(text) != "token: in the vault\n" {
		t.Errorf("%q, %v", text, err)
	}
	if err := filepath.WalkDir(state, func(at string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(at)
		if strings.Contains(string(data), someToken) {
			t.Errorf("the value is in %s", at)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for config, want := range map[string]string{
		"[scrub]\non_write = \"refuse\"\n":                  "Leave the value out",
		"[scrub.class.github-token]\non_write = \"warn\"\n": "Warning: 1 sensitive value was written",
		"[scrub]\non_write = \"mask\"\n[scrub.class.github-token]\nenabled = false\n[scrub.class.secret]\nenabled = false\n": `/memories/a.` +
			`md","is_error":false`,
		"": `/memories/a.md","is_error":false`,
	} {
		got := call{args: []string{"exec", t.TempDir(), "--config", writeConfig(t, config), "--state", state, "--no-journal"},
			stdin: strings.SplitAfter(in, "\n")[0]}.run(t)
		if got.code != 0 || !strings.Contains(got.out, want) {
			t.Errorf("%q: %+v", config, got)
		}
	}
}
