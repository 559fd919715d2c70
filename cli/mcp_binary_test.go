package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// mcpClient starts the program as a client of the protocol does, and connects to it.
func mcpClient(t *testing.T, o *mcp.ClientOptions, args ...string) *mcp.ClientSession {
	t.Helper()
	c := exec.Command(binary(t), append([]string{"mcp"}, args...)...)
	c.Env = cleanEnv()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The transport closes the input and waits for the program, whose status must be 0.
		if err := session.Close(); err != nil {
			t.Errorf("the end of the server: %v", err)
		}
	})
	return session
}

func callMemory(t *testing.T, c *mcp.ClientSession, input map[string]any) memstore.Result {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "memory", Arguments: input})
	if err != nil {
		t.Error(err)
		return memstore.Result{IsError: true}
	}
	return memstore.Result{Content: r.Content[0].(*mcp.TextContent).Text, IsError: r.IsError}
}

func TestMCPServerProcess(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "memories")
	c := mcpClient(t, nil, "--create", dir)
	for _, s := range []struct{ input, want string }{
		{`{"command":"create","path":"/memories/n/a.md","file_text":"one\ntwo\n"}`, "File created successfully at: /memories/n/a.md"},
		{`{"command":"str_replace","path":"/memories/n/a.md","old_str":"two","new_str":"2"}`, "The memory file has been edited."},
		{`{"command":"insert","path":"/memories/n/a.md","insert_line":0,"insert_text":"zero\n"}`, "The file /memories/n/a.md has been edited."},
		{`{"command":"rename","old_path":"/memories/n","new_path":"/memories/m"}`, "Successfully renamed /memories/n to /memories/m"},
		{`{"command":"view","path":"/memories/m/a.md"}`, "     1\tzero\n     2\tone\n     3\t2\n"},
		{`{"command":"view","path":"/memories/n"}`, "does not exist"},
		{`{"command":"delete","path":"/memories/m"}`, "Successfully deleted /memories/m"},
		{`{"command":"look"}`, "Unknown command: look"},
	} {
		var input map[string]any
		if err := json.Unmarshal([]byte(s.input), &input); err != nil {
			t.Fatal(err)
		}
		if r := callMemory(t, c, input); !strings.Contains(r.Content, s.want) {
			t.Errorf("%s: %+v", s.input, r)
		}
	}
}

// Several clients edit one file, each through a server of its own, while a fourth
// of our processes edits it too: every edit that was told to be made is there.
func TestSeveralMCPClientsLoseNothing(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"log.md": "log\n"})
	const clients, edits = 3, 40
	var wg sync.WaitGroup
	for n := range clients {
		c := mcpClient(t, nil, dir)
		wg.Go(func() {
			for i := range edits {
				input := map[string]any{"command": "insert", "path": "/memories/log.md", "insert_line": 1,
					"insert_text": fmt.Sprintf("client %d edit %d", n, i)}
				if i%2 == 1 {
					input = map[string]any{
						"command": "str_replace", "path": "/memories/log.md",
						"old_str": fmt.Sprintf("client %d edit %d\n", n, i-1), "new_str": fmt.Sprintf("client %d edit %d\nclient %d edit %d\n", n, i-1, n, i),
					}
				}
				if r := callMemory(t, c, input); r.IsError {
					t.Errorf("client %d, edit %d: %s", n, i, r.Content)
				}
			}
		})
	}
	wg.Go(func() {
		var lines strings.Builder
		for i := range edits {
			fmt.Fprintf(&lines, `{"command":"insert","path":"/memories/log.md","insert_line":0,"insert_text":"exec edit %d"}`+"\n", i)
		}
		if o := process(t, lines.String(), binary(t), "exec", dir); o.code != 0 || strings.Contains(o.out, `"is_error":true`) {
			t.Errorf("exec: %+v", o)
		}
	})
	wg.Wait()
	data, err := os.ReadFile(filepath.Join(dir, "log.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(string(data)) {
		seen[line]++
	}
	for n := range clients {
		for i := range edits {
			if line := fmt.Sprintf("client %d edit %d\n", n, i); seen[line] != 1 {
				t.Errorf("%q is there %d times", line, seen[line])
			}
		}
	}
	if want := clients*edits + edits + 1; strings.Count(string(data), "\n") != want {
		t.Errorf("the file has %d lines, want %d", strings.Count(string(data), "\n"), want)
	}
}
