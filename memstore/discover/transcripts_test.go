package discover_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/discover"
)

// written makes files below a home folder, the time of each one more minute ago, and returns the home.
func written(t *testing.T, files ...string) string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range files {
		texts["home/"+name] = ""
	}
	root := disk(t, texts)
	for i, name := range files {
		at := now.Add(-time.Duration(i) * time.Minute)
		if err := os.Chtimes(filepath.Join(root, "home", name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(root, "home")
}

var now = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func TestTranscriptsOfEveryAgent(t *testing.T) {
	t.Parallel()
	settings := ".config/"
	if runtime.GOOS == "darwin" {
		settings = "Library/Application Support/"
	}
	home := written(t,
		".claude/projects/-src-web/a.jsonl", ".claude/projects/-src-web/a/subagents/agent-1.jsonl",
		".claude/projects/-src-web/memory/MEMORY.md", ".claude/projects/-src-web/notes.txt",
		".claude/projects/-src-app/b.jsonl", ".claude/projects/-src-app/agent-2.jsonl",
		".codex/sessions/2026/10/31/rollout-1.jsonl", ".codex/sessions/2026/10/31/other.jsonl",
		".gemini/tmp/4f2c/chats/session-1.json", ".gemini/tmp/4f2c/logs.json",
		settings+"Code/User/workspaceStorage/77/chatSessions/c.json", settings+"Code/User/globalStorage/emptyWindowChatSessions/d.jsonl",
		settings+"VSCodium/User/workspaceStorage/78/chatSessions/e.jsonl")
	list := discover.Local(home, nil).AllTranscripts(t.Context(), "")
	var got []string
	for _, one := range list {
		got = append(got, fmt.Sprint(one.Agent, " ", one.Project, " ", filepath.Base(one.File), " ", one.Side))
	}
	want := []string{"Claude Code web a.jsonl false", "Claude Code web agent-1.jsonl true", "Claude Code app b.jsonl false",
		"Claude Code app agent-2.jsonl true",
		"Codex  rollout-1.jsonl false", "Gemini CLI  session-1.json false", "VS Code  c.json false", "VS Code  d.jsonl false",
		"VS Code  e.jsonl false"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The transcripts of the store come first, whatever their age, and are told apart by where they are.
func TestTranscriptsOfAStoreComeFirst(t *testing.T) {
	t.Parallel()
	home := written(t, ".claude/projects/-src-web/a.jsonl", ".codex/sessions/2026/10/31/rollout-1.jsonl",
		".claude/projects/-src-app/b.jsonl", ".claude/projects/-src-app/b/subagents/agent-2.jsonl", ".claude/projects/-src-app/memory/MEMORY.md")
	m := discover.Local(home, nil)
	list := m.AllTranscripts(t.Context(), home+"/.claude/projects/-src-app/memory")
	var got []string
	for _, one := range list {
		got = append(got, fmt.Sprint(filepath.Base(one.File), " ", one.Own))
	}
	want := []string{"b.jsonl true", "agent-2.jsonl true", "a.jsonl false", "rollout-1.jsonl false"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if list := m.AllTranscripts(t.Context(), home+"/other"); slices.ContainsFunc(list, func(t discover.Transcript) bool { return t.Own }) {
		t.Errorf("a store elsewhere has transcripts: %+v", list)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if list := m.AllTranscripts(ended, ""); len(list) != 0 {
		t.Errorf("found %d after the end", len(list))
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 100_000)
	for name, c := range map[string]struct{ content, project, title string }{
		"claude code": {`{"type":"user","isMeta":true,"cwd":"/src/web","message":{"role":"user","content":"Caveat: local commands"}}
{"type":"user","cwd":"/src/web","message":{"role":"user","content":"<command-name>/clear</command-name>"}}
{"type":"user","cwd":"/src/web","message":{"role":"user","content":"Add the waitlist\nwith tests"}}`, "/src/web", "Add the waitlist"},
		"claude code, parts": {`{"type":"user","cwd":"/w","message":{"role":"user","content":[{"type":"text","text":"Fix it"}]}}`, "/w",
			"Fix it"},
		"claude code, summary": {`{"type":"summary","summary":"Waitlist","leafUuid":"1"}` + "\n" +
			`{"type":"user","cwd":"/w","message":{"content":"x"}}`, "/w", "Waitlist"},
		"codex": {`{"type":"session_meta","payload":{"id":"1","cwd":"/src/api"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"Why is staging slow?"}}`, "/src/api", "Why is staging slow?"},
		"gemini": {`{"sessionId":"1","messages":[{"id":"1","type":"user","content":"Plan the trip"},{"type":"gemini","content":"no"}]}`, "", "Plan the trip"},
		"vscode": {`{"version":3,"requests":[{"requestId":"1","message":{"text":"Remember the ids","parts":[]}}]}`, "",
			"Remember the ids"},
		"vscode operations": {`{"kind":0,"v":{"version":3,"requests":[]}}` + "\n" +
			`{"kind":2,"k":["requests"],"v":[{"message":{"text":"Remember this"}}]}`, "", "Remember this"},
		"messages": {`{"model":"m","messages":[{"role":"user","content":"Hello"}]}`, "", "Hello"},
		"cut off":  {`{"type":"user","cwd":"/w","message":{"content":"A title"},"more":"` + long, "/w", "A title"},
		"not JSON": {"plain words", "", ""},
		"empty":    {"", "", ""},
	} {
		root := disk(t, map[string]string{"t": c.content})
		h, err := discover.Local(root, nil).Head(t.Context(), root+"/t")
		if err != nil || h.Project != c.project || h.Title != c.title {
			t.Errorf("%s: %+v, %v; want %q in %q", name, h, err, c.title, c.project)
		}
	}
	root := disk(t, map[string]string{
		"s/77/chatSessions/c.json": `{"requests":[]}`, "s/77/workspace.json": `{"folder":"file:///home/ann/src/tide%20tables"}`,
	})
	m := discover.Local(root, nil)
	if h, err := m.Head(t.Context(), root+"/s/77/chatSessions/c.json"); err != nil || h.Project != "/home/ann/src/tide tables" {
		t.Errorf("a workspace: %+v, %v", h, err)
	}
	if _, err := m.Head(t.Context(), root+"/none"); err == nil {
		t.Error("a file that is not there has a head")
	}
}

// The store of a transcript is the memory folder of its project.
func TestStoreOf(t *testing.T) {
	t.Parallel()
	root := disk(t, map[string]string{
		"home/.claude/projects/-src-ferry/memory/MEMORY.md": "", "home/.claude/projects/-src-ferry/a.jsonl": "",
		"home/.claude/projects/-src-ferry/a/subagents/b.jsonl": "", "home/.claude/projects/-src-tide/c.jsonl": "", "home/e.jsonl": "",
	})
	m := discover.Local(root+"/home", nil)
	for file, want := range map[string]string{
		"/home/.claude/projects/-src-ferry/a.jsonl":             "/home/.claude/projects/-src-ferry/memory",
		"/home/.claude/projects/-src-ferry/a/subagents/b.jsonl": "/home/.claude/projects/-src-ferry/memory",
		"/home/.claude/projects/-src-tide/c.jsonl":              "",
		"/home/e.jsonl": "",
	} {
		if want != "" {
			want = root + want
		}
		if got := m.StoreOf(root + file); got != want {
			t.Errorf("the store of %s is %q, want %q", file, got, want)
		}
	}
}
