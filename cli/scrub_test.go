package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

// Values are made at run time: no literal of a token is in the repository.
var (
	someToken    = "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	somePassword = strings.Join([]string{"Tr0ub4dor", "3x"}, "&")
)

// secretive is a store that an agent filled, with values in files and in the past.
func secretive(t *testing.T) (dir string, env map[string]string) {
	t.Helper()
	dir = t.TempDir()
	env = map[string]string{"MEMCURATOR_STATE": t.TempDir()}
	lines := ""
	for _, c := range []map[string]any{
		{"command": "create", "path": "/memories/a.md", "file_text": "# Ops\nGitHub token: " + someToken + "\nThe Grafana password is " +
			somePassword + ".\n"},
		{"command": "create", "path": "/memories/b.json", "file_text": `{"note":"used ` + someToken + ` again"}`},
		{"command": "create", "path": "/memories/c.md", "file_text": "token: " + someToken + "\n"},
		{"command": "delete", "path": "/memories/c.md"},
	} {
		lines += commandLine(t, c)
	}
	edits(t, env, dir, lines)
	return dir, env
}

func TestScanReportsPlacesWithoutValues(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	got := call{args: []string{"scan", dir, "--json"}, env: env}.run(t)
	if got.code != 0 || strings.Contains(got.out+got.err, someToken) || strings.Contains(got.out, somePassword) {
		t.Fatalf("%+v", got)
	}
	var places []string
	for line := range strings.Lines(got.out) {
		var p struct {
			Path, Class, Rule, Severity string
			Start, End, Line, Column    int
			Rev                         *int64
			ID, Why, Context            string
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		must(t, d.Decode(&p))
		rev := int64(-1)
		if p.Rev != nil {
			rev = *p.Rev
		}
		places = append(places, fmt.Sprint(p.Path, " ", p.Class, " ", p.Line, ":", p.Column, " ", p.End-p.Start, " ", rev))
		if p.Why == "" || !strings.Contains(p.Context, "••••") {
			t.Errorf("%q, %q", p.Why, p.Context)
		}
	}
	want := []string{
		"/memories/a.md github-token 2:15 40 -1", fmt.Sprint("/memories/a.md password 3:25 ", len(somePassword), " -1"),
		"/memories/b.json github-token 1:15 40 -1", "/memories/c.md github-token 1:8 40 3",
	}
	if strings.Join(places, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", places)
	}
	if got := (call{args: []string{"scan", dir, "--reveal"},
		env: env}).run(t); !strings.Contains(got.out, somePassword) || !strings.Contains(got.out, someToken) {
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"scan", dir, "--check"}, env: env}).run(t); got.code != 3 {
		t.Errorf("%+v", got)
	}
	writeText(t, filepath.Join(dir, "key-"+someToken+".md"), "A note.\n")
	for _, how := range []string{"--check", "--json"} {
		if got := (call{args: []string{"scan", dir, how}, env: env}).run(t); strings.Contains(got.out+got.err, someToken) || !strings.Contains(got.out, "/memories/key-ghp_••••") {
			t.Errorf("a value in a name: %+v", got)
		}
	}
	if got := (call{args: []string{"scan", t.TempDir(), "--check"}, env: env}).run(t); got.code != 0 || got.out != "" {
		t.Errorf("an empty store: %+v", got)
	}
}

func TestScanReadsRules(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	config := t.TempDir()
	writeText(t, filepath.Join(config, "config.toml"), "")
	writeText(t, filepath.Join(config, "scrub.toml"), "[[rule]]\nid = \"ticket\"\nclass = \"ticket\"\npatterns = [\"TICKET-{digit:6}\"]\n\n[[rule]]\nid = \"broken\"\nregex = '''(('''\n")
	env["MEMCURATOR_CONFIG"] = filepath.Join(config, "config.toml")
	writeText(t, filepath.Join(dir, "t.md"), "see TICKET-"+"123456\n")
	got := call{args: []string{"scan", dir}, env: env}.run(t)
	if got.code != 0 || !strings.Contains(got.out, "/memories/t.md:1:5") || !strings.Contains(got.err, "ignored the rule broken") {
		t.Errorf("%+v", got)
	}
}

