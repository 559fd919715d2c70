package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// claudeStore makes a memory of Claude Code below home, and a session beside it for each list of lines.
func claudeStore(t *testing.T, home string, notes map[string]string, sessions ...[]string) (dir string) {
	t.Helper()
	project := filepath.Join(home, ".claude", "projects", "-src-app")
	dir = filepath.Join(project, "memory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range notes {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, lines := range sessions {
		file := filepath.Join(project, fmt.Sprintf("s%d.jsonl", i+1))
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// claudeLines are the lines of a session of Claude Code: a prompt, then calls of a tool on a file with their results.
func claudeLines(dir, session, hour, prompt string, calls ...[4]string) []string {
	head := func(kind string, n int) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"%s-%s-%d","sessionId":%q,"cwd":"/src/app","timestamp":"2026-11-20T%s:%02d:00Z","message":{"role":%[1]q,`,
			kind, session, hour, n, session, hour, n)
	}
	lines := []string{head("user", 0) + fmt.Sprintf(`"content":%q}}`, prompt)}
	for i, c := range calls {
		id := fmt.Sprintf("toolu_01%s%s%016d", session, hour, i)
		input := map[string]string{"file_path": filepath.ToSlash(filepath.Join(dir, c[1]))}
		if c[0] == "Write" {
			input["content"] = c[2]
		}
		in, _ := json.Marshal(input) // strings
		out, _ := json.Marshal(c[3])
		lines = append(lines,
			head("assistant", 2*i+1)+fmt.Sprintf(`"model":"m-1","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`, id, c[0], in),
			head("user", 2*i+2)+fmt.Sprintf(`"content":[{"type":"tool_result","tool_use_id":%q,"content":%s}]}}`, id, out))
	}
	return lines
}

func TestStatsUse(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".claude", "projects", "-src-app", "memory")
	claudeStore(t, home, map[string]string{"MEMORY.md": "# index\n", "a.md": "new text\n", "lost.md": "lost\n"},
		claudeLines(dir, "one", "09", "Begin", [4]string{"Write", "a.md", "old\n", "File created successfully at: a.md"},
			[4]string{"Read", "a.md", "", "     1→old\n"}),
		claudeLines(dir, "two", "10", "Go on", [4]string{"Read", "a.md", "", "     1→old\n"},
			[4]string{"Write", "a.md", "new text\n", "The file has been updated: a.md"}),
		claudeLines(dir, "one", "11", "Again", [4]string{"Read", "a.md", "", "     1→new text\n"}))
	env := map[string]string{"HOME": home}
	o := call{args: []string{"stats", "--use", dir, "--json"}, env: env}.run(t)
	want := `{"path":"/memories/a.md","reads":3,"writes":2,"last_read":"2026-11-20T11:01:00.000000000Z",` +
		`"last_write":"2026-11-20T10:03:00.000000000Z","stale_reads":1,"tokens_loaded":11,"sessions":2}` + "\n"
	if o.code != session.ExitDone || !strings.HasPrefix(o.out, want) || !strings.Contains(o.out, `"/memories/lost.md","reads":0,"writes":0,"last_read":null`) {
		t.Errorf("%d, %s%s, want %s", o.code, o.out, o.err, want)
	}
	o = call{args: []string{"stats", "--use", dir}, env: env}.run(t)
	for _, want := range []string{"3 notes, 1 never read; 3 reads that loaded about 11 tokens", "at each start     /memories/MEMORY.md",
		"never             /memories/lost.md"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("%s lacks %q", o.out, want)
		}
	}
	o = call{args: []string{"stats", "--use", dir, "--sessions", "--json"}, env: env}.run(t)
	if strings.Count(o.out, "\n") != 2 || !strings.Contains(o.out, `"session":"two","model":"m-1","begin":"2026-11-20T10:01:00.000000000Z","tokens_start":1,"tokens_end":3,`) {
		t.Errorf("%s", o.out)
	}
	// What the handlers were asked for counts without transcripts; tokens are then unknown.
	other := newStore(t, map[string]string{"b.md": "b\n"})
	state := t.TempDir()
	call{args: []string{"exec", other, "--state", state}, stdin: `{"command":"view","path":"/memories/b.md"}` + "\n"}.run(t)
	o = call{args: []string{"stats", "--use", other, "--json", "--state", state}, env: env}.run(t)
	if !strings.HasPrefix(o.out, `{"path":"/memories/b.md","reads":1,"writes":0,"last_read":"2`) || !strings.Contains(o.out, `"tokens_loaded":null`) {
		t.Errorf("%s%s", o.out, o.err)
	}
	do(t, "stats", dir, "--sessions").sentence(t, session.ExitWrongUse, "--sessions needs --use")
	do(t, "stats", "--use", "--all", "--transcript", "x").sentence(t, session.ExitWrongUse, "--transcript needs one store")
}

