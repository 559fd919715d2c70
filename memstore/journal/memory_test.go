package journal

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// TestInMemory runs the checks that never reopen a file against a journal in memory.
func TestInMemory(t *testing.T) {
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"follow in order", TestFollowInOrder},
		{"follow waits", TestFollowWaits},
		{"follow reports marks", TestFollowReportsMarks},
		{"follow ends", TestFollowEnds},
		{"one revision for each change", TestOneRevisionForEachChange},
		{"surprises", TestSurprisesOnDiskAreRecordedFirst},
		{"failed edits", TestFailedEditsLeaveNothing},
		{"baseline", TestBaselineIsNotARevision},
		{"seen once", TestUnreadableIsNotDeleted},
		{"replay and undo", TestReplayYieldsTheTreeAndUndoTheBeginning},
		{"undo of anything", TestUndoOfAnythingIsExact},
		{"groups", TestGroupComesBackAsOne},
		{"undo and redo", TestUndoAndRedoAcrossRestarts},
		{"folders", TestFolderComesBackWhole},
		{"search", TestSearchFindsPresentPastAndDeleted},
		{"retention", TestPruneKeepsWhatIsThere},
		{"blame and history", TestBlameAndHistoryFollowRenames},
		{"trash", TestTrashIsAView},
		{"moments", TestMomentAnswersAsTheStoreDid},
		{"facts", TestFactsFollowTheLifeOfAFile},
		{"versions", TestVersionsReadBackExactly},
	} {
		if raced && (test.name == "replay and undo" || test.name == "undo of anything") {
			continue // they take a minute so, and race no otherwise than on a file
		}
		t.Run(test.name, test.run)
	}
}

func TestMemoryLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	b := memstore.NewMemory()
	j, err := Memory(Options{Backend: b, Warn: func(err error) { t.Error(detail(err)) }})
	if err != nil {
		t.Fatal(err)
	}
	s := memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{j}})
	for i := range 100 {
		if r := s.Do(t.Context(), memstore.Command{Name: memstore.CmdCreate, Path: fmt.Sprintf("/memories/%d.md", i), FileText: "x\n"}); r.IsError {
			t.Fatal(r.Content)
		}
	}
	if span, err := j.Span(t.Context()); err != nil || span.Newest.IsZero() {
		t.Errorf("span %+v, %v", span, err)
	}
	if j.Lasts() {
		t.Error("it says that it lasts")
	}
	if err := j.Close(); err != nil {
		t.Error(detail(err))
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("files %v, %v", list, err)
	}
}

// TestMemoryBesideReaders: reading pages never makes a writer time out, and writing never makes a reader time out.
func TestMemoryBesideReaders(t *testing.T) {
	b := memstore.NewMemory()
	j, err := Memory(Options{Backend: b, Warn: func(err error) { t.Error(detail(err)) }})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	s := memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{j}, Overwrite: true})
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for ctx.Err() == nil {
				err := j.List(ctx, past.Filter{}, func(r past.Revision) bool {
					_, err := j.Revision(ctx, r.Rev) // a visitor may ask again
					return err == nil
				})
				if err != nil && ctx.Err() == nil {
					t.Error(detail(err))
					return
				}
			}
		})
	}
	for i := range 300 {
		if r := s.Do(t.Context(), memstore.Command{Name: memstore.CmdCreate, Path: fmt.Sprintf("/memories/%d.md", i%10), FileText: fmt.Sprint(i)}); r.IsError {
			t.Fatal(r.Content)
		}
	}
	j.Flush()
	if last, err := j.Last(t.Context()); err != nil || last != 300 {
		t.Errorf("last is %d, %v", last, err)
	}
	stop()
	readers.Wait()
}
