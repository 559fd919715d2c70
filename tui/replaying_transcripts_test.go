package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
)

// Changes that another program made on the disk get the call of the transcript that made the same bytes,
// and the Changes screen jumps to it.
func TestReplayIsLinkedWithTheJournal(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	d.write("prefs.md", "# Preferences\n- tabs, never spaces\n- answers in German\n")
	d.until("the change is recorded", func() bool { return len(d.m.feed.Unread()) == 1 })
	lines := strings.ReplaceAll(told(t, story[:5], 0), "2026-11-21T09:", "2026-11-21T12:")
	home := t.TempDir()
	project := filepath.Join(home, ".claude", "projects", "-p")
	if err := os.MkdirAll(filepath.Join(project, "memory"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(project, "s1.jsonl"), lines)
	d.m.replay.Places = &TranscriptPlaces{Machine: discover.Local(home, nil), Store: filepath.Join(project, "memory")}
	d.press("2", "T")
	d.sees(" 2/5 ━")
	d.until("the journal has learned", func() bool {
		rows, err := past.Revisions(t.Context(), d.m.options.Journal, past.Filter{Path: "/memories/prefs.md"})
		return err == nil && len(rows) == 1 && rows[0].ToolUseID == "c1" && rows[0].Session == "s1" && rows[0].Model == "m-1"
	})
	d.press("2")
	d.sees("turn 5, s1")
	d.sees("turn 5  session s1  m-1  prefs.md")
	other := filepath.Join(home, "other.jsonl")
	writeText(t, other, strings.ReplaceAll(told(t, story[:1], 0), "s1", "s2"))
	d.command("replay " + filepath.ToSlash(other))
	d.sees(" 1/1 ━")
	d.press("2", "T") // the transcript of its session, not the one that is open
	d.sees(" 2/5 ━")
	uses := 0
	if err := d.m.options.Journal.Facts(t.Context(), func(f past.Fact) bool {
		uses += f.Uses
		return true
	}); err != nil || uses != 1 {
		t.Errorf("%d uses, %v", uses, err)
	}
}

// Without a transcript the screen lists those of this machine; the list stays a step out of the calls of one.
func TestReplayListsTranscripts(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write := func(name, content string, minutes int) {
		t.Helper()
		file := filepath.Join(home, ".claude", "projects", name)
		memtest.WriteFiles(t, filepath.Dir(file), map[string]string{filepath.Base(file): content})
		at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(-time.Duration(minutes) * time.Minute)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	prompt := func(folder, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":"p","sessionId":"s1","cwd":%q,"message":{"role":"user","content":%q}}`+"\n", folder, text)
	}
	write("-src-ferry/memory/MEMORY.md", "# Index\n", 0)
	write("-src-ferry/old.jsonl", prompt("/src/ferry", "Add the waitlist")+told(t, story, 0), 3000)
	write("-src-tide/new.jsonl", prompt("/src/tide", "Fix the flaky test"), 30)
	write("-src-tide/new/subagents/agent-1.jsonl", prompt("/src/tide", "Look around"), 40)
	write("-src-tide/day.jsonl", prompt("/src/tide", "Why is 東京 slow?")+told(t, story[:3], 0), 1200)
	store := filepath.Join(home, ".claude", "projects", "-src-ferry", "memory")
	d := start(t, setup{dir: store, w: 120, h: 35, theme: dark,
		transcripts: &TranscriptPlaces{Machine: discover.Local(home, nil), Store: store}})
	d.press("4")
	d.sees("Why is")
	rows := strings.Split(d.screen(), "\n")
	for i, want := range []string{"▾ /src/ferry  1 transcript", "Add the waitlist", "▾ /src/tide  2 transcripts",
		"Fix the flaky test", "Why is 東京 slow?"} {
		if !strings.Contains(rows[4+i], want) {
			t.Errorf("row %d is %q, want %q", i, rows[4+i], want)
		}
	}
	d.sees("in /src/ferry") // of the transcript under the cursor
	d.lacks("Look around")
	d.goldens("transcripts")
	d.resize(120, 35)
	d.press("?")
	d.sees("Keys: Add the waitlist")
	d.press("esc", "H")
	d.sees("Look around")
	d.press("H", "f")
	d.types("flaky")
	d.lacks("Add the waitlist")
	d.press("enter", "enter")
	d.sees("No memory calls in new.jsonl, 1 message")
	d.press("esc", "esc")
	d.sees("Add the waitlist")
	write("-src-tide/later.jsonl", prompt("/src/tide", "Count the boats")+told(t, story[:2], 0), 1)
	d.press("1", "4")
	d.sees("Count the boats") // a session that began since the list was shown
	d.press("g", "left")
	d.sees("▸ /src/ferry  1 transcript")
	d.lacks("Add the waitlist")
	d.press("enter")
	d.sees("8 calls, 2 differ")
	d.press("esc")
	d.sees("3 transcripts")
	d.command("replay " + filepath.Join(home, ".claude", "projects", "-src-tide"))
	d.sees("3 calls") // of one project: all of it
	d.press("esc")
	d.sees("Fix the flaky test")
	d.lacks("Add the waitlist")
	d.press("esc")
	d.sees("▸ /src/ferry  1 transcript")
}

// A project is one memory: what was edited by hand between two of its transcripts is a difference with its place.
func TestReplayOfAProject(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, ".claude", "projects", "-src-ferry")
	memory := filepath.Join(project, "memory")
	if err := os.MkdirAll(memory, 0o700); err != nil {
		t.Fatal(err)
	}
	note := filepath.ToSlash(filepath.Join(memory, "a.md"))
	session := func(name, tool, input, result string) {
		t.Helper()
		text := fmt.Sprintf(`{"type":"user","uuid":"p%[1]s","cwd":"/src/ferry","sessionId":%[1]q,"timestamp":"2026-11-2%[1]sT09:00:00Z","message":`+
			`{"role":"user","content":"go on"}}
{"type":"assistant","uuid":"a%[1]s","sessionId":%[1]q,"timestamp":"2026-11-2%[1]sT09:01:00Z","message":{"role":"assistant","content":[`+
			`{"type":"tool_use","id":"c%[1]s","name":%[2]q,"input":{"file_path":%[3]q%[4]s}}]}}
{"type":"user","uuid":"u%[1]s","sessionId":%[1]q,"timestamp":"2026-11-2%[1]sT09:02:00Z","message":{"role":"user","content":[`+
			`{"type":"tool_result","tool_use_id":"c%[1]s","content":"ok"}]},"toolUseResult":%[5]s}
`, name, tool, note, input, result)
		writeText(t, filepath.Join(project, name+".jsonl"), text)
	}
	session("1", "Write", `,"content":"one\ntwo\n"`, `{"type":"create","originalFile":null}`)
	session("2", "Read", "", `{"type":"text","file":{"content":"one\nby hand\n","numLines":2,"startLine":1,"totalLines":2}}`)
	d := start(t, setup{dir: memory, w: 120, h: 35, theme: dark, journal: t.TempDir(),
		transcripts: &TranscriptPlaces{Machine: discover.Local(home, nil), Store: memory}})
	d.press("4")
	d.sees("▾ /src/ferry  2 transcripts")
	d.press(".")
	d.sees("Nothing to review in this list")
	d.press("g", "enter")
	d.press(".")
	d.sees("differs: the file differs from line 2 on; another program changed it between two transcripts, after call 1")
	d.sees("- by hand")
	d.sees("+ two")
}
