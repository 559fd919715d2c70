package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
	"memcurator/memstore/mcpserver"
	"memcurator/tui/edits"
)

// mcpAgent is a client of an MCP server on the directory that the interface shows, with a store of
// its own as in another process: nothing but the disk joins the two.
type mcpAgent struct {
	d *driver
	c *mcp.ClientSession
}

func (d *driver) mcpAgent() mcpAgent {
	d.t.Helper()
	store, err := memstore.Open(d.dir, memstore.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	serverEnd, clientEnd := mcp.NewInMemoryTransports()
	if _, err := mcpserver.New(store, mcpserver.Options{}).Connect(ctx, serverEnd, nil); err != nil {
		d.t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(ctx, clientEnd, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = c.Close()
		end()
		_ = store.Close()
	})
	return mcpAgent{d, c}
}

// call runs a command of the tool; an error of the tool is returned as its text.
func (a mcpAgent) call(input map[string]any) error {
	r, err := a.c.CallTool(context.Background(), &mcp.CallToolParams{Name: "memory", Arguments: input})
	if err == nil && r.IsError {
		err = fmt.Errorf("%s", r.Content[0].(*mcp.TextContent).Text)
	}
	return err
}

func (a mcpAgent) does(input map[string]any) {
	a.d.t.Helper()
	if err := a.call(input); err != nil {
		a.d.t.Fatal(err)
	}
}

func (d *driver) text(name string) string {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
}

// Edits by an MCP client arrive on the screen, and what is typed at the prompt for a file as it
// was looked at does not go over them.
func TestMCPClientBesideTheInterface(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"plan.md": "alpha\nbeta\n"}), w: 120, h: 30})
	agent := d.mcpAgent()
	agent.does(map[string]any{"command": "create", "path": "/memories/by-agent.md", "file_text": "new\n"})
	d.sees("by-agent.md")
	d.command("open /memories/plan.md")
	d.sees("1  beta"[3:])
	agent.does(map[string]any{"command": "str_replace", "path": "/memories/plan.md", "old_str": "beta", "new_str": "BETA by the agent"})
	d.command(`str_replace /memories/plan.md "alpha" "ALPHA by the user"`)
	if strings.Contains(d.screen(), edits.TextConflictTitle) { // the edit came before the screen had shown the other
		if got := d.text("plan.md"); got != "alpha\nBETA by the agent\n" {
			t.Errorf("nothing was confirmed, and the file is %q", got)
		}
		d.press("n")
		d.sees("BETA by the agent")
		d.command(`str_replace /memories/plan.md "alpha" "ALPHA by the user"`)
	}
	d.until("the user's edit is made", func() bool { return strings.Contains(d.screen(), "ALPHA by the user") })
	if got := d.text("plan.md"); got != "ALPHA by the user\nBETA by the agent\n" {
		t.Errorf("the file is %q", got)
	}
	agent.does(map[string]any{"command": "rename", "old_path": "/memories/plan.md", "new_path": "/memories/moved.md"})
	d.sees("moved.md")
	agent.does(map[string]any{"command": "delete", "path": "/memories/by-agent.md"})
	d.until("the deleted file is gone from the tree", func() bool { return d.browse().Files.Node("/memories/by-agent.md") == nil })
}

// Both write into one file as fast as they can: every edit of either is there in the end.
func TestMCPClientAndPromptLoseNothing(t *testing.T) {
	t.Parallel()
	const calls = 20
	d := start(t, setup{dir: files(t, map[string]string{"log.md": "log\n"}), w: 120, h: 30})
	agent := d.mcpAgent()
	d.command("open /memories/log.md")
	done := make(chan error, 1)
	go func() {
		for i := range calls {
			if err := agent.call(map[string]any{"command": "insert", "path": "/memories/log.md", "insert_line": 1, "insert_text": fmt.Sprintf("agent %d", i)}); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for i := range calls {
		d.command(fmt.Sprintf(`insert /memories/log.md 1 "user %d"`, i))
		if strings.Contains(d.screen(), edits.TextConflictTitle) {
			d.press("y")
		}
		d.press("esc") // the box with the result
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(d.text("log.md")) {
		seen[line]++
	}
	for i := range calls {
		for _, who := range []string{"agent", "user"} {
			if line := fmt.Sprintf("%s %d\n", who, i); seen[line] != 1 {
				t.Errorf("%q is there %d times", line, seen[line])
			}
		}
	}
	if len(seen) != 2*calls+1 {
		t.Errorf("%d different lines", len(seen))
	}
}