func TestBlameWhy(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".claude", "projects", "-src-app", "memory")
	claudeStore(t, home, map[string]string{"a.md": "old\nbad advice\n", "b.md": "spread\n"},
		claudeLines(dir, "one", "09", "Note how to deploy", [4]string{"Write", "a.md", "old\nbad advice\n", "File created successfully at: a.md"}),
		claudeLines(dir, "two", "10", "Go on", [4]string{"Read", "a.md", "", "     1→old\n     2→bad advice\n"},
			[4]string{"Write", "b.md", "spread\n", "File created successfully at: b.md"}))
	env, state := map[string]string{"HOME": home}, t.TempDir()
	why := func(args ...string) outcome {
		return call{args: append([]string{"blame", "--why", "--state", state}, args...), env: env}.run(t)
	}
	o := why(dir, "a.md:2", "--json")
	first := filepath.ToSlash(filepath.Join(filepath.Dir(dir), "s1.jsonl"))
	want := `{"path":"/memories/a.md","line":2,"text":"bad advice","rev":null,"time":"2026-11-20T09:01:00.000000000Z","session":"one","model":"m-1",` +
		`"turn":2,"prompt":"Note how to deploy","transcript":"` + first + `","read_before":[],"written_after":[{"path":"/memories/b.md",` +
		`"time":"2026-11-20T10:03:00.000000000Z","session":"two","turn":4,"command":"Write"}]}` + "\n"
	if o.out != want {
		t.Errorf("%s%s, want %s", o.out, o.err, want)
	}
	o = why(dir, "b.md:1")
	for _, want := range []string{"revision    none: no journal yet", "session two, turn 4, Write", "prompt      Go on", "Read before it: 1 note\n",
		"/memories/a.md", "Written after a session read this line: 0 changes"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("%s%s lacks %q", o.out, o.err, want)
		}
	}
	// With a journal the revision is named, too; calls that only the handlers served have no transcript.
	call{args: []string{"exec", dir, "--state", state, "--session", "s9"}, env: env,
		stdin: `{"command":"create","path":"/memories/c.md","file_text":"c\n"}` + "\n"}.run(t)
	if o := why(dir, "c.md:1", "--json"); !strings.Contains(o.out, `"rev":`) || strings.Contains(o.out, `"rev":null`) ||
		!strings.Contains(o.out, `"session":"s9"`) || !strings.Contains(o.out, `"transcript":null,"read_before":[],"written_after":[]`) {
		t.Errorf("%s%s", o.out, o.err)
	}
	for args, want := range map[string]string{"a.md": "--why needs a line", "a.md:0": "--why needs a line", "a.md:9": "has no line 9; its last is 2",
		"none.md:1": "No file /memories/none.md"} {
		if o := why(dir, args); o.code == session.ExitDone || !strings.Contains(o.err, want) {
			t.Errorf("%s: %d, %s", args, o.code, o.err)
		}
	}
	do(t, "blame", "--transcript", "x", dir, "a.md").sentence(t, session.ExitWrongUse, "--transcript needs --why")
}
