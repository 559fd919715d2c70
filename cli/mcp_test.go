package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore/mcpserver"
)

// mcpHello begins a conversation of the Model Context Protocol.
const mcpHello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"lines","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// mcpCall is a line that calls the tool.
func mcpCall(id int, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"memory","arguments":%s}}`+"\n", id, arguments)
}

// mcpTexts are the texts of the results by the id of the call. Every line must be a message.
func mcpTexts(t *testing.T, out string) map[int]string {
	t.Helper()
	texts := map[int]string{}
	for line := range strings.Lines(out) {
		var m struct {
			Version string `json:"jsonrpc"`
			ID      int
			Result  struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
			t.Errorf("a line that is not a message: %.100q", line)
		}
		if len(m.Result.Content) == 1 {
			texts[m.ID] = m.Result.Content[0].Text
		}
	}
	return texts
}

func TestMCP(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "memories")
	in := mcpHello + mcpCall(1, `{"command":"create","path":"/memories/a.md","file_text":"one\n"}`) +
		mcpCall(2, `{"command":"view","path":"/memories/a.md"}`) + mcpCall(3, `{"command":"view","path":"/memories/b.md"}`)
	do(t, "mcp", dir).sentence(t, session.ExitFailed, "No directory")
	o := call{args: []string{"mcp", "--create", dir}, stdin: in}.run(t)
	texts := mcpTexts(t, o.out)
	if o.code != 0 || o.err != "" || texts[1] != "File created successfully at: /memories/a.md" ||
		texts[2] != viewOf(t, dir, "/memories/a.md", nil) ||
		texts[3] != "The path /memories/b.md does not exist. Please provide a valid path." {
		t.Errorf("%+v", o)
	}
	// Each connection is a session of its own, named after the client.
	if log := ok(t, "log", dir, "--json"); !regexp.MustCompile(`"session":"lines-[0-9]{8}-[0-9]{6}"`).MatchString(log) {
		t.Errorf("%s", log)
	}
	o = call{args: []string{"mcp", "--dir", dir, "--session", "s", "--no-journal"},
		stdin: mcpHello + mcpCall(3, `{}`)}.run(t)
	if o.code != 0 || o.err != "" || mcpTexts(t, o.out)[3] != "Error: The field `command` is required" {
		t.Errorf("%+v", o)
	}
	o = call{args: []string{"mcp", dir}, tty: true}.run(t)
	if o.code != 0 || o.out != "" || !strings.Contains(o.err, "MCP client") {
		t.Errorf("at a terminal: %+v", o)
	}
}

func TestPrompt(t *testing.T) {
	t.Parallel()
	if o := do(t, "prompt"); o != (outcome{0, mcpserver.Protocol + "\n", ""}) {
		t.Errorf("%+v", o)
	}
}

func TestInit(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := filepath.Join(base, "agent", "memories")
	if o := do(t, "init", dir); o.code != 0 || o.out != "File created successfully at: /memories/progress.md\n" ||
		!strings.Contains(o.err, "Next: ") {
		t.Errorf("%+v", o)
	}
	if info, err := os.Stat(filepath.Join(base, "agent")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the parent: %v, %v", info, err)
	}
	progress := filepath.Join(dir, "progress.md")
	writeText(t, progress, "mine\n")
	if o := do(t, "init", "--dir", dir); o != (outcome{0, "", "memcurator: /memories/progress.md exists, kept\n"}) {
		t.Errorf("a second time: %+v", o)
	}
	if data, err := os.ReadFile(progress); err != nil || string(data) != "mine\n" {
		t.Errorf("a file was replaced: %q, %v", data, err)
	}
	do(t, "init", progress).sentence(t, session.ExitFailed, "progress.md")
}
