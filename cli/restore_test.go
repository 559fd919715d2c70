package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// Restoring a whole store is one act: listed, confirmed, undone by one undo. Later files stay, as with a folder.
func TestAWholeStoreIsRestored(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	has := func(when, a string, restored bool) {
		t.Helper()
		if got := read(t, dir, "a.md"); got != a || isThere(filepath.Join(dir, "d", "x.md")) != restored || read(t, dir, "base.md") != "base\n" {
			t.Errorf("%s a.md is %q, and d/x.md there: %v", when, got, !restored)
		}
	}
	before := read(t, dir, "a.md")
	if o := do(t, "restore", dir, "/memories", "--at", "3"); o.code != session.ExitWrongUse || !strings.Contains(o.err, "--yes") {
		t.Errorf("without a terminal: %+v", o)
	}
	if o := do(t, "restore", dir, "/memories", "--yes"); o.code != session.ExitWrongUse || !strings.Contains(o.err, "--at") {
		t.Errorf("without a time: %+v", o)
	}
	has("after no restore", before, false)
	ok(t, "restore", dir, "/memories", "--at", "3", "--yes")
	has("at 3", before, true)
	ok(t, "restore", dir, "/memories", "--at", "1", "--yes")
	has("at 1", "one\ntwo\n", true)
	ok(t, "undo", dir)
	ok(t, "undo", dir)
	has("after the undo", before, false)
}
