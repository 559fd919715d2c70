package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
)

// A document that several chains have is one document: commands on all stores count, search and scan it once.
func TestSharedDocumentsCountOnce(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	key := "ghp_" + strings.Repeat("a1B2c3", 6)
	projects := map[string]any{}
	files := map[string]string{".claude/CLAUDE.md": "The ferry leaves at nine. " + key + "\n", "work.toml": "[[rule]]\nmatch = [\"**/CLAUDE.md\"]\nmax_file_bytes = 20\nmode = \"warn\"\n"}
	for _, name := range []string{"a", "b", "c"} {
		files[name+"/.git/HEAD"], files[name+"/CLAUDE.md"], files[name+"/AGENTS.md"] = "ref\n", "@AGENTS.md\n", "Agents of "+name+"\n"
		projects[filepath.Join(home, name)] = struct{}{}
	}
	known, _ := json.Marshal(map[string]any{"projects": projects})
	files[".claude.json"] = string(known)
	memtest.WriteFiles(t, home, files)
	env := map[string]string{session.EnvState: filepath.Join(t.TempDir(), "state"), "HOME": home, "USERPROFILE": home}
	run := func(stdin string, args ...string) outcome {
		t.Helper()
		return call{args: args, stdin: stdin, env: env}.run(t)
	}
	rows := func(args ...string) []map[string]any {
		t.Helper()
		o := run("", args...)
		return jsonOf(t, o.out)
	}
	user := filepath.Join(home, ".claude", "CLAUDE.md")
	for _, file := range []string{user, filepath.Join(home, "a", "CLAUDE.md"), filepath.Join(home, "b", "CLAUDE.md")} { // their journals begin
		if o := run(`{"command":"view","path":"/memories"}`+"\n", "exec", file); o.code != 0 {
			t.Fatal(o)
		}
	}

	found := rows("search", "--all", "--json", "ferry", "leaves")
	if len(found) != 1 || found[0]["store"] != user || len(found[0]["also_in"].([]any)) != 3 {
		t.Errorf("search: %v", found)
	}
	if o := run("", "search", "--all", "ferry", "leaves"); strings.Count(o.out, "\n") != 1 || !strings.Contains(o.out, "(now, also in 3 other stores): ") {
		t.Errorf("search: %+v", o)
	}
	for _, one := range rows("search", "--all", "--json", "agents", "of") {
		if filepath.Base(one["store"].(string)) != "AGENTS.md" {
			t.Errorf("an imported file counts in the chain that it names: %v", one)
		}
	}
	if found := rows("scan", "--all", "--json", "--files"); len(found) != 1 || found[0]["store"] != user || len(found[0]["also_in"].([]any)) != 3 {
		t.Errorf("scan: %v", found)
	}
	if o := run("", "scan", "--all"); !strings.Contains(o.err, "/memories/2-user/CLAUDE.md is also in 3 other stores") ||
		!strings.Contains(o.err, "Secrets at 1 place in 1 of 7 stores") {
		t.Errorf("scan: %+v", o)
	}
	if found := rows("plan", "--all", "--json", "--config", filepath.Join(home, "work.toml")); len(found) != 1 || found[0]["store"] != user || len(found[0]["also_in"].([]any)) != 3 {
		t.Errorf("plan: %v", found)
	}
	o := run("", "stats", "--all")
	lines := strings.Split(strings.TrimSpace(o.out), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(last, "7 files") || !strings.Contains(last, "in 7 stores, each file counted once") {
		t.Errorf("stats: %+v", o)
	}

	if o := run(`{"command":"str_replace","path":"/memories/2-user/CLAUDE.md","old_str":"nine","new_str":"ten"}`+"\n", "exec", user); o.code != 0 ||
		strings.Contains(o.out, "true}") {
		t.Fatal(o)
	}
	found = rows("log", "--all", "--json")
	if len(found) != 1 || found[0]["actor"] != "agent" || found[0]["store"] != user {
		t.Errorf("log: %v", found)
	}
	if found := rows("search", "--all", "--json", "leaves at nine"); len(found) != 1 || found[0]["state"] != "past" {
		t.Errorf("search in the past: %v", found)
	}
	if err := os.Remove(user); err != nil {
		t.Fatal(err)
	}
	if found := rows("search", "--all", "--json", "--now", "ferry"); len(found) != 0 {
		t.Errorf("a removed file: %v", found)
	}
}
