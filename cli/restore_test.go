package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// Restoring a whole store is one act: listed, confirmed, undone by one undo. Later files stay, as with a folder.
func TestAWholeStoreIsRestored(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	tree := func() map[string]string {
		t.Helper()
		out := map[string]string{}
		for _, name := range []string{"a.md", "base.md", "d/x.md"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				out[name] = string(data)
			}
		}
		return out
	}
	before := tree()
	if o := do(t, "restore", dir, "/memories", "--at", "3"); o.code != session.ExitWrongUse || !strings.Contains(o.err, "--yes") ||
		len(tree()) != 2 {
		t.Errorf("without a terminal: %+v", o)
	}
	if o := do(t, "restore", dir, "/memories", "--yes"); o.code != session.ExitWrongUse || !strings.Contains(o.err, "--at") {
		t.Errorf("without a time: %+v", o)
	}
	if out := ok(t, "restore", dir, "/memories", "--at", "1", "--dry-run"); !strings.Contains(out, "rewrite  /memories/a.md") ||
		tree()["a.md"] != before["a.md"] {
		t.Errorf("the preview is %q", out)
	}
	ok(t, "restore", dir, "/memories", "--at", "3", "--yes")
	if got := tree(); got["d/x.md"] != "x\n" || got["base.md"] != "base\n" {
		t.Errorf("restored %v", got)
	}
	ok(t, "restore", dir, "/memories", "--at", "1", "--yes")
	if got := tree(); got["a.md"] != "one\ntwo\n" || got["d/x.md"] != "x\n" {
		t.Errorf("restored %v", got)
	}
	ok(t, "undo", dir)
	ok(t, "undo", dir)
	if got := tree(); len(got) != 2 || got["a.md"] != before["a.md"] {
		t.Errorf("after the undo: %v, want %v", got, before)
	}
}
