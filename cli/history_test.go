package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// recorded makes a store in which an agent has worked.
func recorded(t *testing.T) string {
	t.Helper()
	dir := newStore(t, map[string]string{"base.md": "base\n"})
	o := call{args: []string{"exec", dir, "--session", "s1"}, stdin: `
{"command":"create","path":"/memories/a.md","file_text":"one\ntwo\n"}
{"type":"tool_use","id":"toolu_1","name":"memory","input":{"command":"str_replace","path":"/memories/a.md","old_str":"one","new_str":"東京"}}
{"command":"create","path":"/memories/d/x.md","file_text":"x\n"}
{"command":"delete","path":"/memories/d"}
`}.run(t)
	if o.code != 0 || o.err != "" {
		t.Fatalf("%+v", o)
	}
	return dir
}

// ok runs a command that must succeed and returns what it printed.
func ok(t *testing.T, args ...string) string {
	t.Helper()
	o := do(t, args...)
	if o.code != 0 {
		t.Fatalf("%v: %+v", args, o)
	}
	return o.out
}

// jsonOf reads JSON Lines.
func jsonOf(t *testing.T, out string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(out) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, v)
	}
	return list
}

func TestLogListsChanges(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	list := jsonOf(t, ok(t, "log", dir, "--json"))
	if len(list) != 5 {
		t.Fatalf("%d revisions: %v", len(list), list)
	}
	second := list[1]
	for key, want := range map[string]any{
		"rev": 2.0, "actor": "agent", "command": "str_replace", "path": "/memories/a.md", "old_path": nil, "added": 1.0, "removed": 1.0,
		"session": "s1", "tool_use_id": "toolu_1", "group": nil, "unread": true,
	} {
		if got, there := second[key]; got != want || !there {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	if second["before"] != list[0]["after"] || list[0]["before"] != nil {
		t.Errorf("the hashes are %v and %v", list[0], second)
	}
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"/memories/d"}, 3},
		{[]string{"--command", "create"}, 2},
		{[]string{"--actor", "curator"}, 0},
		{[]string{"--session", "s1", "--limit", "2"}, 2},
		{[]string{"--session", "s"}, 5},
		{[]string{"--since", "1h"}, 5},
		{[]string{"--until", "2001-01-01"}, 0},
		{[]string{"--group", "4"}, 2},
		{[]string{"/memories/a.md", "--follow"}, 2},
	} {
		if got := strings.Count(ok(t, append([]string{"log", dir}, c.args...)...), "\n"); got != c.want {
			t.Errorf("log %v lists %d revisions, want %d", c.args, got, c.want)
		}
	}
	long := newStore(t, nil)
	create := call{args: []string{"exec", long, "--session", "session_mail-retries"},
		stdin: `{"command":"create","path":"/memories/a.md","file_text":"a"}`}
	if o := create.run(t); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	if out := ok(t, "log", long); !strings.HasSuffix(out, "/memories/a.md  (session mail-ret)\n") {
		t.Errorf("log names no session: %q", out)
	}
	if out := ok(t, "log", long, "--session", "mail-ret"); strings.Count(out, "\n") != 1 {
		t.Errorf("a session by the id that rows show: %q", out)
	}
	do(t, "log", dir, "--since", "noon").sentence(t, session.ExitWrongUse, "noon")
}

// What other programs did has the name of the command that does so much, or is an edit.
func TestUnseenEditsAreNamedAsLiveOnesAre(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{
		"replaced.md": "one\ntwo\nthree\n", "grown.md": "one\n", "rewritten.md": "one\ntwo\n", "gone.md": "x", "moved.md": "moved\n",
		"raw.md": "\xff\n",
	})
	ok(t, "exec", dir)
	for name, text := range map[string]string{
		"replaced.md": "one\nzwei\nthree\n", "grown.md": "one\ntwo\n", "rewritten.md": "something else\naltogether\n", "new.md": "n",
		"raw.md": "\xfe\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "gone.md")), os.Rename(filepath.Join(dir, "moved.md"),
		filepath.Join(dir, "name.md"))); err != nil {
		t.Fatal(err)
	}
	ok(t, "exec", dir)
	got := map[string]any{}
	for _, r := range jsonOf(t, ok(t, "log", dir, "--json")) {
		got[strings.TrimPrefix(r["path"].(string), "/memories/")] = r["command"]
	}
	for name, want := range map[string]string{
		"replaced.md": "edit", "grown.md": "edit", "rewritten.md": "edit", "new.md": "create", "gone.md": "delete",
		"name.md": "rename", "raw.md": "edit",
	} {
		if got[name] != want {
			t.Errorf("%s is called %v, want %s", name, got[name], want)
		}
	}
}

