package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func commandLine(t *testing.T, c map[string]any) string {
	t.Helper()
	data, err := json.Marshal(c)
	must(t, err)
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
	if text := read(t, dir, "a.md"); text != "token: in the vault\n" {
		t.Errorf("%q", text)
	}
	nowhereBelow(t, state, someToken)
}
