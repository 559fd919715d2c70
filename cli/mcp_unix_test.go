//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// startMCP starts a server with its pipes open and greets it.
func startMCP(t *testing.T, dir string) *running {
	t.Helper()
	r := start(t, "mcp", dir)
	if _, err := io.WriteString(r.in, mcpHello); err != nil {
		t.Fatal(err)
	}
	if line, err := r.out.ReadString('\n'); err != nil || !strings.Contains(line, "serverInfo") {
		t.Fatalf("%q, %v", line, err)
	}
	return r
}

// A client that dies leaves both pipes, in the middle of a line, of a call, or of an answer.
func TestAnMCPClientThatDiesLeavesWholeFiles(t *testing.T) {
	t.Parallel()
	before, after := strings.Repeat("before\n", 100_000), strings.Repeat("after\n", 150_000)
	for round := range 5 {
		dir := newStore(t, map[string]string{"big.md": before + "end\n"})
		r := startMCP(t, dir)
		replace := mcpCall(1, fmt.Sprintf(`{"command":"str_replace","path":"/memories/big.md","old_str":%q,"new_str":%q}`, before, after))
		create := mcpCall(2, fmt.Sprintf(`{"command":"create","path":"/memories/new.md","file_text":%q}`, after))
		view := mcpCall(3, `{"command":"view","path":"/memories/big.md"}`)
		all := replace + create + view
		sent := all[:len(all)*(round+1)/5]
		if _, err := io.WriteString(r.in, sent); err != nil {
			t.Fatal(err)
		}
		_ = r.outEnd.Close()
		_ = r.in.Close()
		if err := r.Wait(); err != nil && r.ProcessState.ExitCode() != session.ExitFailed {
			t.Errorf("round %d: %v", round, err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "big.md"))
		if err != nil || string(data) != before+"end\n" && string(data) != after+"end\n" {
			t.Errorf("round %d: big.md has %d bytes, %v", round, len(data), err)
		}
		if data, err = os.ReadFile(filepath.Join(dir, "new.md")); err == nil && !bytes.Equal(data, []byte(after)) {
			t.Errorf("round %d: new.md has %d bytes", round, len(data))
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) > 2 {
			t.Errorf("round %d: the folder has %v, %v", round, entries, err)
		}
		// The lock is released: the next writer gets it at once.
		if o := process(t, `{"command":"create","path":"/memories/next.md","file_text":""}`, binary(t), "exec",
			dir); !strings.Contains(o.out, "successfully") {
			t.Errorf("round %d: %+v", round, o)
		}
	}
}