func TestOtherProgramsAreFoundByTheNextStart(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	if err := os.WriteFile(filepath.Join(dir, "base.md"), []byte("changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ok(t, "exec", dir)
	out := ok(t, "log", dir, "/memories/base.md")
	if !strings.Contains(out, "external") || !strings.Contains(out, "(unseen)") {
		t.Errorf("%q", out)
	}
}

func TestShowDiffBlameSearchAndTrash(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"show", dir, "2"}, []string{"toolu_1", "-one\n+東京\n"}},
		{[]string{"diff", dir, "0..2"}, []string{"+++ /memories/a.md", "+東京\n+two\n"}},
		{[]string{"diff", dir, "1h..now"}, []string{"+++ /memories/a.md", "+東京\n+two\n"}},
		{[]string{"diff", dir, "2026-01-31 15:04..2", "--stat"}, []string{"+2 -0  /memories/a.md\n"}},
		{[]string{"diff", dir, "0", "--stat"}, []string{"+2 -0  /memories/a.md\n"}},
		{[]string{"diff", dir, "2..3", "--json"}, []string{`"path":"/memories/d/x.md"`, `"before":null`}},
		{[]string{"blame", dir, "/memories/a.md"}, []string{"2  agent", "東京\n", "1  agent", "two\n"}},
		{[]string{"blame", dir, "/memories/a.md", "--at", "1"}, []string{"one\n"}},
		{[]string{"search", dir, "東京"}, []string{"/memories/a.md:1 (now): 東京\n"}},
		{[]string{"search", dir, "one"}, []string{"/memories/a.md:1 (past, 1): one\n"}},
		{[]string{"search", "--dir", dir, "x", "--deleted", "--json"}, []string{`"state":"deleted"`, `"until":4`}},
		{[]string{"trash", dir}, []string{"folder  /memories/d\n", "2B  /memories/d/x.md\n"}},
		{[]string{"show", dir, "2", "--before"}, []string{"one\ntwo\n"}},
	} {
		out := ok(t, c.args...)
		for _, s := range c.says {
			if !strings.Contains(out, s) {
				t.Errorf("%v does not say %q:\n%s", c.args, s, out)
			}
		}
	}
	do(t, "show", dir, "99").sentence(t, session.ExitFailed, "No revision #99; the newest is #")
	do(t, "show", dir).sentence(t, session.ExitWrongUse, "Missing REV")
	do(t, "blame", dir, "/memories/none.md").sentence(t, session.ExitFailed, "/memories/none.md")
}

func TestUndoAndRestoreOnTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	x := filepath.Join(dir, "d", "x.md")
	do(t, "undo", dir).sentence(t, session.ExitFailed, "Nothing to undo")
	if out := ok(t, "restore", dir, "/memories/d", "--dry-run"); !strings.Contains(out, "create   /memories/d/x.md") {
		t.Errorf("%q", out)
	}
	if _, err := os.Stat(x); err == nil {
		t.Fatal("a dry run has restored")
	}
	ok(t, "restore", dir, "/memories/d")
	if data, err := os.ReadFile(x); err != nil || string(data) != "x\n" {
		t.Errorf("%q, %v", data, err)
	}
	ok(t, "undo", dir)
	if _, err := os.Stat(x); err == nil {
		t.Error("the restore was not undone")
	}
	ok(t, "undo", dir, "--redo")
	ok(t, "undo", dir, "2")
	if data, _ := os.ReadFile(filepath.Join(dir, "a.md")); string(data) != "one\ntwo\n" {
		t.Errorf("after undoing revision 2: %q", data)
	}
	if o := do(t, "undo", dir, "1"); o.code != session.ExitDone {
		t.Errorf("%+v", o)
	}
	ok(t, "undo", dir, "--group", "4")
	do(t, "restore", dir, "/memories/never.md").sentence(t, session.ExitFailed, "did not exist")
	do(t, "restore", dir, "/memories/a.md", "--at", "2", "--as", "/memories/base.md").sentence(t, session.ExitFailed, "exists")
}

// Of a renamed file diff prints what changed in it, with both names.
func TestDiffShowsARenameWithItsChangedLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, line := range []string{
		`{"command":"create","path":"/memories/notes/a.md","file_text":"one\ntwo\nthree\n"}`,
		`{"command":"rename","old_path":"/memories/notes/a.md","new_path":"/memories/plan.md"}`,
		`{"command":"str_replace","path":"/memories/plan.md","old_str":"two","new_str":"zwei"}`,
	} {
		if o := (call{args: []string{"exec", dir}, stdin: line}).run(t); o.code != 0 {
			t.Fatalf("%+v", o)
		}
	}
	last := strings.Count(ok(t, "log", dir), "\n")
	o := ok(t, "diff", dir, fmt.Sprintf("1..%d", last))
	for _, want := range []string{"rename from memories/notes/a.md\n", "--- /memories/notes/a.md\n+++ /memories/plan.md\n",
		" one\n-two\n+zwei\n three\n"} {
		if !strings.Contains(o, want) {
			t.Errorf("no %q in %q", want, o)
		}
	}
	if o := ok(t, "diff", dir, fmt.Sprintf("1..%d", last), "--stat"); !strings.Contains(o,
		"+1 -1  /memories/notes/a.md -> /memories/plan.md\n") {
		t.Errorf("%q", o)
	}
	if o := ok(t, "diff", dir, fmt.Sprintf("%d..1", last), "notes", "--json"); !strings.Contains(o,
		`"path":"/memories/notes/a.md","old_path":"/memories/plan.md"`) {
		t.Errorf("%q", o)
	}
}

