package cli

import (
	"errors"
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
	if o := exec.run(t); o.code != 0 || !strings.Contains(o.out, "successfully") || !strings.Contains(o.err, "no space is left") {
		t.Errorf("exec: code %d, %.200q %.200q", o.code, o.out, o.err)
	}
	s := openScreen(t, nil, dir, "--state", state)
	s.await("alpha.md", "c.md")
	s.press("q")
	s.leaves(0)
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	exec.stdin = ""
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Fatalf("%+v", o)
	}
	if out := ok(t, "log", dir, "--state", state); !strings.Contains(out, "c.md") {
		t.Errorf("the edit is not found: %q", out)
	}
}
