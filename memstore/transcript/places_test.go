package transcript_test

import (
	"fmt"
	"slices"
	"testing"

	"memcurator/memstore/transcript"
)

// stepsOf are the paths, verdicts and details of all steps from what the transcript shows of the memory before it.
func stepsOf(t *testing.T, calls []*transcript.Call) (track *transcript.Track, list []string) {
	t.Helper()
	track = trackOf(t, calls)
	for _, s := range track.Steps {
		list = append(list, fmt.Sprintf("%s %s %s", s.Path, s.Verdict, s.Detail))
	}
	return track, list
}

// The instruction files that a session edits are a memory of their own, found by the folder in which it works; a folder that the
// user opened has none.
func TestInstructionFiles(t *testing.T) {
	s := session{cwd: "/src/app"}
	call := func(tool, input, result string) { s.call(tool, input, result, "", false) }
	call("Read", `{"file_path":"/src/app/CLAUDE.md"}`, "     1\u2192# App\n     2\u2192Use make.\n")
	call("Edit", `{"file_path":"/src/app/CLAUDE.md","old_string":"Use make.","new_string":"Use just."}`, "The file has been updated")
	call("Write", `{"file_path":"/src/app/web/AGENTS.md","content":"web\n"}`, "ok")
	call("Write", `{"file_path":"/home/u/.claude/CLAUDE.md","content":"me\n"}`, "ok")
	call("Bash", `{"command":"cat >> CLAUDE.md <<'E'\nTest first.\nE"}`, "")
	call("Bash", `{"command":"cat CLAUDE.md"}`, "# App\nUse just.\nTest first.")
	call("Bash", `{"command":"python fix.py > CLAUDE.md"}`, "")
	call("Bash", `{"command":"grep -n x README.md CLAUDE.md"}`, "CLAUDE.md:1")
	call("Write", `{"file_path":"/src/app/README.md","content":"see CLAUDE.md\n"}`, "ok")
	want := []string{
		"/memories/CLAUDE.md identical ", "/memories/CLAUDE.md identical ", "/memories/web/AGENTS.md identical ",
		"/memories/home/u/.claude/CLAUDE.md identical ", "/memories/CLAUDE.md identical ", "/memories/CLAUDE.md identical ",
		" not replayable a shell command; the next read shows its effect",
	}
	track, got := stepsOf(t, read(t, nil, s.String()).Calls())
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if data := filesAfter(track, len(track.Steps))["/memories/CLAUDE.md"]; data != "# App\nUse just.\nTest first.\n" {
		t.Errorf("CLAUDE.md is %q", data)
	}
	if calls := read(t, []string{"/srv/notes"}, s.String()).Calls(); len(calls) != 0 {
		t.Errorf("%d calls on a folder that no call names", len(calls))
	}
	if calls := read(t, []string{"/src/app"}, s.String()).Calls(); len(calls) != 6 {
		t.Errorf("%d calls on the project's folder", len(calls))
	}
}

// Two memories in one transcript stay apart by their real folders, also if a store of the memory tool turns up last.
func TestMemoriesStayApart(t *testing.T) {
	const one, two = "/home/u/.claude/projects/-src-one/memory/", "/home/u/.claude/projects/-src-two/memory/"
	var s session
	s.call("Write", `{"file_path":"`+one+`a.md","content":"1\n"}`, "ok", "", false)
	s.call("Write", `{"file_path":"`+two+`a.md","content":"2\n"}`, "ok", "", false)
	s.call("Bash", `{"command":"cat ~/.claude/projects/-src-one/memory/a.md"}`, "1", "", false)
	s.call("Bash", `{"command":"cat > `+two+`b.md <<'E'\n3\nE"}`, "", "", false)
	track, _ := stepsOf(t, read(t, nil, s.String()).Calls())
	const mounted = "/memories/home/u/.claude/projects/-src-"
	want := map[string]string{"/memories/a.md": "1\n", mounted + "two/memory/a.md": "2\n", mounted + "two/memory/b.md": "3\n"}
	if got := filesAfter(track, 4); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
	if st := track.Steps[2]; st.Path != "/memories/a.md" || st.Verdict != transcript.Identical {
		t.Errorf("the command shows %s, %s (%s)", st.Path, st.Verdict, st.Detail)
	}
	s.call("memory", `{"command":"create","path":"/memories/a.md","file_text":"own"}`, "File created successfully at: /memories/a.md", "", false)
	after, _ := stepsOf(t, read(t, nil, s.String()).Calls())
	want[mounted+"one/memory/a.md"], want["/memories/a.md"] = "1\n", "own"
	if got := filesAfter(after, 5); len(got) != 4 || got["/memories/a.md"] != "own" || got[mounted+"two/memory/b.md"] != "3\n" {
		t.Errorf("%q", got)
	}
}

// Of shell commands, a here-document into a file is carried out, once it is known what is in the file that it adds to, and one that shows a
// file is a read of it. Others are named as the reason of what differs later.
func TestShellCommands(t *testing.T) {
	const show = "cat " + memoryDir + "a.md"
	var s session
	run := func(command, result string) { s.call("Bash", `{"command":`+encoded(command)+`}`, result, "", false) }
	run("cat >> "+memoryDir+"a.md <<'EOF'\ntwo\nEOF", "")
	run(show, "one\ntwo")
	run("cat > "+memoryDir+"b.md <<'EOF'\nb\nEOF", "")
	run("sed -i 's/two/2/' "+memoryDir+"a.md", "")
	run(show, "one\n2")
	run(show, "one\n3")
	run(show, "one\n3")
	track, got := stepsOf(t, read(t, nil, s.String()).Calls())
	want := []string{
		"/memories/a.md not replayable content unknown: no call has shown the file yet",
		"/memories/a.md identical ",
		"/memories/b.md identical ",
		" not replayable a shell command; the next read shows its effect",
		"/memories/a.md differs the file differs from line 2 on; the shell command of call 4 changed it",
		"/memories/a.md differs the file differs from line 2 on; since call 5",
		"/memories/a.md identical ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if files := filesAfter(track, 3); files["/memories/a.md"] != "one\ntwo\n" || files["/memories/b.md"] != "b\n" {
		t.Errorf("the memory is %q", files)
	}
}

// A command names its files from the folder in which it runs, which its call may name.
func TestFolderOfCommand(t *testing.T) {
	for tool, input := range map[string]string{
		"exec_command":      `{"cmd":"cat MEMORY.md","workdir":"/h/.codex/memories"}`,
		"shell":             `{"command":["bash","-lc","cat MEMORY.md"],"workdir":"/h/.codex/memories"}`,
		"run_shell_command": `{"command":"cat MEMORY.md","dir_path":"/h/.gemini/tmp/app/memory"}`,
		"execute_command":   `{"command":"cat MEMORY.md","cwd":"memory-bank"}`,
	} {
		text := `{"cwd":"/src/app","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"` + tool + `","input":` + input + `}]}`
		calls := read(t, nil, text).Calls()
		if _, got := stepsOf(t, calls); !slices.Equal(got, []string{"/memories/MEMORY.md no result "}) {
			t.Errorf("%s: %q", tool, got)
		}
	}
}
