package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// execLines runs exec on a store with lines and returns the lines of the answer.
func execLines(t *testing.T, dir, stdin string, flags ...string) []string {
	t.Helper()
	o := call{args: append([]string{"exec", dir}, flags...), stdin: stdin}.run(t)
	if o.code != 0 || o.err != "" {
		t.Fatalf("status %d, %q", o.code, o.err)
	}
	if o.out == "" {
		return nil
	}
	if !strings.HasSuffix(o.out, "\n") {
		t.Fatalf("the last line is not ended: %q", o.out)
	}
	return strings.Split(strings.TrimSuffix(o.out, "\n"), "\n")
}

func TestExecAnswersLineByLine(t *testing.T) {
	t.Parallel()
	missing := `{"content":"The path /memories/none does not exist. Please provide a valid path.","is_error":true}`
	block := func(id, content string, bad bool) string {
		return fmt.Sprintf(`{"type":"tool_result","tool_use_id":"%s","content":"%s","is_error":%v}`, id, content, bad)
	}
	cases := []struct{ name, in, want string }{
		{"bare", `{"command":"view","path":"/memories/a.md"}`,
			`{"content":"Here's the content of /memories/a.md with line numbers:\n     1\t<b> & é\n     2\t","is_error":false}`},
		{"error", `{"command":"view","path":"/memories/none"}`, missing},
		{"spaces around, CRLF", "  {\"command\":\"view\",\"path\":\"/memories/none\"} \r", missing},
		{"no JSON", `view /memories`, `{"content":"Error: The input is not a JSON object","is_error":true}`},
		{"no UTF-8", "{\"command\":\"\xff\"}", `{"content":"Error: The input is not valid UTF-8","is_error":true}`},
		{"array", `["tool_use"]`, `{"content":"Error: The input is not a JSON object","is_error":true}`},
		{"empty object", `{}`, "{\"content\":\"Error: The field `command` is required\",\"is_error\":true}"},
		{"block", `{"type":"tool_use","id":"toolu_1","name":"memory","input":{"command":"delete","path":"/memories/none"}}`,
			block("toolu_1", "Error: The path /memories/none does not exist", true)},
		{"block, other order", `{"input":{"path":"/memories/none","command":"delete"},"name":"memory","caller":{},"id":"x","type":"tool_use"}`,
			block("x", "Error: The path /memories/none does not exist", true)},
		{"block in escapes", `{"type":"tool\u005fuse","id":"x","name":"mem\u006fry","input":{"command":"delete","path":"/memories/none"}}`,
			block("x", "Error: The path /memories/none does not exist", true)},
		{"other tool", `{"type":"tool_use","id":"x","name":"bash","input":{}}`,
			block("x", "Error: There is no tool bash here, only memory", true)},
		{"no input", `{"type":"tool_use","id":"x","name":"memory"}`, block("x", "Error: The input is not a JSON object", true)},
		{"no id", `{"type":"tool_use","name":"memory","input":{"command":"view","path":"/memories"}}`,
			block("", "Error: The field `id` of the tool_use block is required and must be a string", true)},
		{"names are exact", `{"command":"view","path":"/memories/none","Type":"tool_use"}`,
			`{"content":"The path /memories/none does not exist. Please provide a valid path.","is_error":true}`},
		{"a text that names the type", `{"command":"view","path":"/memories/tool_use"}`,
			`{"content":"The path /memories/tool_use does not exist. Please provide a valid path.","is_error":true}`},
	}
	var in strings.Builder
	for _, c := range cases {
		in.WriteString("\n \t\r\n" + c.in + "\n")
	}
	got := execLines(t, newStore(t, map[string]string{"a.md": "<b> & é\n"}), in.String())
	if len(got) != len(cases) {
		t.Fatalf("%d answers to %d lines", len(got), len(cases))
	}
	for i, c := range cases {
		if got[i] != c.want {
			t.Errorf("%s: got  %q\nwant %q", c.name, got[i], c.want)
		}
	}
}

func TestExecCreate(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := filepath.Join(base, "a", "b", "memories")
	do(t, "exec", dir).sentence(t, session.ExitFailed, "No directory")
	if got := execLines(t, dir, "", "--create"); got != nil {
		t.Errorf("answers without input: %q", got)
	}
	for p := dir; p != base; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		must(t, err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v", p, info.Mode())
		}
	}
	if got := execLines(t, dir, `{"command":"create","path":"/memories/x","file_text":"x"}`, "--create"); len(got) != 1 {
		t.Errorf("on a directory that is there: %q", got)
	}
	do(t, "exec", "--create", filepath.Join(dir, "x")).sentence(t, session.ExitFailed, "is a file, not a directory")
	do(t, "exec", "--create", filepath.Join(dir, "x", "y")).sentence(t, session.ExitFailed, "not a directory")
}

func TestExecTakesLinesOfAnyLength(t *testing.T) {
	t.Parallel()
	dir := newStore(t, nil)
	const size = 4 << 20
	line := strings.Repeat(strings.Repeat("0123456789abcdef", 8)+"\\n", size/128)
	got := execLines(t, dir, `{"command":"create","path":"/memories/big","file_text":"`+line+`"}`+"\n"+
		strings.Repeat("x", size)+"\n"+`{"command":"view","path":"/memories/big","view_range":[1,1]}`)
	if len(got) != 3 || !strings.Contains(got[0], "created successfully") || !strings.Contains(got[1], "not a JSON object") ||
		!strings.Contains(got[2], "     1\\t0123456789abcdef") {
		t.Errorf("%d answers", len(got))
	}
	got = execLines(t, dir, `{"command":"view","path":"/memories/big"}`)
	var answer struct{ Content string }
	if len(got) != 1 || json.Unmarshal([]byte(got[0]), &answer) != nil || answer.Content != viewOf(t, dir, "/memories/big", nil) {
		t.Error("the whole file comes back otherwise than from view")
	}
}
