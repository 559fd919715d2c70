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

// A value is judged harmless by its id; what is kept, and what is printed, does not hold it.
func TestAllowJudgesByID(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	do := func(args ...string) outcome {
		return call{args: append([]string{"allow", dir}, args...), env: env}.run(t)
	}
	token, password := idOf(t, dir, env, "github-token"), idOf(t, dir, env, "password")
	if got := do(); got.code != 0 || got.out != "" || !strings.Contains(got.err, "No value is judged harmless") {
		t.Errorf("%+v", got)
	}
	if got := do("--add", token[:12], "--add", password, "--label", "of the test stand"); got.code != 0 || got.out != "" ||
		!strings.Contains(got.err, "github-token, ghp_••••, 3 places") {
		t.Errorf("%+v", got)
	}
	got := call{args: []string{"scan", dir, "--check"}, env: env}.run(t)
	if got.code != 0 || got.out != "" || !strings.Contains(got.err, "2 values judged harmless") {
		t.Errorf("%+v", got)
	}
	got = do("--json")
	var line struct{ ID, Class, Time, Label string }
	d := json.NewDecoder(strings.NewReader(got.out))
	d.DisallowUnknownFields()
	if err := d.Decode(&line); err != nil || strings.Count(got.out, "\n") != 2 || line.Label != "of the test stand" || line.Time == "" {
		t.Errorf("%v: %+v", err, got)
	}
	if got := do(); !strings.Contains(got.out, token[:12]+"  github-token") || !strings.Contains(got.out, password[:12]+"  password") {
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
	if got := do("--remove", token[:8]); got.code != 0 || !strings.Contains(got.err, "Counts again: github-token") {
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"scan", dir}, env: env}).run(t); !strings.Contains(got.out, token[:12]) ||
		strings.Contains(got.out, "password") {
		t.Errorf("%+v", got)
	}
}

func TestAllowRefusesWhatIsNoID(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--add", someToken}, 2, "An id is"}, {[]string{"--add", "3fa"}, 2, "An id is"},
		{[]string{"--add", "abcdef012345"}, 1, "No value in this store"},
		{[]string{"--remove", "abcdef012345"}, 1, "was judged harmless"}, {[]string{"--class", "x"}, 2, "--class"},
	} {
		if got := (call{args: append([]string{"allow", dir}, c.args...), env: env}).run(t); got.code != c.code || got.out != "" ||
			!strings.Contains(got.err, c.says) || strings.Contains(got.err, someToken) {
			t.Errorf("%v: %+v", c.args, got)
		}
	}
}

// One value alone is taken out by its id, also one that stands beside others.
func TestScrubTakesSingleValues(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	id := idOf(t, dir, env, "password")
	for _, bad := range []string{"abcdef012345", "x"} {
		if got := (call{args: []string{"scrub", dir, "--id", bad}, env: env}).run(t); got.code == 0 {
			t.Errorf("%+v", got)
		}
	}
	if got := (call{args: []string{"scrub", dir, "--id", id[:8], "--action", "nothing"}, env: env}).run(t); got.code != 2 {
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"scrub", dir, "--id", id[:8], "--action", "line"}, env: env}).run(t); got.code != 0 {
		t.Errorf("%+v", got)
	}
	text, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil || !strings.Contains(string(text), someToken) || strings.Contains(string(text), "Grafana") {
		t.Errorf("%q, %v", text, err)
	}
}

// A transcript may hold what was judged harmless too, and its findings have ids.
func TestAllowHoldsForTranscripts(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	record := filepath.Join(t.TempDir(), "talk.jsonl")
	writeText(t, record, "{\"text\":\"my token: "+someToken+"\"}\n")
	id := idOf(t, dir, env, "github-token")
	scan := func() outcome {
		return call{args: []string{"scan", dir, "--files", "--transcript", record, "--json", "--class", "github-token"}, env: env}.run(t)
	}
	if got := scan(); strings.Count(got.out, id) != 3 {
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"allow", dir, "--add", id}, env: env}).run(t); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := scan(); got.out != "" {
		t.Errorf("%+v", got)
	}
}
