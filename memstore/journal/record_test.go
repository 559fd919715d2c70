package journal

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

func (d *desk) tells(want ...string) {
	d.t.Helper()
	if got := d.story(); !slices.Equal(got, want) {
		d.t.Errorf("the journal tells\n%q, want\n%q", got, want)
	}
}

func TestOneRevisionForEachChange(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a/b.md", "one\n"))
	d.do(replace("/memories/a/b.md", "one", "two"))
	d.do(replace("/memories/a/b.md", "two", "two")) // changes nothing
	d.do(rename("/memories/a", "/memories/c"))
	d.as(memstore.Curator, remove("/memories/c"))
	d.tells("agent create /memories/a/b.md", "agent str_replace /memories/a/b.md", "agent rename /memories/a /memories/c",
		"curator delete /memories/c/b.md", "curator delete /memories/c")
	list := d.revisions()
	second := list[1]
	if second.Before.Digest != memstore.Sum([]byte("one\n")) || second.After.Digest != memstore.Sum([]byte("two\n")) || second.Added != 1 || second.Removed != 1 {
		t.Errorf("the second revision is %+v", second)
	}
	if !second.Unread || list[3].Unread {
		t.Error("what the agent does is unread, what the curator does is not")
	}
	d.as(memstore.Replay, create("/memories/restored.md", "x\n"))
	if list := d.revisions(); list[len(list)-1].Unread {
		t.Error("what the user restored from a transcript is unread")
	}
	if list[3].Group != list[3].Rev || list[4].Group != list[3].Rev {
		t.Errorf("one command with two changes has the groups %d and %d", list[3].Group, list[4].Group)
	}
	data, err := d.j.Bytes(context.Background(), list[3].Before)
	if err != nil || string(data) != "two\n" {
		t.Errorf("before the delete there was %q, %v", data, err)
	}
}

func TestSurprisesOnDiskAreRecordedFirst(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))
	d.outside("a.md", "two\n")
	d.do(replace("/memories/a.md", "two", "three"))
	d.gone("a.md")
	d.do(create("/memories/a.md", "four\n"))
	d.tells("agent create /memories/a.md", "external edit /memories/a.md (unseen)", "agent str_replace /memories/a.md",
		"external delete /memories/a.md (unseen)", "agent create /memories/a.md")
}

func TestFailedEditsLeaveNothing(t *testing.T) {
	d := newDesk(t)
	end, err := d.j.Begin(context.Background(), &memstore.Edit{
		Command: create("/memories/a.md", "x"),
		Changes: []memstore.Change{{Kind: memstore.KindFile, Path: "/memories/a.md", After: memstore.NewContent([]byte("x"))}},
	})
	d.must(err)
	end(memstore.ErrChanged)
	d.tells()
	d.reopen()
	d.tells()
}

func TestEditsOfTheDeadAreSettled(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))
	begin := func(text string, then func()) { // and die
		end, err := d.j.Begin(context.Background(), &memstore.Edit{
			Command: memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md"},
			Changes: []memstore.Change{{
				Kind: memstore.KindFile, Path: "/memories/a.md",
				Before: memstore.NewContent([]byte("one\n")), After: memstore.NewContent([]byte(text)),
			}},
		})
		d.must(err)
		then()
		d.j.options.Warn = func(error) {}
		d.close()
		end(nil) // of a journal that is closed: it only gives the lock back
		d.open(Options{})
	}
	begin("never\n", func() {})
	d.tells("agent create /memories/a.md")
	begin("two\n", func() { d.outside("a.md", "two\n") })
	d.tells("agent create /memories/a.md", "agent str_replace /memories/a.md")

	d.reopen()
	d.do(create("/memories/b.md", "x"))
	if got := len(d.revisions()); got != 3 {
		t.Errorf("%d revisions after another start and edit, want 3", got)
	}
}

// A folder that another program made unseen is not the edit's, whose undo leaves it.
func TestUnseenFoldersOutliveTheUndoOfWhatCameIntoThem(t *testing.T) {
	d := newDesk(t)
	d.syncAll()
	d.must(os.Mkdir(filepath.Join(d.dir, "d"), 0o700))
	d.do(create("/memories/d/new/x.md", "x\n"))
	d.tells("external create /memories/d (unseen)", "agent create /memories/d/new/x.md")
	plan, err := d.editor().PlanRevert(context.Background(), 2)
	d.must(err)
	_, err = d.editor().Carry(context.Background(), plan)
	d.must(err)
	if diff := same(d.plain(), map[string]string{"d": "folder"}); diff != "" {
		t.Error(diff)
	}
}

// A file above the limit has no digest: what an edit reads of it is no edit by another program.
func TestLargeFilesAreNotEditedByAnEdit(t *testing.T) {
	for _, began := range []bool{false, true} { // whether the journal was there before the file
		d := newDesk(t)
		want := []string{"agent rename /memories/large.md /memories/other.md", "curator delete /memories/other.md"}
		if began {
			d.syncAll()
			want = append([]string{"external create /memories/large.md (unseen)"}, want...)
		}
		d.outside("large.md", strings.Repeat("x", maxFile+1))
		d.syncAll()
		d.do(rename("/memories/large.md", "/memories/other.md"))
		d.as(memstore.Curator, memstore.Command{Name: memstore.CmdDelete, Path: "/memories/other.md"})
		d.tells(want...)
	}
}

// A removal of a folder that another program prevents has taken files nevertheless: those are the agent's.
func TestRemovalThatFailsMidway(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do(create("/memories/f/a.md", "a\n"))
	d.do(create("/memories/f/b.md", "b\n"))
	end, err := d.j.Begin(context.Background(), &memstore.Edit{Command: remove("/memories/f"), Changes: []memstore.Change{
		{Kind: memstore.KindFile, Path: "/memories/f/a.md", Before: memstore.NewContent([]byte("a\n"))},
		{Kind: memstore.KindFile, Path: "/memories/f/b.md", Before: memstore.NewContent([]byte("b\n"))},
		{Kind: memstore.KindDir, Path: "/memories/f"},
	}})
	d.must(err)
	d.must(os.Remove(filepath.Join(d.dir, "f", "a.md")))
	end(memstore.ErrChanged)
	d.syncAll()
	d.agrees()
	list := d.revisions()
	if last := list[len(list)-1]; len(list) != 3 || last.Path != "/memories/f/a.md" || last.Shape != past.Removed || last.Actor != memstore.Agent {
		t.Errorf("%+v", list)
	}
}
