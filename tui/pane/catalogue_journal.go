package pane

import (
	"fmt"
	"strconv"

	"memcurator/render/text"
)

// The texts of what shows the journal.
const (
	TextReadingJournal = "reading the journal..."
	TextWhileAway      = "made while nobody watched"
	TextTakenBackBy    = "taken back by"
	TextUnknownTerm    = "%q is no term of a filter; there are %s"
	TextBadTime        = "%q is no time: 30m, 24h, 7d and 2w count back from now, 2026-11-21 is a day"
	TextChangesScreen  = "changes"
	TextTrashScreen    = "trash"
	TextHistory        = "history"
	TextNoHistory      = "nothing is recorded of this path yet"
	TextNoRevision     = "no change is recorded yet; edits show up here as they are made"
	TextNoRevisionFits = "no change fits the filter; esc clears it"
	TextNothingDeleted = "nothing was deleted since the journal began"

	TextBlame        = "blame"
	TextBlameBefore  = "older"
	TextBlameFirst   = "this line was there when the journal began"
	TextBlameFolder  = "a folder has no lines: [ goes back to the history of what is in it"
	TextBlameNoFile  = "this is no regular file and has no lines: [ goes back"
	TextBlameBinary  = "this is not text and has no lines: ] goes on to hex, which shows its bytes"
	TextBlameNotKept = "the journal has not kept the bytes of this file: [ goes back to its history"
	LabelBlame       = "reading who wrote each line"

	LabelCompare   = "comparing the journal with the disk"
	LabelRecord    = "recording"
	LabelRevisions = "reading the journal"
)

// BlameTooLargeText says why the lines of a large file are not told apart.
func BlameTooLargeText(limit int64) string {
	return fmt.Sprintf("the file is larger than %d MiB, too large to tell who wrote each line: [ goes back to its history", limit>>20)
}

// ScreenName is the name of a screen in the top bar, by its place in the root's list.
func ScreenName(i int) string { return [...]string{"Browse", "Changes", "Trash"}[i] }

// WhileAwayText says what the comparison with the disk has found.
func WhileAwayText(n int) string {
	return Count(n, "change") + " made while nobody watched: 2 shows " + map[bool]string{true: "it", false: "them"}[n == 1]
}

// LeftOutText says what the journal could not keep.
func LeftOutText(n int) string {
	return "the bytes of " + Count(n, "file") + " are too large for the journal: their first change cannot be taken back"
}

// RevText writes the number of a revision.
func RevText(n int64) string { return strconv.FormatInt(n, 10) }

// NoJournalText says why a screen of revisions cannot be shown.
func NoJournalText(why string) string {
	if why == "" {
		why = "it was started without one"
	}
	return "there is no journal: " + why
}

// GoneNowText says that a path of the journal is not in the store now.
func GoneNowText(path string) string {
	return fmt.Sprintf("%s is not there now; the diff shows what it held", text.Clean(path))
}
