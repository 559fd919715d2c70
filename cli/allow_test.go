package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// idOf is the id that scan gives a value of a class.
func idOf(t *testing.T, dir string, env map[string]string, class string) string {
	t.Helper()
	for _, p := range jsonOf(t, call{args: []string{"scan", dir, "--json"}, env: env}.run(t).out) {
		if id, _ := p["id"].(string); p["class"] == class && len(id) == 24 {
			return id
		}
	}
	t.Fatalf("no %s is found", class)
	return ""
}

// A value is dismissed by its id; neither what is stored nor what is printed holds it.
func TestAllowDismissesByID(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	do := func(args ...string) outcome {
		return call{args: append([]string{"allow", dir}, args...), env: env}.run(t)
	}
	token, password := idOf(t, dir, env, "github-token"), idOf(t, dir, env, "password")
	if got := do(); got.code != 0 || got.out != "" || !strings.Contains(got.err, "No values are dismissed") {
		t.Errorf("%+v", got)
	}
	if got := do("--add", token[:12], "--add", password); got.code != 0 || got.out != "" ||
		!strings.Contains(got.err, "Dismissed ghp_••••, GitHub token: 3 places. Undo with: memcurator allow --remove "+token[:12]+" ") {
		t.Errorf("%+v", got)
	}
	got := call{args: []string{"scan", dir, "--check"}, env: env}.run(t)
	if got.code != 0 || got.out != "" || !strings.Contains(got.err, "Ignored 2 dismissed values") {
		t.Errorf("%+v", got)
	}
	rows := jsonOf(t, do("--json").out)
	if len(rows) != 2 || len(rows[0]) != 4 || rows[0]["id"] != token || rows[0]["class"] != "github-token" || rows[0]["label"] != "/memories/a.md:2" ||
		rows[0]["time"] == "" {
		t.Errorf("%v", rows)
	}
	if got := do(); !strings.Contains(got.out, token[:12]+"  GitHub token") || !strings.Contains(got.out, password[:12]+"  password") {
		t.Errorf("%+v", got)
	}
	stored := read(t, filepath.Dir(journalIn(t, env["MEMCURATOR_STATE"])), "scrub-allowed.json")
	if strings.Contains(stored, someToken) || strings.Contains(stored, somePassword) {
		t.Error(stored)
	}
	if got := do("--remove", token[:8]); got.code != 0 || !strings.Contains(got.err, "Reported again: GitHub token") {
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"scan", dir}, env: env}).run(t); !strings.Contains(got.out, token[:12]) ||
		strings.Contains(got.out, "password") {
		t.Errorf("%+v", got)
	}
}

// --id redacts one value alone, also one beside others.
func TestScrubRedactsSingleValues(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	id := idOf(t, dir, env, "password")
	for _, bad := range []string{"abcdef012345", "x"} {
		if got := (call{args: []string{"scrub", dir, "--yes", "--id", bad}, env: env}).run(t); got.code == 0 {
			t.Errorf("%+v", got)
		}
	}
	if got := (call{args: []string{"scrub", dir, "--yes", "--id", id[:8]}, env: env}).run(t); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if text := read(t, dir, "a.md"); !strings.Contains(text, someToken) || !strings.Contains(text, "REDACTED:password") {
		t.Errorf("%q", text)
	}
}
