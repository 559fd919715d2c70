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
		{"groups", TestGroupComesBackAsOne},
		{"folders", TestFolderComesBackWhole},
		{"retention", TestKeepDropsWhatIsDue},
		{"blame and history", TestBlameAndHistoryFollowRenames},
		{"moments", TestMomentAnswersAsTheStoreDid},
		{"facts", TestFactsFollowTheLifeOfAFile},
		{"versions", TestVersionsReadBackExactly},
	} {
		if raced && test.name == "replay and undo" {
			continue // it takes a minute so, and races no otherwise than on a file
		}
		t.Run(test.name, test.run)
	}
}