func TestUndoWithAConflictDoesNothing(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	o := call{args: []string{"exec", dir}, stdin: `{"command":"str_replace","path":"/memories/a.md","old_str":"東京","new_str":"大阪"}`}.run(t)
	if o.code != 0 {
		t.Fatalf("%+v", o)
	}
	do(t, "undo", dir, "2").sentence(t, session.ExitFailed, "/memories/a.md", "same lines", "Nothing changed", "r on #2")
	if data, _ := os.ReadFile(filepath.Join(dir, "a.md")); string(data) != "大阪\ntwo\n" {
		t.Errorf("%q", data)
	}
}

func TestNothingRecordedYet(t *testing.T) {
	t.Parallel()
	dir := newStore(t, nil)
	for _, name := range []string{"log", "trash", "doctor", "diff"} {
		if o := do(t, name, dir); o.code != session.ExitDone || o.out != "" || !strings.Contains(o.err, "No journal yet") {
			t.Errorf("%s: %+v", name, o)
		}
	}
	for _, args := range [][]string{{"undo", dir}, {"show", dir, "1"}, {"restore", dir, "/memories/a.md"}, {"blame", dir, "/memories/a.md"}} {
		do(t, args...).sentence(t, session.ExitFailed, "No journal")
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	if out := ok(t, "doctor", dir); !strings.Contains(out, "OK, no problems found") {
		t.Errorf("%q", out)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := do(t, "doctor", dir, "--json")
	if v := jsonOf(t, o.out); o.code != session.ExitFailed || v[0]["ok"] != false || v[0]["disagree"].([]any)[0] != "/memories/a.md" {
		t.Errorf("%+v", o)
	}
	if out := ok(t, "doctor", dir, "--keep-size", "1"); !strings.Contains(out, "Dropped 4 revisions") {
		t.Errorf("%q", out)
	}
	// The last revision deletes an empty folder: it has no content that the limit could count.
	if out := ok(t, "log", dir); strings.Count(out, "\n") != 1 || !strings.Contains(out, "/memories/d  (session s1)\n") {
		t.Errorf("%q", out)
	}
	do(t, "doctor", dir, "--set-aside").sentence(t, session.ExitFailed, "not damaged")
	if o := do(t, "doctor", dir, "--repair"); o.code != session.ExitDone || !strings.Contains(o.err, "Nothing to repair") {
		t.Errorf("doctor --repair of a healthy journal: %d, %s", o.code, o.err)
	}
}

// TestThePastIsKeptAsTheConfigurationSays: the start of exec looks after it, and config show names it.
func TestThePastIsKeptAsTheConfigurationSays(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte("[journal]\nkeep = \"90d\"\nmax_bytes = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := ok(t, "config", "show", dir, "--config", file); !strings.Contains(out, `keep = "90d"`) ||
		!strings.Contains(out, "max_bytes = 1") {
		t.Errorf("%q", out)
	}
	ok(t, "exec", dir, "--config", file)
	// The last revision deletes an empty folder: it has no content that the limit could count.
	if out := ok(t, "log", dir); strings.Count(out, "\n") != 1 || !strings.Contains(out, "/memories/d  (session s1)\n") {
		t.Errorf("what is kept: %q", out)
	}
	if v := jsonOf(t, ok(t, "doctor", dir, "--json")); v[0]["ok"] != true {
		t.Errorf("%v", v)
	}
}

func TestDoctorFollowsAStoreThatMoved(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if o := do(t, "log", moved); o.out != "" {
		t.Errorf("%+v", o)
	}
	ok(t, "doctor", moved, "--relink", dir)
	if got := strings.Count(ok(t, "log", moved), "\n"); got != 5 {
		t.Errorf("%d revisions after the move", got)
	}
	do(t, "doctor", moved, "--relink", dir).sentence(t, session.ExitFailed)
}

func TestDamagedJournalIsToldAndPutAside(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	state := filepath.Join(t.TempDir(), "state")
	exec := call{args: []string{"exec", dir, "--state", state}, stdin: `{"command":"create","path":"/memories/b.md","file_text":"b"}`}
	if o := exec.run(t); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	files, err := filepath.Glob(filepath.Join(state, "*", "journal.db"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte(strings.Repeat("damage", 4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	exec.stdin = `{"command":"create","path":"/memories/c.md","file_text":"c"}`
	if o := exec.run(t); o.code != 0 || !strings.Contains(o.out, "successfully") ||
		!strings.Contains(o.err, "not recorded: the journal is damaged") {
		t.Errorf("%+v", o)
	}
	do(t, "log", dir, "--state", state).sentence(t, session.ExitFailed, "damaged")
	if out := ok(t, "doctor", dir, "--state", state, "--set-aside"); !strings.Contains(out, "Set the damaged journal aside as") {
		t.Errorf("%q", out)
	}
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Errorf("%+v", o)
	}
}
