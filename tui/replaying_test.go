package tui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/render/theme"
)

// spoken is a line of a session that is made up for the Replay screen.
type spoken struct {
	say, input, result string // result "-": none was recorded
	failed, side       bool
}

// story has a call with every verdict.
var story = []spoken{
	{say: "Let me look at what I know.", input: `{"command":"view","path":"/memories"}`, result: "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n4.0K\t/memories"},
	{say: "The user likes tabs; I note that down.", input: `{"command":"create","path":"/memories/prefs.md","file_text":"# Preferences\n- tabs, never spaces\n- answers in German\n"}`, result: "File created successfully at: /memories/prefs.md"},
	{say: "They changed their mind about the language.", input: `{"command":"str_replace","path":"/memories/prefs.md","old_str":"German","new_str":"English"}`, result: "The memory file has been edited.\nHere is the snippet showing the change (with line numbers):\n     1\t# Preferences\n     2\t- tabs, never spaces\n     3\t- answers in English\n     4\t"},
	{say: "A note on the build.", input: `{"command":"create","path":"/memories/projects/build.md","file_text":"run make\n"}`, result: "[Old tool result content cleared]", side: true},
	{say: "Look again.", input: `{"command":"view","path":"/memories/prefs.md"}`, result: "Here's the content of /memories/prefs.md with line numbers:\n     1\t# Preferences\n     2\t- tabs, never spaces \u001b[31m\n     3\t- answers in French\n     4\t"},
	{say: "", input: `{"command":"rename","old_path":"/memories/projects/build.md","new_path":"/memories/projects/make.md"}`, result: "-"},
	{say: "", input: `{"command":"view","path":"/memories/gone.md"}`, result: "Here's the content of /memories/gone.md with line numbers:\n     1\thello"},
	{say: "", input: `{"command":"delete","path":"/memories/prefs.md"}`, result: "ok, done"},
}

// told writes the story as a session file.
func told(t testing.TB, lines []spoken, from int) string {
	t.Helper()
	var b strings.Builder
	quote := func(s string) string {
		out, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for i, s := range lines {
		n := from + i
		stamp := fmt.Sprintf(`"sessionId":"s1","timestamp":"2026-11-21T09:%02d:00.000Z","isSidechain":%v`, n, s.side)
		if s.say != "" {
			fmt.Fprintf(&b, `{"type":"assistant","uuid":"t%d",%s,"message":{"model":"m-1","role":"assistant","content":[{"type":"text","text":%s}]}}`+"\n", n, stamp, quote(s.say))
		}
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%d",%s,"message":{"model":"m-1","role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"memory","input":%s}]}}`+"\n", n, stamp, n, s.input)
		if s.result != "-" {
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%d",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":%s,"is_error":%v}]}}`+"\n", n, stamp, n, quote(s.result), s.failed)
		}
		if i == 3 {
			fmt.Fprintf(&b, `{"type":"system","subtype":"compact_boundary","uuid":"b%d",%s}`+"\n", n, stamp)
		}
	}
	return b.String()
}

// storyFile is the story as a file, so that the screens can name it; -update writes it.
var storyFile = filepath.Join("testdata", "replay", "session.jsonl")

