package journal

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
)

// editor undoes as one process does.
func (d *desk) editor() *undo.Editor {
	return undo.NewEditor(d.j, d.store)
}

// carry plans and carries out, and must succeed.
func (d *desk) carry(plan func(*undo.Editor) (*undo.Plan, error)) {
	d.t.Helper()
	e := d.editor()
	p, err := plan(e)
	d.must(err)
	for _, c := range p.Conflicts {
		d.t.Fatalf("revision %d: %s %s\n%q", c.Rev, c.Path, c.Why, d.story())
	}
	_, err = e.Carry(context.Background(), p)
	d.must(err)
}

func (d *desk) undo() {
	d.t.Helper()
	d.carry(func(e *undo.Editor) (*undo.Plan, error) { return e.PlanUndo(context.Background()) })
}

func (d *desk) redo() {
	d.t.Helper()
	d.carry(func(e *undo.Editor) (*undo.Plan, error) { return e.PlanRedo(context.Background()) })
}

func (d *desk) revert(revs ...int64) {
	d.t.Helper()
	d.carry(func(e *undo.Editor) (*undo.Plan, error) { return e.PlanRevert(context.Background(), revs...) })
}

func (d *desk) restore(r undo.Restore) {
	d.t.Helper()
	d.carry(func(e *undo.Editor) (*undo.Plan, error) { return e.PlanRestore(context.Background(), r) })
}

// disk is the tree on disk: name, mode and bytes, or the text of a link.
func (d *desk) disk() map[string]string {
	d.t.Helper()
	tree := map[string]string{}
	d.must(filepath.WalkDir(d.dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || at == d.dir {
			return err
		}
		name, _ := filepath.Rel(d.dir, at)
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch {
		case e.IsDir():
			tree[filepath.ToSlash(name)] = "folder"
		case info.Mode().IsRegular():
			data, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			tree[filepath.ToSlash(name)] = info.Mode().String() + " " + string(data)
		default:
			to, err := os.Readlink(at)
			if err != nil {
				return err
			}
			tree[filepath.ToSlash(name)] = "-> " + to
		}
		return nil
	}))
	return tree
}

func (d *desk) holds(name, want string) {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, filepath.FromSlash(name)))
	if err != nil || string(data) != want {
		d.t.Errorf("%s holds %q, %v; want %q", name, data, err, want)
	}
}

func (d *desk) lacks(name string) {
	d.t.Helper()
	if _, err := os.Lstat(filepath.Join(d.dir, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
		d.t.Errorf("%s is there: %v", name, err)
	}
}

func TestFolderComesBackWhole(t *testing.T) {
	d := newDesk(t)
	d.outside("dir/a.md", "one\n")
	d.outside("dir/sub/b.bin", "\xff\x00\xfe")
	d.must(os.Chmod(filepath.Join(d.dir, "dir", "a.md"), 0o640))
	d.must(os.Mkdir(filepath.Join(d.dir, "dir", "empty"), 0o700))
	if err := os.Symlink("a.md", filepath.Join(d.dir, "dir", "link")); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	d.must(os.Chmod(filepath.Join(d.dir, "dir", "sub", "b.bin"), 0o600))
	d.syncAll()
	before := d.disk()
	d.as(memstore.Curator, remove("/memories/dir"))
	d.lacks("dir")
	d.undo()
	for name, want := range before {
		if got := d.disk()[name]; got != want {
			t.Errorf("%s is %q, was %q", name, got, want)
		}
	}
	d.syncAll()
	for _, r := range d.revisions() {
		if r.Actor == memstore.External {
			t.Errorf("an undo looks like another program: %v", d.story())
		}
	}
}

func TestRestore(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/dir/a.md", "one\n"))
	d.do(replace("/memories/dir/a.md", "one", "two"))
	d.restore(undo.Restore{Path: "/memories/dir/a.md"})
	d.holds("dir/a.md", "one\n")
	d.do(remove("/memories/dir"))
	d.restore(undo.Restore{Path: "/memories/dir"})
	d.holds("dir/a.md", "one\n")
	d.restore(undo.Restore{Path: "/memories/dir", At: new(int64(2)), As: "/memories/old"})
	d.holds("old/a.md", "two\n")

	d.do(remove("/memories/dir/a.md"))
	d.do(create("/memories/dir/a.md", "another\n"))
	d.restore(undo.Restore{Path: "/memories/dir/a.md", At: new(int64(2))})
	d.holds("dir/a.md", "two\n")
	d.undo()
	d.holds("dir/a.md", "another\n")
	if _, err := d.editor().PlanRestore(context.Background(), undo.Restore{Path: "/memories/never.md"}); !errors.Is(err, past.ErrNotThere) {
		t.Errorf("restoring what never was: %v", err)
	}
	if _, err := d.editor().PlanRestore(context.Background(), undo.Restore{Path: "/memories/dir/a.md", At: new(int64(2)), As: "/memories/old"}); !errors.Is(err, memstore.ErrExist) {
		t.Errorf("restoring over something: %v", err)
	}
}

func TestBlameAndHistoryFollowRenames(t *testing.T) {
	d := newDesk(t)
	d.outside("x/a.md", "one\ntwo\nthree\n")
	d.syncAll()
	d.do(replace("/memories/x/a.md", "two", "zwei"))                                                                // 1
	d.do(rename("/memories/x", "/memories/y"))                                                                      // 2
	d.do(memstore.Command{Name: memstore.CmdInsert, Path: "/memories/y/a.md", InsertLine: 3, InsertText: "four\n"}) // 3
	d.do(rename("/memories/y/a.md", "/memories/y/b.md"))                                                            // 4
	b, err := d.j.Blame(context.Background(), "/memories/y/b.md", 0)
	d.must(err)
	var got []int64
	for _, l := range b.Lines {
		got = append(got, l.Rev)
	}
	if len(got) != 4 || got[0] != 0 || got[1] != 1 || got[2] != 0 || got[3] != 3 {
		t.Errorf("blame says %v", got)
	}
	var revs []int64
	d.must(d.j.List(context.Background(), past.Filter{Path: "/memories/y/b.md", Follow: true}, func(r past.Revision) bool {
		revs = append(revs, r.Rev)
		return true
	}))
	if !slices.Equal(revs, []int64{1, 2, 3, 4}) {
		t.Errorf("the history is %v", revs)
	}
	first, err := d.j.Revision(context.Background(), 1)
	d.must(err)
	if now, err := d.j.Forward(context.Background(), first, nil); err != nil || now != "/memories/y/b.md" {
		t.Errorf("x/a.md is %s now, %v", now, err)
	}
}

// What others have taken back by themselves does not keep an undo from the acts before it.
func TestUndoPassesOverWhatIsTakenBack(t *testing.T) {
	d := newDesk(t)
	d.outside("a.md", "a\n")
	d.syncAll()
	d.as(memstore.Curator, remove("/memories/a.md"))
	d.as(memstore.Curator, create("/memories/b.md", "b\n"))
	d.gone("b.md")
	d.undo()
	d.holds("a.md", "a\n")
}

// The undo of a removal continues the file: its history and its blame go on before it. The lines that the undo of a revert brings back are
// of who wrote them.
func TestHistoryGoesOnBeforeARemovalThatWasUndone(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))                                                            // 1
	d.do(replace("/memories/a.md", "one\n", "one\ntwo\n"))                                             // 2
	d.carry(func(e *undo.Editor) (*undo.Plan, error) { return e.PlanRevert(context.Background(), 2) }) // 3
	d.carry(func(e *undo.Editor) (*undo.Plan, error) { return e.PlanUndo(context.Background()) })      // 4
	d.as(memstore.Curator, remove("/memories/a.md"))                                                   // 5
	d.carry(func(e *undo.Editor) (*undo.Plan, error) { return e.PlanUndo(context.Background()) })      // 6
	revs, err := past.Revisions(context.Background(), d.j, past.Filter{Path: "/memories/a.md", Follow: true})
	if err != nil || len(revs) != 5 { // the removal is not part of what is there
		t.Errorf("%v %v", revs, err)
	}
	b, err := d.j.Blame(context.Background(), "/memories/a.md", 0)
	if err != nil || len(b.Lines) != 2 || b.Lines[0].Rev != 1 || b.Lines[1].Rev != 2 {
		t.Errorf("%+v %v", b, err)
	}
}

