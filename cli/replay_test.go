package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"memcurator/cli/session"
)

// transcriptOf writes a message a line: each call of a script and its result.
func transcriptOf(t *testing.T, pairs ...string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		id := string(rune('a' + i))
		result, err := json.Marshal(pairs[i+1])
		must(t, err)
		b.WriteString(`{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"memory","input":` + pairs[i] + "}]}\n" +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":` + string(result) + "}]}\n")
	}
	return written(t, b.String())
}

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.jsonl")
	writeText(t, file, text)
	return file
}

const (
	replayMake = `{"command":"create","path":"/memories/d/a.md","file_text":"one\n"}`
	replayView = `{"command":"view","path":"/memories/d/a.md"}`
	replayMade = "File created successfully at: /memories/d/a.md"
)

func TestReplay(t *testing.T) {
	t.Parallel()
	file := transcriptOf(t, replayMake, replayMade, replayView, "Here's the content of /memories/d/a.md with line numbers:\n     "+
		"1\tONE\n     2\t",
		`{"command":"delete","path":"/memories/d"}`, "Successfully deleted /memories/d")
	out := t.TempDir()
	o := do(t, "replay", file, "--json", "--at", "2", "--into", out, "--yes", "--check")
	if o.code != session.ExitPending || !strings.Contains(o.err, "2 calls: 1 identical, 1 differs") {
		t.Errorf("exit status %d, %s", o.code, o.err)
	}
	first := `{"id":"a","session":null,"agent":null,"turn":1,"time":null,"model":null,"tool":"memory","input":` + replayMake + `,"result":"` +
		replayMade + `","is_error":false,"verdict":"identical","detail":"","transcript":"` + filepath.ToSlash(file) + `"}` + "\n"
	if !strings.HasPrefix(o.out, first) || strings.Count(o.out, "\n") != 2 {
		t.Errorf("printed %s", o.out)
	}
	if data, err := os.ReadFile(filepath.Join(out, "d", "a.md")); err != nil || string(data) != "ONE\n" {
		t.Errorf("the memory at call 2 has %q, %v", data, err)
	}
	renamed := transcriptOf(t, replayMake, replayMade, `{"command":"rename","old_path":"/memories/d/a.md","new_path":"/memories/b.md"}`,
		"Successfully renamed /memories/d/a.md to /memories/b.md")
	if o := do(t, "replay", renamed); !strings.Contains(o.out, "/memories/d/a.md -> /memories/b.md") {
		t.Errorf("a rename is printed as %s", o.out)
	}
	do(t, "replay", file, "--at", "0").sentence(t, session.ExitWrongUse, "the first is 1")
	do(t, "replay", file, "--at", "9").sentence(t, session.ExitWrongUse, "the last is 3")
	broken := written(t, strings.Replace(read(t, filepath.Dir(file), "t.jsonl"), "one", "on\xff", 1))
	if o := do(t, "replay", broken, "--json"); !strings.Contains(o.out, `on\ufffd`) || !utf8.ValidString(o.out) {
		t.Errorf("%q", o.out)
	}
	if o := (call{args: []string{"replay", "-"}, stdin: read(t, filepath.Dir(file), "t.jsonl")}).run(t); o.code != session.ExitDone ||
		!strings.Contains(o.out, "differs") {
		t.Errorf("exit status %d, %s", o.code, o.out)
	}
}