func TestScrubCanBeUndoneUntilAPurge(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	text := func() string { return read(t, dir, "a.md") }
	was := text()
	if got := (call{args: []string{"scrub", dir}, env: env}).run(t); got.code != 2 || text() != was || !strings.Contains(got.err, "Pass --yes") {
		t.Errorf("unconfirmed: %+v", got)
	}
	if got := (call{args: []string{"scrub", dir}, env: env, tty: true, stdin: "n\n"}).run(t); got.code != 1 || text() != was ||
		!strings.Contains(got.err, "Redact 2 values in files?") {
		t.Errorf("declined: %+v", got)
	}
	got := call{args: []string{"scrub", dir, "--yes", "--json"}, env: env}.run(t)
	if got.code != 0 || !strings.Contains(got.out,
		`{"files":2,"names":0,"values":3,"classes":{"github-token":2,"password":1},"revisions":0,"contents":0,"left":0}`) ||
		!strings.Contains(text(), "REDACTED:") {
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"undo", dir}, env: env}).run(t); got.code != 0 || text() != was {
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"scrub", dir, "--purge-history"}, env: env}).run(t); got.code != 2 || text() != was {
		t.Errorf("an unconfirmed purge: %+v", got)
	}
	got = call{args: []string{"scrub", dir, "--purge-history"}, env: env, tty: true, stdin: "n\n"}.run(t)
	if got.code != 1 || text() != was || !strings.Contains(got.err, "can't be undone") {
		t.Errorf("a declined purge: %+v", got)
	}
	got = call{args: []string{"scrub", dir, "--purge-history", "--yes"}, env: env}.run(t)
	if got.code != 0 || !strings.Contains(got.err, "no traces left") || !strings.Contains(got.err, "Not reached") ||
		!strings.Contains(got.err, "Revoke: ") {
		t.Errorf("%+v", got)
	}
	purged := false
	for rev := range 20 {
		shown := (call{args: []string{"show", dir, fmt.Sprint(rev)}, env: env}).run(t).out
		purged = purged || strings.Contains(shown, "Purged: no revision holds the values any more")
		if strings.Contains(shown, fmt.Sprintf("undone by %d\n", rev)) {
			t.Errorf("revision %d is undone by itself", rev)
		}
	}
	if !purged {
		t.Error("no revision is shown as purged")
	}
	for range 4 {
		_ = call{args: []string{"undo", dir}, env: env}.run(t)
	}
	nowhereBelow(t, dir, someToken, somePassword)
	nowhereBelow(t, env["MEMCURATOR_STATE"], someToken, somePassword)
	if got := (call{args: []string{"scan", dir, "--check"}, env: env}).run(t); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := (call{args: []string{"doctor", dir}, env: env}).run(t); got.code != 0 {
		t.Errorf("%+v", got)
	}
}

// A purge names the transcripts of the store's project that hold the value, wherever the agent keeps them.
func TestPurgeNamesTheTranscriptsOfTheProject(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, "src", "app")
	said := func(cwd string) string {
		return fmt.Sprintf(`{"type":"user","cwd":%q,"message":{"role":"user","content":"use %s"}}`, filepath.ToSlash(cwd), someToken) + "\n"
	}
	memtest.WriteFiles(t, home, map[string]string{
		"src/app/memories/k.md":                    "token: " + someToken + "\n",
		".claude/projects/-x/of-the-project.jsonl": said(filepath.Join(project, "api")), ".claude/projects/-y/of-another.jsonl": said(home),
	})
	o := call{args: []string{"scrub", filepath.Join(project, "memories"), "--purge-history", "--yes"}, env: map[string]string{"HOME": home, "MEMCURATOR_STATE": filepath.Join(home, "state")}}.run(t)
	if o.code != 1 || !strings.Contains(o.err, "of-the-project.jsonl") || strings.Contains(o.err, "of-another") ||
		!strings.Contains(o.err, "Values may remain at 1 place") {
		t.Errorf("%+v", o)
	}
}
