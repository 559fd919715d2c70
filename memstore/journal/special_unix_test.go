//go:build unix

package journal

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"memcurator/memstore/undo"
)

// TestAPipeDoesNotKeepAFolderFromComingBack: what has no bytes is named, the rest is done.
func TestAPipeDoesNotKeepAFolderFromComingBack(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/f/a.md", "a\n"))
	d.do(create("/memories/f/sub/b.md", "b\n"))
	d.must(syscall.Mkfifo(filepath.Join(d.dir, "f", "pipe"), 0o600))
	d.reconcile()
	d.do(remove("/memories/f"))
	d.j.Flush()
	group := d.revisions()[len(d.revisions())-1].Group
	e := d.editor()
	p, err := e.PlanGroup(context.Background(), group)
	d.must(err)
	if len(p.Conflicts) != 0 || len(p.Skipped) != 1 || p.Skipped[0].Path != "/memories/f/pipe" || p.Skipped[0].Why != undo.WhySpecial {
		t.Fatalf("conflicts %+v, skipped %+v", p.Conflicts, p.Skipped)
	}
	_, err = e.Carry(context.Background(), p)
	d.must(err)
	d.holds("f/a.md", "a\n")
	d.holds("f/sub/b.md", "b\n")
	if _, err := os.Lstat(filepath.Join(d.dir, "f", "pipe")); err == nil {
		t.Error("there is a pipe")
	}
}
