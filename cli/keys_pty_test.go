//go:build linux || darwin

package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// The interface shows what another process writes into an encrypted store, and what is damaged.
func TestEncryptedStoreOnTheScreen(t *testing.T) {
	t.Parallel()
	key := identityFile(t, 1)
	dir := filepath.Join(t.TempDir(), "memories")
	state := t.TempDir()
	exec := func(in string) {
		t.Helper()
		if o := process(t, in, binary(t), "exec", "--create", "--state", state, "--identity", key, dir); o.code != 0 ||
			strings.Contains(o.out, `"is_error":true`) {
			t.Fatalf("%+v", o)
		}
	}
	exec(`{"command":"create","path":"/memories/first.md","file_text":"one\n"}`)
	s := openScreen(t, nil, "--identity", key, "--state", state, dir)
	s.await("first.md", "live")
	exec(`{"command":"create","path":"/memories/later.md","file_text":"two\n"}`)
	s.await("later.md")
	s.press("j")
	s.await("content of /memories/first.md")
	s.press("q")
	s.leaves(0)
	// What is kept about a store beside it is in clear, so nothing is kept about this one.
	nowhereBelow(t, state, "first.md", "one")
}
