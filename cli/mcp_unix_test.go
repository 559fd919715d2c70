//go:build unix

package cli

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// A client that dies leaves both pipes, in the middle of a line, of a call, or of an answer.
func TestAnMCPClientThatDiesLeavesWholeFiles(t *testing.T) {
	t.Parallel()
	before, after := strings.Repeat("before\n", 100_000), strings.Repeat("after\n", 150_000)
	replace := mcpCall(1, fmt.Sprintf(`{"command":"str_replace","path":"/memories/big.md","old_str":%q,"new_str":%q}`, before, after))
	all := mcpHello + replace + mcpCall(2, `{"command":"view","path":"/memories/big.md"}`)
	for round := range 5 {
		dir := newStore(t, map[string]string{"big.md": before + "end\n"})
		r := start(t, "mcp", dir)
		_, err := io.WriteString(r.in, all[:len(all)*(round+1)/5])
		must(t, err)
		_ = r.outEnd.Close()
		_ = r.in.Close()
		if err := r.Wait(); err != nil && r.ProcessState.ExitCode() != session.ExitFailed {
			t.Errorf("round %d: %v", round, err)
		}
		if text := read(t, dir, "big.md"); text != before+"end\n" && text != after+"end\n" {
			t.Errorf("round %d: big.md has %d bytes", round, len(text))
		}
		// The lock is released: the next writer gets it at once.
		o := process(t, `{"command":"create","path":"/memories/next.md","file_text":""}`, binary(t), "exec", dir)
		if !strings.Contains(o.out, "successfully") {
			t.Errorf("round %d: %+v", round, o)
		}
	}
}
