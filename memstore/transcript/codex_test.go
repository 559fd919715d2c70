package transcript_test

import (
	"slices"
	"testing"

	"memcurator/memstore/transcript"
)

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
