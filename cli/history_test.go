package cli

import (
	"encoding/json"
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
		{[]string{"--session", "s1", "--limit", "2"}, 2},
		{[]string{"--since", "1h"}, 5},
		{[]string{"/memories/a.md", "--follow"}, 2},
	} {
		if got := strings.Count(ok(t, append([]string{"log", dir}, c.args...)...), "\n"); got != c.want {
			t.Errorf("log %v lists %d revisions, want %d", c.args, got, c.want)
		}
	}
	if out := ok(t, "log", dir, "/memories/a.md"); !strings.HasSuffix(out, "/memories/a.md  (session s1)\n") {
		t.Errorf("log names no session: %q", out)
	}
	do(t, "log", dir, "--since", "noon").sentence(t, session.ExitWrongUse, "noon")
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
		{[]string{"diff", dir, "2026-01-31 15:04..2", "--json"}, []string{`"added":2,"removed":0`}},
		{[]string{"diff", dir, "2..3", "--json"}, []string{`"path":"/memories/d/x.md"`, `"before":null`}},
		{[]string{"blame", dir, "/memories/a.md"}, []string{"2  agent", "東京\n", "1  agent", "two\n"}},
		{[]string{"blame", dir, "/memories/a.md", "--at", "1"}, []string{"one\n"}},
		{[]string{"search", dir, "東京"}, []string{"/memories/a.md:1 (now): 東京\n"}},
		{[]string{"search", dir, "one"}, []string{"/memories/a.md:1 (removed by #2): one\n"}},
		{[]string{"search", "--dir", dir, "x", "--json"}, []string{`"state":"removed"`, `"until":4`}},
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
	moved := newStore(t, nil)
	edits(t, nil, moved, `{"command":"create","path":"/memories/d/a.md","file_text":"one\n"}
{"command":"rename","old_path":"/memories/d","new_path":"/memories/e"}
{"command":"str_replace","path":"/memories/e/a.md","old_str":"one","new_str":"two"}
`)
	for span, says := range map[string]string{
		"1..3": `{"path":"/memories/e/a.md","old_path":"/memories/d/a.md",`, "3..1": `{"path":"/memories/d/a.md","old_path":"/memories/e/a.md",`,
	} {
		if out := ok(t, "diff", moved, span, "--json"); !strings.HasPrefix(out, says) || !strings.Contains(out, `"added":1,"removed":1`) {
			t.Errorf("diff %s says %q", span, out)
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
	if out := ok(t, "restore", dir, "/memories/d"); !strings.Contains(out, "create   /memories/d/x.md") {
		t.Errorf("%q", out)
	}
	if data, err := os.ReadFile(x); err != nil || string(data) != "x\n" {
		t.Errorf("%q, %v", data, err)
	}
	ok(t, "undo", dir)
	if isThere(x) {
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
	do(t, "restore", dir, "/memories/never.md").sentence(t, session.ExitFailed, "no earlier state")
	do(t, "restore", dir, "/memories/a.md", "--at", "2", "--as", "/memories/base.md").sentence(t, session.ExitFailed, "exists")
}

func TestUndoWithAConflictDoesNothing(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	edits(t, nil, dir, `{"command":"str_replace","path":"/memories/a.md","old_str":"東京","new_str":"大阪"}`)
	do(t, "undo", dir, "2").sentence(t, session.ExitFailed, "/memories/a.md", "same lines", "Nothing changed", "r on #2")
	if data, _ := os.ReadFile(filepath.Join(dir, "a.md")); string(data) != "大阪\ntwo\n" {
		t.Errorf("%q", data)
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	if out := ok(t, "doctor", dir); !strings.Contains(out, "OK, no problems found") {
		t.Errorf("%q", out)
	}
	if v := jsonOf(t, ok(t, "doctor", dir, "--json")); v[0]["ok"] != true || v[0]["damage"] == nil {
		t.Errorf("%v", v)
	}
	if o := do(t, "doctor", dir, "--repair"); o.code != session.ExitDone || !strings.Contains(o.err, "Nothing to repair") {
		t.Errorf("doctor --repair of a healthy journal: %d, %s", o.code, o.err)
	}
}
