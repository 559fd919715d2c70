package journal

import (
	"testing"
)

// TestInMemory runs the checks that never reopen a file against a journal in memory.
func TestInMemory(t *testing.T) {
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"follow in order", TestFollowInOrder},
		{"follow ends", TestFollowEnds},
		{"one revision for each change", TestOneRevisionForEachChange},
		{"surprises", TestSurprisesOnDiskAreRecordedFirst},
		{"failed edits", TestFailedEditsLeaveNothing},
		{"beginning", TestTheBeginningIsNotARevision},
		{"seen once", TestUnreadableIsNotDeleted},
		{"replay and undo", TestReplayYieldsTheTreeAndUndoTheBeginning},
		{"undo of anything", TestUndoOfAnythingIsExact},
		{"groups", TestGroupComesBackAsOne},
		{"undo and redo", TestUndoAndRedoAcrossRestarts},
		{"folders", TestFolderComesBackWhole},
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