// One undo reverses all that a replay wrote, and none of the agent's edits.
func TestReplayInto(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"d/a.md": "by hand\n", "b.md": "stays\n"})
	file := transcriptOf(t, replayMake, replayMade, `{"command":"create","path":"/memories/c.md","file_text":"new\n"}`,
		"File created successfully at: /memories/c.md")
	state := t.TempDir()
	edits(t, map[string]string{session.EnvState: state}, dir, `{"command":"create","path":"/memories/agent.md","file_text":"a\n"}`)
	do(t, "replay", file, "--into", dir).sentence(t, session.ExitWrongUse, "Not a terminal. Pass --yes to write")
	do(t, "replay", file, "--yes").sentence(t, session.ExitWrongUse, "needs --into")
	if o := do(t, "replay", file, "--into", dir, "--yes", "--state", state); o.code != session.ExitDone ||
		!strings.Contains(o.err, "replace /memories/d/a.md  4 bytes") {
		t.Errorf("exit status %d, %s", o.code, o.err)
	}
	for name, want := range map[string]string{"d/a.md": "one\n", "c.md": "new\n", "b.md": "stays\n"} {
		if data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(data) != want {
			t.Errorf("%s has %q, %v, want %q", name, data, err, want)
		}
	}
	if o := do(t, "log", dir, "--json", "--state", state); strings.Count(o.out, `"actor":"replay"`) != 2 ||
		!strings.Contains(o.out, `"tool_use_id":"a"`) {
		t.Errorf("the journal has %s", o.out)
	}
	if o := do(t, "replay", file, "--into", dir, "--yes", "--state", state); !strings.Contains(o.err, "Nothing to write") {
		t.Errorf("%s", o.err)
	}
	ok(t, "undo", dir, "--state", state)
	if got := read(t, dir, "d/a.md"); got != "by hand\n" || isThere(filepath.Join(dir, "c.md")) {
		t.Errorf("after the undo d/a.md is %q", got)
	}
	do(t, "undo", dir, "--state", state).sentence(t, session.ExitFailed, "Nothing to undo") // an agent's edit is none of the user's
	ok(t, "undo", dir, "--redo", "--state", state)
	if got := read(t, dir, "d/a.md") + read(t, dir, "c.md"); got != "one\nnew\n" {
		t.Errorf("after the redo there is %q", got)
	}
}

// A folder is replayed project by project; what cannot be read in it is reported and changes nothing else.
func TestReplayOfAFolder(t *testing.T) {
	t.Parallel()
	dir, written := t.TempDir(), time.Now().Add(-time.Hour)
	write := func(name, project string, calls ...string) { // each file is a minute younger than the one before
		t.Helper()
		text := ""
		if project != "" {
			text = fmt.Sprintf(`{"type":"user","cwd":%q,"message":{"role":"user","content":"go on"}}`+"\n", project)
		}
		if len(calls) > 0 {
			text += read(t, filepath.Dir(transcriptOf(t, calls...)), "t.jsonl")
		}
		file := filepath.Join(dir, name)
		written = written.Add(time.Minute)
		must(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600), os.Chtimes(file, written, written)))
	}
	const view = "Here's the content of /memories/d/a.md with line numbers:\n     1\tone\n     2\t"
	write("a/1.jsonl", "/src/a", replayMake, replayMade)
	write("a/long.jsonl", "/src/a", strings.Repeat(" ", 4<<10)+replayView, view)
	write("b/2.jsonl", "/src/b", replayView, view)
	write("b/empty.jsonl", "")
	o := do(t, "replay", dir, "--json")
	if o.code != session.ExitDone || strings.Count(o.out, `"verdict":"identical"`) != 3 || strings.Count(o.out, `1.jsonl"}`) != 1 ||
		!strings.Contains(o.err, "Can't read "+filepath.Join(dir, "b", "empty.jsonl")) {
		t.Errorf("exit status %d\n%s\n%s", o.code, o.out, o.err)
	}
	if strings.Index(o.out, `/b/2.jsonl"}`) > strings.Index(o.out, `/a/1.jsonl"}`) {
		t.Errorf("the older memory comes first:\n%s", o.out)
	}
	if o := do(t, "replay", dir, "--check"); o.code != session.ExitDone || !strings.Contains(o.out, "1.jsonl") {
		t.Errorf("--check: %+v", o)
	}
	do(t, "replay", dir, "--at", "1").sentence(t, session.ExitWrongUse, "one memory, not of")
	none := t.TempDir()
	do(t, "replay", none).sentence(t, session.ExitFailed, "No transcripts in "+none)
	talk := filepath.Join(none, "talk.jsonl")
	writeText(t, talk, `{"type":"user","message":{"role":"user","content":"go on"}}`+"\n")
	do(t, "replay", none).sentence(t, session.ExitDone, "No memory calls in talk.jsonl, 1 message")
	do(t, "replay", none, "--check").sentence(t, session.ExitFailed, "No memory calls in talk.jsonl, 1 message")
}
