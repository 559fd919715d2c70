package cli

import (
	"strings"
	"testing"
)

const tightRules = "[limits]\nread_chars = 200\n[[rule]]\nmatch = \"**\"\nmax_file_bytes = 10\n[[rule]]\nmatch = " +
	"\"rules.md\"\nlock = true\n"

func TestExecAndMCPAreGuarded(t *testing.T) {
	t.Parallel()
	dir, config := newStore(t, map[string]string{"rules.md": "r\n", "long.md": strings.Repeat("a line of text\n", 50)}),
		writeConfig(t, tightRules)
	const stdin = `{"command":"create","path":"/memories/a.md","file_text":"more than ten bytes"}
{"command":"delete","path":"/memories/rules.md"}
{"command":"view","path":"/memories/long.md"}
`
	got := execLines(t, dir, stdin, "--config", config)
	for i, want := range []string{
		`{"content":"Error: /memories/a.md would have 19 bytes, limit 10 bytes per file. Shorten the text, or split ` +
			`it into several files","is_error":true}`,
		`{"content":"Error: /memories/rules.md is locked by the user and cannot be changed, moved or deleted. Leave it as it is and write ` +
			`to another path","is_error":true}`,
		`To read on, use view_range [7, 51].]","is_error":false}`,
	} {
		if !strings.HasSuffix(got[i], want) {
			t.Errorf("line %d is %s", i, got[i])
		}
	}
	o := call{args: []string{"mcp", dir, "--config", config}, stdin: mcpHello +
		mcpCall(3, `{"command":"delete","path":"/memories/rules.md"}`)}.run(t)
	if !strings.Contains(o.out, "/memories/rules.md is locked by the user") || !strings.Contains(o.out, `"isError":true`) {
		t.Errorf("%+v", o)
	}
	if o := do(t, "cat", dir, "/memories/long.md", "--config", config); o.code != 0 ||
		!strings.HasSuffix(o.out, "To read on, use view_range [7, 51].]") {
		t.Errorf("%+v", o)
	}
}
