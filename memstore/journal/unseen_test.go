package journal

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/past"
)

func (d *desk) syncAll() (made int) {
	d.t.Helper()
	made, err := d.j.Sync(context.Background(), past.Hints{Unseen: true})
	d.must(err)
	return made
}

func TestTheBeginningIsNotARevision(t *testing.T) {
	d := newDesk(t)
	d.outside("a.md", "one\n")
	d.outside("b/c.md", "two\n")
	d.syncAll()
	d.tells()
	d.do(replace("/memories/a.md", "one", "three"))
	d.tells("agent str_replace /memories/a.md")
	d.syncAll()
	d.tells("agent str_replace /memories/a.md")
}

func TestEditBeforeTheBeginningDoesNotMakeFoldersThatWereThere(t *testing.T) {
	d := newDesk(t)
	d.must(os.MkdirAll(filepath.Join(d.dir, "a", "b"), 0o700))
	d.do(create("/memories/a/b/new/c.md", "one\n"))
	if diff := same(d.treeAt(0), map[string]string{"a": "folder", "a/b": "folder"}); diff != "" {
		t.Error(diff)
	}
}

func TestWhatHappenedUnseenIsRecordedOnce(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"same.md", "edited.md", "gone.md", "moved.md", "dir/in.md"} {
		d.outside(name, "text of "+name+"\n")
	}
	d.syncAll()
	d.close()
	d.outside("edited.md", "other text\n")
	d.gone("gone.md")
	d.must(os.Rename(filepath.Join(d.dir, "moved.md"), filepath.Join(d.dir, "dir", "went.md")))
	d.outside("new/new.md", "new\n")
	d.open(Options{})
	d.syncAll()
	want := []string{
		"external rename /memories/moved.md /memories/dir/went.md (unseen)", "external delete /memories/gone.md (unseen)",
		"external edit /memories/edited.md (unseen)", "external create /memories/new/new.md (unseen)",
	}
	d.tells(want...)
	d.reopen()
	d.syncAll()
	d.tells(want...)
}

func TestUnreadableIsNotDeleted(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	d := newDesk(t)
	d.outside("dir/a.md", "one\n")
	d.syncAll()
	d.must(os.Chmod(filepath.Join(d.dir, "dir"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(d.dir, "dir"), 0o700) })
	d.syncAll()
	d.tells()
}

func TestEachDifferenceIsRecordedOnce(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))
	look := func(want int) {
		t.Helper()
		for _, want := range []int{want, 0} {
			if made := d.sync(); made != want {
				t.Errorf("%d revisions from a sync, want %d", made, want)
			}
		}
	}
	look(0) // made by our own handler
	d.outside("a.md", "two\n")
	look(1)
	d.outside("a.md", "one\n")
	look(1)
	d.outside("a.md", "three\n")
	d.do(replace("/memories/a.md", "three", "four")) // records three first
	look(0)
	d.gone("a.md")
	look(1)
	d.syncAll()
	if got := len(d.revisions()); got != 6 {
		t.Errorf("%d revisions: %q", got, d.story())
	}
}
