package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// TestGroupComesBackAsOne: an applied plan, with a file that was changed meanwhile, is one
// undo, across a restart, and the disk is what it was.
func TestGroupComesBackAsOne(t *testing.T) {
	d := grove(t)
	d.syncAll()
	ctx := context.Background()
	digest := func(name string) memstore.Digest {
		data, err := os.ReadFile(filepath.Join(d.dir, filepath.FromSlash(name)))
		d.must(err)
		return memstore.Sum(data)
	}
	a, b, top, other := digest("dir/a.md"), digest("dir/sub/b.bin"), digest("top.md"), digest("other/d.md")
	was := d.portrait()
	g := d.editor().Group("apply: 4 notes")
	d.must(g.Delete(ctx, "/memories/dir/a.md", a))
	d.must(g.Delete(ctx, "/memories/dir/sub/b.bin", b))
	d.must(g.Move(ctx, "/memories/top.md", "/memories/archive/2026/top.md", top))
	d.must(g.Delete(ctx, "/memories/dir/link", memstore.Sum([]byte("a.md"))))
	d.must(g.RemoveFolder(ctx, "/memories/dir/empty"))
	d.must(g.Write(ctx, "mask", "/memories/other/d.md", []byte("D\n"), other))
	for name, err := range map[string]error{
		"other bytes":   g.Delete(ctx, "/memories/other/d.md", other),
		"gone":          g.Delete(ctx, "/memories/dir/a.md", a),
		"a folder":      g.Delete(ctx, "/memories/dir", a),
		"another link":  g.Delete(ctx, "/memories/dangling", memstore.Sum([]byte("elsewhere"))),
		"a full folder": g.RemoveFolder(ctx, "/memories/dir"),
		"moved bytes":   g.Move(ctx, "/memories/other/d.md", "/memories/x.md", other),
	} {
		if !errors.Is(err, memstore.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if g.Acts() != 6 {
		t.Errorf("%d acts", g.Acts())
	}
	var removed past.Revision
	d.must(d.j.List(ctx, past.Filter{Removed: true, Newest: true}, func(r past.Revision) bool {
		if r.Path == "/memories/dir/sub/b.bin" {
			removed = r
		}
		return true
	}))
	if !removed.Before.Kept || removed.Group == 0 {
		t.Errorf("the trash has %+v", removed)
	}
	if removed.Title != "apply: 4 notes" {
		t.Errorf("the group is %q", removed.Title)
	}
	d.reopen()
	p, err := d.editor().PlanUndo(ctx)
	if err != nil || p.Title != "apply: 4 notes" {
		t.Errorf("the undo is of %q, %v", p.Title, err)
	}
	d.undo()
	d.same(was, "after the undo")
}
