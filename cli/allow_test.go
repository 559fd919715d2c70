package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// idOf is the id that scan gives a value of a class.
func idOf(t *testing.T, dir string, env map[string]string, class string) string {
	t.Helper()
	got := call{args: []string{"scan", dir, "--json", "--class", class}, env: env}.run(t)
	var p struct{ ID string }
	if err := json.NewDecoder(strings.NewReader(got.out)).Decode(&p); err != nil || len(p.ID) != 24 {
		t.Fatalf("%v: %+v", err, got)
	}
	return p.ID
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
	if got := do("--add", token[:12], "--add", password, "--label", "of the test stand"); got.code != 0 || got.out != "" ||
		!strings.Contains(got.err, "Dismissed ghp_••••, GitHub token: 3 places. Undo: memcurator allow --remove "+token[:12]) {
		t.Errorf("%+v", got)
	}
	got := call{args: []string{"scan", dir, "--check"}, env: env}.run(t)
	if got.code != 0 || got.out != "" || !strings.Contains(got.err, "Ignored 2 dismissed values") {
		t.Errorf("%+v", got)
	}
	got = do("--json")
	var line struct {
		ID, Class, Time, Label string
		Path, Until            *string
	}
	d := json.NewDecoder(strings.NewReader(got.out))
	d.DisallowUnknownFields()
	if err := d.Decode(&line); err != nil || strings.Count(got.out, "\n") != 2 || line.Label != "of the test stand" || line.Time == "" {
		t.Errorf("%v: %+v", err, got)
	}
	if got := do(); !strings.Contains(got.out, token[:12]+"  GitHub token") || !strings.Contains(got.out, password[:12]+"  password") {
		t.Errorf("%+v", got)
	}
	if err := filepath.WalkDir(env["MEMCURATOR_STATE"], func(at string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), "scrub-") {
			data, err := os.ReadFile(at)
			if err != nil || strings.Contains(string(data), someToken) || strings.Contains(string(data), somePassword) {
				t.Errorf("%s, %v", data, err)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got := do("--remove", token[:8]); got.code != 0 || !strings.Contains(got.err, "Counts again: GitHub token") {
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
	text, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil || !strings.Contains(string(text), someToken) || !strings.Contains(string(text), "[REDACTED:password]") {
		t.Errorf("%q, %v", text, err)
	}
}

// A transcript may hold dismissed values too, and its findings have ids.
func TestAllowHoldsForTranscripts(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	record := filepath.Join(t.TempDir(), "talk.jsonl")
	writeText(t, record, "{\"text\":\"my token: "+someToken+"\"}\n")
	id := idOf(t, dir, env, "github-token")
	scan := func() outcome {
		return call{args: []string{"scan", dir, "--transcript", record, "--json", "--class", "github-token"}, env: env}.run(t)
	}
	if got := scan(); strings.Count(got.out, id) != 4 { // two files, an older version, and the transcript
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"allow", dir, "--add", id}, env: env}).run(t); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := scan(); got.out != "" {
		t.Errorf("%+v", got)
	}
}

// With --in a dismissal is for one file, with --for it ends; both are listed, and --remove undoes them.
func TestAllowWithScope(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	do := func(args ...string) outcome {
		return call{args: append([]string{"allow", dir}, args...), env: env}.run(t)
	}
	scan := func() string {
		return call{args: []string{"scan", dir, "--class", "github-token"}, env: env}.run(t).out
	}
	token := idOf(t, dir, env, "github-token")
	got := do("--add", token, "--in", "a.md", "--for", "30d")
	if got.code != 0 || !strings.Contains(got.err, "in /memories/a.md, until ") || !strings.Contains(got.err, ": 1 place.") {
		t.Errorf("%+v", got)
	}
	if out := scan(); strings.Contains(out, "a.md") || !strings.Contains(out, "b.json") {
		t.Errorf("%s", out)
	}
	if got := do("--json"); !strings.Contains(got.out, `"path":"/memories/a.md","until":"20`) {
		t.Errorf("%+v", got)
	}
	if got := do("--remove", token, "--in", "/memories/b.json"); got.code != 1 {
		t.Errorf("%+v", got)
	}
	if got := do("--remove", token); got.code != 0 || !strings.Contains(scan(), "a.md") {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--add", token, "--in", "none.md"}, 1, "/memories/none.md does not hold"},
		{[]string{"--add", token, "--for", "soon"}, 2, "Can't parse --for"},
		{[]string{"--in", "a.md"}, 2, "--add ID"},
	} {
		if got := do(c.args...); got.code != c.code || !strings.Contains(got.err, c.says) {
			t.Errorf("%v: %+v", c.args, got)
		}
	}
}