// A group that renamed a file and then its folder comes back as often as the user likes.
func TestNestedRenamesComeBackAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do(create("/memories/f/a.md", "a\n"))
	e := undo.NewEditor(d.j, d.store)
	g := e.Group("rename both")
	ctx := context.Background()
	d.must(g.Move(ctx, "/memories/f/a.md", "/memories/f/b.md", memstore.Sum([]byte("a\n"))))
	d.must(g.Put(ctx, "", memstore.Step{Kind: memstore.KindDir, OldPath: "/memories/f", Path: "/memories/g"}))
	carry := func(plan func(context.Context) (*undo.Plan, error), leaves string) {
		t.Helper()
		p, err := plan(ctx)
		d.must(err)
		_, err = e.Carry(ctx, p)
		d.must(err)
		if _, err := os.Stat(filepath.Join(d.dir, leaves)); err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		carry(e.PlanUndo, "f/a.md")
		carry(e.PlanRedo, "g/b.md")
	}
}

// counted counts the edits that are announced to a recorder. The journal makes two transactions of each.
type counted struct {
	memstore.Recorder
	edits int
}

func (c *counted) Begin(ctx context.Context, e *memstore.Edit) (func(error), error) {
	c.edits++
	return c.Recorder.Begin(ctx, e)
}

func TestUndoOfSeveralDeletionsIsOneEdit(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"a.md", "b.md", "new/c.md", "new/d.md"} {
		d.outside(name, "text of "+name+"\n")
	}
	d.syncAll()
	recorder := &counted{Recorder: d.j}
	d.store = memstore.New(d.store.Backend(), memstore.Options{Recorders: []memstore.Recorder{recorder}})
	before := d.disk()
	group := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Curator, Group: "delete"})
	for _, path := range []string{"/memories/a.md", "/memories/b.md", "/memories/new"} {
		if r := d.store.Delete(group, path); r.IsError {
			t.Fatal(r.Content)
		}
	}
	recorder.edits = 0
	d.undo()
	if recorder.edits != 2 { // the folder comes first: what makes a folder above stands alone
		t.Errorf("the undo was announced as %d edits", recorder.edits)
	}
	if got := d.disk(); !maps.Equal(got, before) {
		t.Errorf("the undo left %v, want %v", got, before)
	}
	for _, r := range d.revisions() {
		if r.Command == memstore.CmdDelete && r.UndoneBy == 0 {
			t.Errorf("%s is not undone", r.Path)
		}
	}
}
