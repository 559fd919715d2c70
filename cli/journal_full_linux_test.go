package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a full disk the agent works on with a warning, the interface opens, and what was not recorded is found
// when there is room again.
func TestFullDiskOfTheJournal(t *testing.T) {
	state := t.TempDir()
	if err := syscall.Mount("tmpfs", state, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("a small file system cannot be mounted here:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(state, syscall.MNT_DETACH) })
	dir := newStore(t, map[string]string{"alpha.md": "first line\n"})
	exec := call{args: []string{"exec", dir, "--state", state}, stdin: `{"command":"create","path":"/memories/b.md","file_text":"b"}`}
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Fatalf("%+v", o)
	}
	filler := filepath.Join(state, "filler")
	if err := os.WriteFile(filler, make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk does not fill up: %v", err)
	}
	exec.stdin = `{"command":"create","path":"/memories/c.md","file_text":"` + strings.Repeat("words ", 20_000) + `"}`
	if o := exec.run(t); o.code != 0 || !strings.Contains(o.out, "successfully") || !strings.Contains(o.err, "no space left") {
		t.Errorf("exec: code %d, %.200q %.200q", o.code, o.out, o.err)
	}
	// Each of these is a process of its own, which cannot even open the journal.
	for i := range 3 {
		exec.stdin = fmt.Sprintf(`{"command":"insert","path":"/memories/b.md","insert_line":0,"insert_text":"line %d\n"}`, i)
		if o := exec.run(t); o.code != 0 || !strings.Contains(o.err, "no space left") {
			t.Errorf("exec: code %d, %.200q %.200q", o.code, o.out, o.err)
		}
	}
	s := openScreen(t, nil, dir, "--state", state)
	s.await("alpha.md", "c.md")
	s.press("q")
	s.leaves(0)
	must(t, os.Remove(filler))
	exec.stdin = ""
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Fatalf("%+v", o)
	}
	out := ok(t, "log", dir, "--state", state, "--json")
	if !strings.Contains(out, "c.md") || strings.Count(out, `"external"`) != 2 {
		t.Errorf("the edits are not found: %s", out)
	}
	ok(t, "doctor", dir, "--state", state)
}
