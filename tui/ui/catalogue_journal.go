package ui

import (
	"fmt"
	"strconv"
	"time"

	"memcurator/render/text"
)

// The texts of what shows the journal.
const (
	TextReadingJournal = "reading the journal..."
	TextWhileAway      = "made while nobody watched"
	TextTakenBackBy    = "taken back by"
	TextUnknownActor   = "%q is no actor; there are %s"
	TextUnknownTerm    = "%q is no term of a filter; there are %s"
	TextBadTime        = "%q is no time: 30m, 24h, 7d and 2w count back from now, 2026-11-21 is a day"
	TextChangesScreen  = "changes"
	TextTrashScreen    = "trash"
	TextHistory        = "history"
	TextNoHistory      = "nothing is recorded of this path yet"
	TextNoRevision     = "no change is recorded yet; edits show up here as they are made"
	TextNoRevisionFits = "no change fits the filter; {global/back} clears it"
	TextNothingDeleted = "nothing was deleted since the journal began"

	TextBlame        = "blame"
	TextBlameBefore  = "older"
	TextBlameFirst   = "this line was there when the journal began"
	TextBlameFolder  = "a folder has no lines: [ goes back to the history of what is in it"
	TextBlameNoFile  = "this is no regular file and has no lines: [ goes back"
	TextBlameBinary  = "this is not text and has no lines: ] goes on to hex, which shows its bytes"
	TextBlameNotKept = "the journal has not kept the bytes of this file: [ goes back to its history"
	LabelBlame       = "reading who wrote each line"

	TextTravelling    = "this is the past, for looking only: {global/older} and {global/newer} step, {global/back} or {global/focus-tree} comes back to now"
	TextNotTravelling = "this is now: {inbox/travel} on a revision, in the Changes screen or a history, shows the store as it was; so does :at 2d"
	LabelTravel       = "reading the past"

	LabelCompare   = "comparing the journal with the disk"
	LabelRecord    = "recording"
	LabelRevisions = "reading the journal"
)

// BlameTooLargeText says why the lines of a large file are not told apart.
func BlameTooLargeText(limit int64) string {
	return fmt.Sprintf("the file is larger than %d MiB, too large to tell who wrote each line: [ goes back to its history", limit>>20)
}

// AtText is the badge of the past: the revision, its time in the zone it is given in, and how many changes came since the
// journey began.
func AtText(rev int64, made time.Time, missed int, wide bool) string {
	out := "AT #" + strconv.FormatInt(rev, 10)
	switch {
	case rev == 0 && wide:
		out += " before all changes"
	case made.IsZero():
	case wide:
		out += made.Format(" 2006-01-02 15:04")
	default:
		out += made.Format(" 01-02 15:04")
	}
	if missed > 0 {
		out += fmt.Sprintf(" (+%d)", missed)
	}
	return out
}

// PastText refuses a write.
func PastText(rev int64) string {
	return "this is the store after #" + strconv.FormatInt(rev, 10) + ", which nobody can change; :at now comes back"
}

// BackText greets who comes back from the past.
func BackText(missed int) string {
	if missed == 0 {
		return "this is now again"
	}
	return "this is now again; " + Count(missed, "change") + " came meanwhile"
}

// EndOfTimeText says that there is no further revision.
func EndOfTimeText(oldest bool) string {
	if oldest {
		return "nothing is recorded before this"
	}
	return "this is the newest revision; :at now comes back"
}

// NoSuchRevisionText says that there is nothing to travel to.
func NoSuchRevisionText(rev, last int64) string {
	return fmt.Sprintf("the journal has no revision #%d to go back to; the newest is #%d", rev, last)
}

// NoRevisionText says that a name is not that of a revision.
func NoRevisionText(e *Env, name string) string {
	return text.Clean(name) + e.Keyed(" is no revision of the journal; {global/changes} lists them")
}

// ScreenName is the name of a screen in the top bar, by its place in the root's list.
func ScreenName(i int) string {
	return [...]string{"Browse", "Changes", "Trash", "Replay", "Curate"}[i]
}

// WhileAwayText says what the comparison with the disk has found.
func WhileAwayText(n int) string {
	return Count(n, "change") + " made while nobody watched: {global/changes} shows " + map[bool]string{true: "it", false: "them"}[n == 1]
}

// LeftOutText says what the journal could not keep.
func LeftOutText(n int) string {
	return "the bytes of " + Count(n, "file") + " are too large for the journal: their first change cannot be taken back"
}

// RevText writes the number of a revision.
func RevText(n int64) string { return strconv.FormatInt(n, 10) }

// ParseRev reads the number of a revision.
func ParseRev(number string) (int64, bool) {
	n, err := strconv.ParseInt(number, 10, 64)
	return n, err == nil && n > 0
}

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

// The names of what is known of the call that made a revision.
const (
	TextOriginModel   = "model"
	TextOriginSession = "session"
	TextOriginCall    = "call"
)

// TurnText names the turn of a call.
func TurnText(n int) string { return fmt.Sprintf("turn %d", n) }

// TextDamageShort is what the banner of a damaged journal says where nothing else has room.
const TextDamageShort = "Journal damaged: memcurator doctor"

// DamageTexts are what the banner of a damaged journal says, the longest first.
func DamageTexts(why string) []string {
	const next = "Quit and run: memcurator doctor"
	return []string{
		"The journal is damaged: " + why + ". Edits are not recorded and cannot be undone. " + next,
		"The journal is damaged: edits are not recorded, undo is off. " + next,
		"Journal damaged, nothing is recorded. Run: memcurator doctor",
		TextDamageShort,
	}
}
