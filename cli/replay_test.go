package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// transcriptOf writes a message a line: each call of a script and its result.
func transcriptOf(t *testing.T, pairs ...string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		id := string(rune('a' + i))
		result, err := json.Marshal(pairs[i+1])
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(`{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"memory","input":` + pairs[i] + "}]}\n" +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":` + string(result) + "}]}\n")
	}
	return written(t, b.String())
}

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const (
	replayMake = `{"command":"create","path":"/memories/d/a.md","file_text":"one\n"}`
	replayView = `{"command":"view","path":"/memories/d/a.md"}`
	replayMade = "File created successfully at: /memories/d/a.md"
)

func TestReplay(t *testing.T) {
	file := transcriptOf(t, replayMake, replayMade, replayView, "Here's the content of /memories/d/a.md with line numbers:\n     1\tONE\n     2\t",
		`{"command":"delete","path":"/memories/d"}`, "Successfully deleted /memories/d")
	out := filepath.Join(t.TempDir(), "new", "memory")
	o := do(t, "replay", file, "--json", "--at", "2", "--out", out, "--check")
	if o.code != exitPending || !strings.Contains(o.err, "2 calls: 1 identical, 1 drift (first: call 2, turn 3, /memories/d/a.md)") {
		t.Errorf("exit status %d, %s", o.code, o.err)
	}
	const first = `{"id":"a","session":null,"turn":1,"time":null,"model":null,"tool":"memory","input":` + replayMake + `,"result":"` + replayMade + `","is_error":false,"verdict":"identical","detail":""}` + "\n"
	if !strings.HasPrefix(o.out, first) || strings.Count(o.out, "\n") != 2 {
		t.Errorf("printed %s", o.out)
	}
	if data, err := os.ReadFile(filepath.Join(out, "d", "a.md")); err != nil || string(data) != "one\n" {
		t.Errorf("the memory at call 2 has %q, %v", data, err)
	}
	do(t, "replay", file, "--out", out).sentence(t, exitFailed, "not empty")
	if o := do(t, "replay", file); o.code != exitDone || !strings.Contains(o.out, "drift") {
		t.Errorf("exit status %d, %s", o.code, o.out)
	}
}

func TestReplayStart(t *testing.T) {
	dir := newStore(t, map[string]string{"d/a.md": "one\n"})
	file := transcriptOf(t, replayView, "Here's the content of /memories/d/a.md with line numbers:\n     1\tone\n     2\t")
	for from, want := range map[string]string{"empty": "1 error", "transcript": "1 identical", "auto": "1 identical", dir: "1 identical"} {
		if o := do(t, "replay", file, "--from", from); !strings.Contains(o.err, want) {
			t.Errorf("--from %s: %s, want %s", from, o.err, want)
		}
	}
	do(t, "replay", file, "--from", filepath.Join(dir, "none")).sentence(t, exitFailed, "There is no directory")
}

func TestReplayWithoutCalls(t *testing.T) {
	do(t, "replay").sentence(t, exitWrongUse, "needs a transcript")
	do(t, "replay", "x", "--format", "nosuch").sentence(t, exitWrongUse, "no format", "claude-code")
	do(t, "replay", "x", "--at", "0").sentence(t, exitWrongUse, "the first is 1")
	do(t, "replay", filepath.Join(t.TempDir(), "none")).sentence(t, exitFailed, "does not exist")
	do(t, "replay", written(t, "")).sentence(t, exitFailed, "it is empty")
	do(t, "replay", written(t, strings.Repeat("memory: view\n", 30))).sentence(t, exitDone, "his is a printed log: 30 mentions, no calls.")
}

// A path that would lead out of the store fails as our handlers make it fail.
func TestReplayStaysInside(t *testing.T) {
	parent := t.TempDir()
	out := filepath.Join(parent, "out")
	file := transcriptOf(t, `{"command":"create","path":"/memories/../evil.md","file_text":"x"}`, "File created successfully at: /memories/../evil.md",
		`{"command":"create","path":"/memories/ok.md","file_text":"x"}`, "File created successfully at: /memories/ok.md")
	do(t, "replay", file, "--out", out)
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the folder there are %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(out, "ok.md")); err != nil {
		t.Error(err)
	}
}
