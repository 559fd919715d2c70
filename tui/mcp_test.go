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

func (d *driver) text(name string) string {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
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
