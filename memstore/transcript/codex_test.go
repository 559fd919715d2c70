package transcript_test

import (
	"fmt"
	"slices"
	"testing"

	"memcurator/memstore/transcript"
)

// What codex exec prints of commands and files: a command in a shell of its own, one that the user declined, changes without their
// content, of which only a deletion says all.
func TestCodexExecItems(t *testing.T) {
	const dir = "/h/.codex/memories/"
	n := 0
	item := func(kind, fields string) string {
		n++
		return `{"type":"item.completed","item":{"id":"item_` + fmt.Sprint(n) + `","type":"` + kind + `",` + fields + "}}\n"
	}
	text := `{"type":"thread.started","thread_id":"s-1"}` + "\n" +
		item("command_execution", `"command":"/bin/bash -lc 'cat > `+dir+`a.md <<EOF\none\nEOF'","aggregated_output":"","exit_code":0,"status":"completed"`) +
		item("command_execution", `"command":"bash -lc \"rm `+dir+`a.md\"","aggregated_output":"","exit_code":null,"status":"declined"`) +
		item("command_execution", `"command":"/usr/bin/zsh -lc 'cat `+dir+`a.md'","aggregated_output":"one\n","exit_code":0,"status":"completed"`) +
		item("file_change", `"changes":[{"path":"`+dir+`b.md","kind":"add"}],"status":"completed"`) +
		item("file_change", `"changes":[{"path":"`+dir+`a.md","kind":"delete"}],"status":"failed"`) +
		item("file_change", `"changes":[{"path":"`+dir+`a.md","kind":"delete"}],"status":"completed"`)
	track, got := stepsOf(t, read(t, transcript.Options{}, text).Calls())
	const failed = "failed; changed nothing"
	want := []string{"/memories/a.md identical ", " not replayable a shell command; the next read shows its effect", "/memories/a.md identical ",
		"/memories/b.md not replayable the transcript does not record what was written", "/memories/a.md identical " + failed,
		"/memories/a.md identical "}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if files := filesAfter(track, 5); files["/memories/a.md"] != "one\n" || len(filesAfter(track, 6)) != 0 {
		t.Errorf("%q", files)
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
		calls := read(t, transcript.Options{}, text).Calls()
		if _, got := stepsOf(t, calls); !slices.Equal(got, []string{"/memories/MEMORY.md no result "}) {
			t.Errorf("%s: %q", tool, got)
		}
	}
}