// replayDriver opens the story beside a store.
func replayDriver(t *testing.T, o theme.Options, w, h int) *driver {
	t.Helper()
	text := told(t, story, 0)
	if *update {
		if err := os.MkdirAll(filepath.Dir(storyFile), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(storyFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(storyFile); err != nil || string(data) != text {
		t.Fatalf("%s is not the story, %v; -update writes it", storyFile, err)
	}
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: w, h: h, theme: o, journal: t.TempDir()})
	d.command("replay " + filepath.ToSlash(storyFile))
	d.sees("8 calls, 2 differ")
	d.m.say.forget()
	return d
}

func TestReplayScreens(t *testing.T) {
	t.Parallel()
	d := replayDriver(t, dark, 120, 35)
	d.press("j", "j")
	d.goldens("replay")
	d.resize(110, 32)
	d.press(".") // the next that diverges
	d.sees("≠ differs")
	d.golden("replay-result-110x32")
	d.press("enter")
	d.resize(40, 12)
	d.golden("replay-result-40x12")
	d.resize(110, 32)
	d.press("]")
	d.golden("replay-memory-110x32")
}

func TestReplaySteps(t *testing.T) {
	t.Parallel()
	d := replayDriver(t, dark, 120, 35)
	d.press(">")
	d.sees(" 2/8 ━")
	d.press(">", ">")
	d.sees(" 4/8 ━")
	d.press("<", ".")
	d.sees(" 5/8 ━")
	d.sees("first difference at byte 108") // of the result
	d.press(".")
	d.sees(" 7/8 ━")
	d.press(",")
	d.sees("first difference at byte 108")
	d.sees("^[[31m") // made visible
	d.command("call 2")
	d.sees(" 2/8 ━")
	d.press("f")
	d.types("verdict:differs")
	d.press("enter")
	d.lacks("str_replace")
	d.press("esc", "f")
	d.types("is:main")
	d.press("enter")
	d.lacks("subagent")
	d.press("esc", "/")
	d.types("german") // what was made, and what was replaced
	d.press("enter")
	d.sees(" 2/2 ━")
	d.press("esc", "f")
	d.types("is:nosuch")
	d.sees("is:main")
	d.press("esc", "@")
	d.types("3")
	d.press("enter")
	d.sees(" 3/8 ━")
	d.press(".", "enter", "1")
	d.sees("1 Browse")
	d.press("4")
	d.sees(" 5/8 ─")
}

func TestReplayPutsAFileIntoTheStore(t *testing.T) {
	t.Parallel()
	d := replayDriver(t, dark, 120, 35)
	d.command("call 2")
	d.press("R")
	d.sees("/memories/prefs.md")
	d.sees("a new file")
	d.sees("Into ~/agent/memories")
	d.press("n")
	d.absent("prefs.md")
	d.press("R", "y")
	d.holds("prefs.md", "# Preferences\n- tabs, never spaces\n- answers in German\n")
	d.press("u")
	d.absent("prefs.md")
	d.press("ctrl+r")
	d.holds("prefs.md", "# Preferences\n- tabs, never spaces\n- answers in German\n")
	d.press("u")
	d.absent("prefs.md")
	d.command("call 6")
	d.press("]", "]", "R") // in the tab with the memory: all of it
	d.sees("Restore the whole memory as of call 6?")
	d.press("y")
	d.holds("projects/make.md", "run make\n")
	d.holds("prefs.md", "# Preferences\n- tabs, never spaces \x1b[31m\n- answers in French\n")
	d.press("u")
	d.absent("prefs.md")
	d.absent("projects/make.md")
}

// f5 reads the transcript again; the cursor stays on its call. What was cut off when it was read first is said.
func TestReplayReadsAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "session.jsonl")
	text := told(t, story, 0)
	cut := strings.Index(text, `"id":"c7"`) - 5
	writeText(t, file, text[:cut])
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 160, h: 35, theme: dark})
	d.command("replay " + filepath.ToSlash(file))
	d.sees("the last line is incomplete")
	d.command("call 2")
	d.sees(" 2/7 ━")
	writeText(t, file, text) // it is whole
	d.press("f5")
	d.sees(" 2/8 ━")
	d.lacks("the last line is incomplete")
	writeText(t, file, told(t, story[:1], 0)) // it shrinks
	d.press("f5")
	d.sees(" 1/1 ━")
}

// What hostile transcripts hold is shown, never executed: the driver looks at every frame.
func TestReplayOfHostileContent(t *testing.T) {
	t.Parallel()
	bad := "\x1b]0;title\a\u202e\u0000\x7f"
	quoted, err := json.Marshal("/memories/" + bad + "/x.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := []spoken{
		{say: bad, input: `{"command":"create","path":` + string(quoted) + `,"file_text":` + string(quoted) + `}`, result: bad},
		{say: bad, input: `{"command":"create","path":"/memories/ok.md","file_text":` + string(quoted) + `}`, result: bad, failed: true},
		{say: bad, input: `{"command":"view","path":"/memories/../../etc/passwd"}`, result: bad},
	}
	file := filepath.Join(t.TempDir(), "s.jsonl")
	writeText(t, file, told(t, lines, 0))
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 120, h: 35, theme: dark})
	d.command("replay " + file)
	for range 3 {
		for range 5 {
			d.press("]", "enter", "G", "esc")
		}
		d.press("j")
	}
	for _, s := range screenSizes {
		d.resize(s.w, s.h)
	}
}
